//===- Forecast.cpp - What the calls in flight will come to -------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/run/Forecast.h"

#include "tools/run/RunText.h"

#include <algorithm>
#include <chrono>

namespace memshape {

std::optional<CallForecast> Forecaster::ofCall(const RunRecord &Process, const RunGroup &Group) {
  const RunOperator &Operator = Process.Operators[Group.Operator];
  const std::string &File = Operator.Library.empty() ? Process.Program : Operator.Library;
  std::string Key = File + '\n' + callName(Operator, Group);
  if (Pending.valid() && Pending.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    Known[Asked] = Pending.get();
  if (auto Found = Known.find(Key); Found != Known.end())
    return Found->second;
  if (Ask && !Pending.valid()) {
    Asked = Key;
    Pending = std::async(std::launch::async, Ask, File, Operator, Group);
  }
  return std::nullopt;
}

std::optional<ProcessForecast> Forecaster::of(const RunRecord &Process) {
  ProcessForecast Sum;
  std::optional<std::int64_t> Base;
  Sum.Exact = true;
  for (const RunOpenCall &Open : Process.Open) {
    const RunGroup &Group = Process.Groups[Open.Group];
    if (Open.Depth != 0 || Process.Operators[Group.Operator].IsPhase)
      continue;
    std::optional<CallForecast> Call = ofCall(Process, Group);
    if (!Call)
      return std::nullopt;
    // Calls in several threads: what was there before the first of them, and all that they may hold at once.
    Base = std::min(Base.value_or(Open.Base), Open.Base);
    Sum.Peak += Call->Peak + (Group.First.Calls ? 0 : Call->OneTime);
    Sum.Exact = Sum.Exact && Call->Exact;
  }
  if (!Base)
    return std::nullopt;
  Sum.Peak = std::max(Sum.Peak + *Base, Process.Peak);
  return Sum;
}

} // namespace memshape
