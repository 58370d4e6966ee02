// The prior that a prediction begins with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/history/StorePool.h"
#include "libmemshape/files/InputFile.h"
#include "libmemshape/text/Try.h"
#include "model/formula/Expression.h"

namespace memshape {

/// Limits on what is read, so that it takes some milliseconds.
constexpr std::size_t MostOperators = 16, RunsOfEach = 12;

/// The predicted heap, by formula, or the measured one.
static std::optional<double> heapOf(const RunEntry &Run) {
  if (known(Run.At.Heap))
    return Run.At.Heap;
  if (!Run.Formula.empty())
    if (std::optional<Expression> Footprint = Expression::parse(Run.Formula))
      if (std::optional<double> Value = Footprint->evaluate(Run.At.Shape); Value && *Value >= 0)
        return Value;
  return Run.HeapPeak;
}

Result<Prior> withOtherOperators(const Prior &Generic, const Store &Past, const std::string &Operator,
                                 const Situation &At) {
  Prior Found = Generic;
  MEMSHAPE_TRY(std::vector<std::string> Names, Past.newestOperators(MostOperators));
  for (const std::string &Name : Names) {
    if (Name == Operator)
      continue;
    MEMSHAPE_TRY(std::vector<RunEntry> Runs, Past.runsOf(Name, RunsOfEach));
    OperatorRuns Alike;
    for (const RunEntry &Run : Runs) {
      std::optional<double> Heap = heapOf(Run);
      if (!Run.Resident || Run.Killed || !Heap || known(Run.At.Held) != known(At.Held) || !areAlike(Run, Runs.back()))
        continue;
      ResidentRun Seen{Run.At, *Run.Resident};
      Seen.At.Heap = *Heap;
      Alike.push_back(Seen);
    }
    addScores(Found, Generic, Alike);
  }
  return Found;
}

/// A model has some kilobytes; a larger file is something else.
static constexpr std::size_t LargestModel = 1 << 20;

Result<Prior> loadPrior(const std::string &Path) {
  if (Path.empty())
    return Prior::generic();
  MEMSHAPE_TRY(std::string Text, readFile(Path, LargestModel));
  std::string Why;
  std::optional<Prior> Read = Prior::parse(Text, &Why);
  if (!Read)
    return Failure{Path + ": " + Why};
  return *Read;
}

} // namespace memshape
