// What the calls in flight will come to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/forecast/Forecast.h"
#include "libmemshape/measurement/record/RunText.h"
#include "libmemshape/text/Figures.h"
#include "record/record.h"

#include <algorithm>
#include <chrono>
#include <memshape/hooks.h>
#include <nlohmann/json.hpp>

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

/// What the sites of instrumented code hold. Of a call before which no other of its operator has ended: nothing of it
/// is left from before.
static std::optional<HeldByPlace> heldByFirstCall(const RunRecord &Process, const RunOpenCall &Open) {
  for (const RunGroup &Group : Process.Groups)
    if (Group.Operator == Process.Groups[Open.Group].Operator && (Group.First.Calls || Group.Later.Calls))
      return std::nullopt;
  HeldByPlace Held;
  for (const RunSiteBytes &Live : Process.LiveSites)
    if (const RunSite &Site = Process.Sites[Live.Site]; Site.Origin == MEMSHAPE_RECORD_SOURCE && Live.Bytes > 0)
      Held[{Site.File, Site.Line, Site.Column}] += Live.Bytes;
  return Held;
}

const CallForecast *Forecaster::afterSeeing(const RunRecord &Process, const RunOpenCall &Open,
                                            const CallForecast &Before) {
  constexpr int Rest = 4; // times as long as looking took: it shares the processor with the program
  if (PendingLook.valid() && PendingLook.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    std::optional<CallForecast> Found = PendingLook.get();
    const Clock::time_point Ended = Now();
    NextLook = Ended + Rest * (Ended - LookBegan);
    if (Found)
      Followings[LookedInto].Found = std::move(Found);
  }
  std::optional<HeldByPlace> Held = heldByFirstCall(Process, Open);
  if (!Held)
    return nullptr;
  CallOfProcess Key{Process.Pid, Open.Sequence};
  Followed &Mine = Followings[Key];
  if (*Held != Mine.Asked && !PendingLook.valid() && Now() >= NextLook) {
    Mine.Asked = *Held;
    LookedInto = Key;
    LookBegan = Now();
    PendingLook = std::async(std::launch::async, Before.AfterSeeing, std::move(*Held));
  }
  return Mine.Found ? &*Mine.Found : nullptr;
}

/// What is live for the forecast of resident memory: the heap, and what the program has mapped.
static double mappedBytes(const RunRecord &Process) {
  return static_cast<double>(std::max<std::int64_t>(Process.Spaces[MEMSHAPE_SPACE_MAPPED].Live, 0));
}

void Forecaster::addResident(const RunRecord &Process, const std::vector<CallForecast> &Calls, std::int64_t Base,
                             ProcessForecast &Into) const {
  auto Found = Seen.find(Process.Pid);
  if (Found == Seen.end())
    return;
  Ahead Coming;
  if (Calls.size() == 1)
    Coming = aheadOf(Calls.front().At, Found->second, static_cast<double>(Base) + mappedBytes(Process),
                     static_cast<double>(Process.Live - Base), Prior::generic());
  else // nobody knows whose blocks are live: all of each may still come, and be written
    for (const CallForecast &Call : Calls)
      Coming.Besides += costAhead(Call.At, 0);
  Coming.LivePeak = static_cast<double>(Into.Peak) + mappedBytes(Process);
  std::optional<Forecast> FromRuns;
  if (Calls.size() == 1 && Calls.front().FromRuns)
    FromRuns = Calls.front().FromRuns(static_cast<double>(Base) + mappedBytes(Process), confidenceOfRuns(Confidence));
  Forecast Final = Found->second.forecast(Coming, Confidence, courseScores(), FromRuns);
  Into.Resident = ResidentForecast{Final.Expected.Location, Final.Upper, std::nullopt};
  Into.Confidence = Confidence;
  if (!Into.Upper)
    return;
  Into.Resident->Upper = Final.Upper;
  if (*Into.Upper > Into.Peak) {
    Coming.LivePeak = static_cast<double>(*Into.Upper) + mappedBytes(Process);
    Coming.Never = std::min(Coming.Never, 0.0); // what is written was followed at the answers supposed
    Into.Resident->Upper = std::max(Final.Upper, Found->second.forecast(Coming, Confidence, courseScores()).Upper);
  }
}

void Forecaster::wait() const {
  if (Pending.valid())
    Pending.wait();
  if (PendingLook.valid())
    PendingLook.wait();
}

std::optional<ProcessForecast> Forecaster::of(const RunRecord &Process) {
  ProcessForecast Sum;
  std::optional<std::int64_t> Base, Upper = 0;
  std::vector<CallForecast> Calls;
  Sum.Exact = true;
  for (const RunOpenCall &Open : Process.Open) {
    const RunGroup &Group = Process.Groups[Open.Group];
    if (Open.Depth != 0 || Process.Operators[Group.Operator].IsPhase)
      continue;
    std::optional<CallForecast> Call = ofCall(Process, Group);
    if (!Call)
      return std::nullopt;
    if (Call->AfterSeeing)
      if (const CallForecast *Later = afterSeeing(Process, Open, *Call))
        Call = *Later;
    // Calls in several threads: what was there before the first of them, and all that they may hold at once.
    std::int64_t OneTime = Group.First.Calls ? 0 : Call->OneTime;
    Base = std::min(Base.value_or(Open.Base), Open.Base);
    Sum.Peak += Call->Peak + OneTime;
    Sum.Exact = Sum.Exact && Call->Exact;
    Sum.FromRun = Sum.FromRun || Call->FromRun;
    if (Call->Exact)
      Call->Upper = Call->Peak;
    Upper = Upper && Call->Upper ? std::optional(*Upper + *Call->Upper + OneTime) : std::nullopt;
    Sum.FromSkeleton = Sum.FromSkeleton && Call->FromSkeleton;
    Sum.Runs = std::max(Sum.Runs, Call->Runs);
    Calls.push_back(std::move(*Call));
  }
  if (!Base)
    return std::nullopt;
  Sum.Peak = std::max(Sum.Peak + *Base, Process.Peak);
  if (Upper)
    Sum.Upper = std::max(*Upper + *Base, Sum.Peak);
  addResident(Process, Calls, *Base, Sum);
  return Sum;
}

double mostExpected(const ProcessForecast &Of) {
  return std::max(static_cast<double>(Of.Peak), Of.Resident ? Of.Resident->Peak : 0);
}

double mostLikely(const ProcessForecast &Of) {
  return std::max(static_cast<double>(Of.Peak), Of.Resident ? Of.Resident->Likely : 0);
}

std::optional<double> mostPossible(const ProcessForecast &Of) {
  if (!Of.Upper || (Of.Resident && !Of.Resident->Upper))
    return std::nullopt;
  return std::max(static_cast<double>(*Of.Upper), Of.Resident ? *Of.Resident->Upper : 0);
}

nlohmann::ordered_json forecastJson(const ProcessForecast &Of) {
  using Json = nlohmann::ordered_json;
  Json To = {{"peak_bytes", Of.Peak},
             {"exact", Of.Exact},
             {"upper_bytes", Of.Upper ? Json(*Of.Upper) : Json(nullptr)},
             {"rss", nullptr},
             {"evidence", !Of.FromSkeleton ? "history"
                          : Of.FromRun     ? "skeleton and run"
                                           : "skeleton"},
             {"runs", Of.Runs}};
  if (Of.Resident)
    To["rss"] = {{"peak_bytes", wholeBytes(Of.Resident->Peak)},
                 {"likely_upper_bytes", wholeBytesAbove(Of.Resident->Likely)},
                 {"upper_bytes", Of.Resident->Upper ? Json(wholeBytesAbove(*Of.Resident->Upper)) : Json(nullptr)},
                 {"confidence", Of.Confidence}};
  return To;
}

} // namespace memshape
