//===- Schedule.cpp -------------------------------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libmemshape/graph/Schedule.h"
#include "model/scheduling/Sequential.h"

namespace memshape {

using graph::Bytes;
using graph::Graph;
using graph::Node;
using namespace scheduling;

namespace {

bool fits(Bytes Sum) { return Sum <= INT64_MAX; }

Failure tooLarge(const std::string &What) {
  return Failure{"the bytes of " + What + " leave 63 bits", FailureCode::TooLarge};
}

/// One node after the other, on processor 0.
void setTimes(const Graph &Of, ScheduleAnswer &Into) {
  Into.Start.assign(Of.size(), 0);
  Into.Processor.assign(Of.size(), 0);
  double Now = 0;
  for (Node Each : Into.Order) {
    Into.Start[Each] = Now;
    Now += Of[Each].Time;
  }
  Into.Makespan = Now;
}

} // namespace

Result<ScheduleAnswer> schedule(const Graph &Of, const ScheduleRequest &Asked) {
  ScheduleAnswer Answer;
  SequentialOrder Found = leastPeak(Of);
  if (!fits(Found.Peak))
    return tooLarge("the order that holds least");
  Answer.Order = std::move(Found.Order);
  Answer.Peak = static_cast<std::uint64_t>(Found.Peak);
  Answer.LowerBound = static_cast<std::uint64_t>(Found.LowerBound);
  Answer.Optimal = Found.Optimal;
  Answer.Method = std::move(Found.Method);
  if (Asked.Memory && Answer.Peak > *Asked.Memory) {
    Answer.Feasible = false;
    Answer.Least = Answer.Peak;
    return Answer;
  }
  if (Asked.Processors)
    setTimes(Of, Answer);
  return Answer;
}

} // namespace memshape
