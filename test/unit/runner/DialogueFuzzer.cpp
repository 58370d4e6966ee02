// Foreign JSON for the runner's dialogue.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libFuzzer target: whatever the line, parsing ends with a request or with a problem in one line.

#include "runner/protocol/Dialogue.h"

#include <cstddef>
#include <cstdlib>

using namespace memshape;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *Data, std::size_t Size) {
  const std::string_view Line(reinterpret_cast<const char *>(Data), Size);
  StartRequest Start;
  EvaluationRequest Evaluation;
  std::string StartProblem, EvaluationProblem;
  const bool GoodStart = parseStart(Line, Start, StartProblem);
  const bool GoodEvaluation = parseEvaluation(Line, Evaluation, EvaluationProblem);
  if (GoodStart != StartProblem.empty() || GoodEvaluation != EvaluationProblem.empty())
    abort();
  if (formatProblem("error", Line).find('\n') != formatProblem("error", Line).size() - 1)
    abort();
  return 0;
}
