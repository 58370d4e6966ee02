//===- SkeletonSession.cpp - A skeleton that outlives its runner ----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/prediction/SkeletonSession.h"

#include <algorithm>
#include <ctime>
#include <iterator>

namespace memshape {

std::optional<Failure> SkeletonSession::start() {
  if (Runner && Runner->alive())
    return std::nullopt;
  // To load a large skeleton for a question that may not be asked any more takes longer than many an answer.
  if (std::chrono::steady_clock::now() >= std::min(Deadline, PhaseEnd))
    return Failure{"the time for the skeleton of '" + S.Operator + "' is used up"};
  if (Starts == MaxStarts)
    return Failure{"the skeleton of '" + S.Operator + "' ended the runner too often"};
  ++Starts;
  if (Runner)
    Ended += Runner->taken();
  Runner.reset();
  Result<std::unique_ptr<RunnerProcess>> Started = RunnerProcess::start(S, Options);
  if (!Started)
    return Started.failure();
  Runner = std::move(*Started);
  return std::nullopt;
}

void SkeletonSession::setDeadline() {
  const auto Latest = std::min(Deadline, PhaseEnd);
  Runner->setDeadline(
      std::min<std::chrono::steady_clock::duration>(Patience, Latest - std::chrono::steady_clock::now()), Latest);
}

/// Of this thread, which asks, and of the runners: other threads may ask others meanwhile.
std::optional<std::chrono::nanoseconds> SkeletonSession::busy() const {
  const std::optional<std::chrono::nanoseconds> Running = Runner ? Runner->busy() : std::nullopt;
  timespec Own;
  if (!Running || ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Own) != 0)
    return std::nullopt;
  return *Running + Ended + std::chrono::seconds(Own.tv_sec) + std::chrono::nanoseconds(Own.tv_nsec);
}

FootprintRows SkeletonSession::evaluateAt(const Question &Asked, std::span<const std::vector<std::int64_t>> Shapes) {
  FootprintRows Rows;
  while (Rows.size() < Shapes.size() && !start()) {
    setDeadline();
    FootprintRows More = Runner->evaluateAt(Asked, Shapes.subspan(Rows.size()));
    if (More.empty())
      break;
    Rows.insert(Rows.end(), std::make_move_iterator(More.begin()), std::make_move_iterator(More.end()));
  }
  return Rows;
}

Result<Footprint> SkeletonSession::evaluate(const Question &Asked) {
  if (std::optional<Failure> Wrong = start())
    return *Wrong;
  setDeadline();
  Result<Footprint> Answer = Runner->evaluate(Asked);
  WaitedInVain |= !Answer || Answer->Outcome == Footprint::Status::Limit;
  return Answer;
}

std::optional<AllRuns> SkeletonSession::explore(const Question &Asked, const RunLimits &Limits) {
  if (start())
    return std::nullopt;
  setDeadline();
  return Runner->explore(Asked, Limits);
}

} // namespace memshape
