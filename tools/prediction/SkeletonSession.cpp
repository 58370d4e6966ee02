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
#include <sys/resource.h>

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

std::optional<std::chrono::nanoseconds> SkeletonSession::busy() const {
  const std::optional<std::chrono::nanoseconds> Running = Runner ? Runner->busy() : std::nullopt;
  rusage Ended;
  timespec Own;
  if (!Running || ::getrusage(RUSAGE_CHILDREN, &Ended) != 0 || ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Own) != 0)
    return std::nullopt;
  const auto TimeOf = [](const timeval &T) {
    return std::chrono::seconds(T.tv_sec) + std::chrono::microseconds(T.tv_usec);
  };
  return *Running + TimeOf(Ended.ru_utime) + TimeOf(Ended.ru_stime) + std::chrono::seconds(Own.tv_sec) +
         std::chrono::nanoseconds(Own.tv_nsec);
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
