// Answers of foreign origin that <memshape/tasks.h> reads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memshape/tasks.h"

#include <sstream>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  std::istringstream From(std::string(reinterpret_cast<const char *>(Data), Size));
  memshape::Tasks Tasks;
  const std::size_t Datum = Tasks.datum(8);
  Tasks.task({}, {Datum});
  Tasks.task({Datum}, {}, 16);
  Tasks.task({}, {Tasks.datum(4)}); // needs nothing of others
  try {
    const memshape::Answer Answer(From);
    (void)Tasks.plan(Answer, 64);
  } catch (const std::exception &) { // what is no answer to this graph
  }
  return 0;
}
