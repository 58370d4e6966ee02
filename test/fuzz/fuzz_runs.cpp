// Lines about runs, formulas and models of foreign origin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first byte says what the rest is: a record of a run, a footprint formula, or a model file.

#include "libmemshape/history/HistoryPrediction.h"
#include "model/formula/Expression.h"
#include "model/residency/Prior.h"

using namespace memshape;

static void readRuns(std::string_view Line) {
  Result<std::vector<RunEntry>> Entries = parseRunLine(Line, 2e9);
  if (!Entries || Entries->empty())
    return;
  // Whatever was let in has to be learned from.
  (void)predictFromHistory(Prior::uninformed(), *Entries, Entries->front().At, 0.99);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  if (Size == 0)
    return 0;
  std::string_view Text(reinterpret_cast<const char *>(Data + 1), Size - 1);
  switch (Data[0]) {
  case 'f':
    if (std::optional<Expression> Read = Expression::parse(Text))
      (void)Read->evaluate({{"a", 3}, {"n", 100}});
    break;
  case 'm': (void)Prior::parse(Text, nullptr); break;
  default: readRuns(Text); break;
  }
  return 0;
}
