// A skeleton that outlives its runner.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/SkeletonSession.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <iterator>

namespace memshape {

std::optional<Failure> SkeletonSession::start() {
  if (Runner && Runner->alive())
    return std::nullopt;
  if (*S.Sleeps)
    return Failure{"the skeleton of '" + S.Operator + "' waits for something that does not come"};
  // To load a large skeleton for a question that may not be asked any more takes longer than many an answer.
  if (spent() >= std::min<std::chrono::nanoseconds>(Options.Limit, PhaseEnd) ||
      std::chrono::steady_clock::now() >= Latest)
    return Failure{"the time for the skeleton of '" + S.Operator + "' is used up"};
  if (Starts == MaxStarts)
    return Failure{"the skeleton of '" + S.Operator + "' ended the runner too often"};
  ++Starts;
  Ended = spent() + (Runner ? StartsAnew : StartsAnew / 2);
  Runner.reset();
  MEMSHAPE_TRY(Runner, RunnerProcess::start(S, Options));
  return std::nullopt;
}

void SkeletonSession::allow() {
  const std::chrono::nanoseconds Left = std::min<std::chrono::nanoseconds>(Options.Limit, PhaseEnd) - spent();
  Runner->allow(Timeout, std::max(Left, std::chrono::nanoseconds(1)), Latest);
}

FootprintRows SkeletonSession::evaluateAt(const Question &Asked, std::span<const std::vector<std::int64_t>> Shapes) {
  FootprintRows Rows;
  while (Rows.size() < Shapes.size() && !start()) {
    allow();
    FootprintRows More = Runner->evaluateAt(Asked, Shapes.subspan(Rows.size()));
    if (More.empty())
      break;
    Rows.insert(Rows.end(), std::make_move_iterator(More.begin()), std::make_move_iterator(More.end()));
  }
  return Rows;
}

Result<Footprint> SkeletonSession::evaluate(const Question &Asked) {
  MEMSHAPE_CHECK(start());
  allow();
  Result<Footprint> Answer = Runner->evaluate(Asked);
  // One that sleeps does not wake up with faster code.
  WaitedInVain |= Answer ? Answer->Outcome == Footprint::Status::Limit : !*S.Sleeps;
  return Answer;
}

std::optional<AllRuns> SkeletonSession::explore(const Question &Asked, const RunLimits &Limits) {
  if (start())
    return std::nullopt;
  allow();
  return Runner->explore(Asked, Limits);
}

} // namespace memshape
