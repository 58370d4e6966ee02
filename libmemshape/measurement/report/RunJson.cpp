// memshape.run/1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/report/RunParts.h"

#include "libmemshape/text/Split.h"
#include "record/record.h"

#include <algorithm>
#include <iterator>

namespace memshape {

using Json = nlohmann::ordered_json;

std::int64_t oneTimeBytes(const RunGroup &Group) {
  return Group.Later.Calls ? std::max<std::int64_t>(0, Group.First.Peak - Group.Later.Peak) : 0;
}

std::uint64_t residentPeak(const Run &R, const RunRecord &Process) {
  // A killed process did not write its own figure; the kernel reports it to the parent of the direct child only.
  if (Process.ResidentPeak || static_cast<std::uint64_t>(R.How.Pid) != Process.Pid)
    return Process.ResidentPeak;
  return 1024 * static_cast<std::uint64_t>(R.How.ResidentPeakKiB);
}

std::vector<std::size_t> listedGroups(const RunRecord &Process, bool Phases) {
  std::vector<std::size_t> Listed;
  for (std::size_t I = 0; I != Process.Groups.size(); ++I)
    if (isPhase(Process, Process.Groups[I]) == Phases)
      Listed.push_back(I);
  keepLargest(Listed, MostGroups, [&](std::size_t I) { return warmFigures(Process.Groups[I]).Peak; });
  return Listed;
}

const char *spaceName(std::uint32_t Space) {
  constexpr const char *Names[] = {"host", "device", "pinned", "managed", "stack", "mapped", "pool"};
  return Space < std::size(Names) ? Names[Space] : "unknown";
}

static const char *endingName(std::uint32_t Ending) {
  constexpr const char *Names[] = {"returned", "jumped", "unfinished"};
  return Ending < std::size(Names) ? Names[Ending] : "unknown";
}

/// The figures of any memory space.
static Json heldJson(const RunHeld &Held) {
  return {{"peak_bytes", Held.Peak},
          {"total_bytes", Held.Total},
          {"allocations", Held.Allocations},
          {"reallocations", Held.Reallocations},
          {"output_bytes", Held.Output}};
}

Json heapJson(const RunHeld &Held) {
  Json To = heldJson(Held);
  To["peak_error_bytes"] = Held.PeakError;
  return To;
}

/// Of a process.
static Json heldJson(const RunSpace &Held) {
  Json To = heldJson(static_cast<const RunHeld &>(Held));
  To["frees"] = Held.Frees;
  To["inherited_bytes"] = Held.InheritedLive;
  return To;
}

static double meanMicroseconds(const RunFigures &Figures) {
  return Figures.Calls ? static_cast<double>(Figures.Nanoseconds) / 1000.0 / static_cast<double>(Figures.Calls) : 0.0;
}

static Json figuresJson(const RunFigures &Figures) {
  if (Figures.Calls == 0)
    return nullptr;
  Json To = heapJson(Figures);
  To["calls"] = Figures.Calls;
  To["least_peak_bytes"] = Figures.PeakLeast;
  To["time_us"] = meanMicroseconds(Figures);
  return To;
}

/// The sites of all spaces, each at the peak of its own space; the heap's first.
static Json sitesJson(const RunRecord &Process, const RunGroup &Group) {
  Json List = sitesJson(Process, warmFigures(Group).Sites, Host, "bytes_at_peak");
  for (const auto &[Space, Figures] : Group.Spaces)
    for (Json &Each : sitesJson(Process, warmFigures(Group, Figures).Sites, Space, "bytes_at_peak"))
      List.push_back(std::move(Each));
  return List;
}

/// What a group's calls held outside the heap, in the spaces that they touched.
static Json spacesJson(const RunGroup &Group) {
  Json To = Json::object();
  for (const auto &[Space, Figures] : Group.Spaces) {
    Json &Entry = To[spaceName(Space)] = heldJson(warmFigures(Group, Figures));
    Entry["first"] = Figures.First.Calls ? heldJson(Figures.First) : Json(nullptr);
  }
  return To;
}

static Json spacesJson(const RunRecord &Process) {
  Json To = Json::object();
  for (std::uint32_t Space = 0; Space != Process.Spaces.size(); ++Space)
    if (const RunSpace &Held = Process.Spaces[Space]; Held.used()) {
      Json &Entry = To[spaceName(Space)] = heldJson(Held);
      Entry["live_sites"] = sitesJson(Process, Held.LiveSites, Space, "bytes");
    }
  return To;
}

static Json groupJson(const Run &R, const RunRecord &Process, const RunGroup &Group) {
  const RunOperator &Operator = Process.Operators[Group.Operator];
  const RunFigures &Warm = warmFigures(Group);
  Json Heap = heapJson(Warm);
  Heap["one_time_bytes"] = oneTimeBytes(Group);
  Heap["exact"] = Process.LostOperations == 0 && !Group.Damaged && Warm.Calls != 0 && Warm.PeakError == 0;
  return {{"operator", Operator.Name},
          {"file", Operator.File},
          {"line", Operator.Line},
          {"library", Operator.Library.empty() ? Json(nullptr) : Json(Operator.Library)},
          {"pid", Process.Pid},
          {"shape", namedValues(Operator.ShapeNames, Group.Shape)},
          {"settings", namedValues(Operator.SettingNames, Group.Settings)},
          {"calls", Group.First.Calls + Group.Later.Calls},
          {"jumped", Group.Jumped},
          {"unfinished", Group.Unfinished},
          {"heap", std::move(Heap)},
          {"spaces", spacesJson(Group)},
          {"first", figuresJson(Group.First)},
          {"warm", figuresJson(Group.Later)},
          {"rss", residenceJson(R, Process, Group)},
          {"sites", sitesJson(Process, Group)},
          {"evidence", "measured"},
          {"time_us", meanMicroseconds(Warm)}};
}

static Json processJson(const Run &R, const RunRecord &Process) {
  Json Heap = heldJson(Process);
  Heap["peak_error_bytes"] = Process.PeakError;
  return {{"pid", Process.Pid},
          {"program", Process.Program},
          {"ended", Process.Ended},
          {"ending", endingWord(R, Process)},
          {"heap", std::move(Heap)},
          {"spaces", spacesJson(Process)},
          {"rss", {{"peak_bytes", residentPeak(R, Process)}}},
          {"kernel", kernelJson(R, Process)},
          {"lost", {{"operations", Process.LostOperations}, {"calls", Process.LostCalls}}},
          {"phases", phasesJson(Process)},
          {"pools", poolsJson(Process)},
          {"live_sites", sitesJson(Process, Process.LiveSites, Host, "bytes")},
          {"in_flight", inFlightJson(Process)}};
}

/// The whole process in the form of an operator, for programs without operators.
static Json pseudoOperator(const Run &R, const RunRecord &Process) {
  Json Heap = heapJson(Process);
  Heap["one_time_bytes"] = 0;
  Heap["exact"] = Process.LostOperations == 0 && Process.PeakError == 0;
  return {{"operator", "(process)"},
          {"pid", Process.Pid},
          {"shape", Json::object()},
          {"settings", Json::object()},
          {"calls", 1},
          {"heap", std::move(Heap)},
          {"spaces", spacesJson(Process)},
          {"first", nullptr},
          {"warm", nullptr},
          {"sites", Json::array()},
          {"rss", {{"peak_bytes", residentPeak(R, Process)}}},
          {"evidence", "measured"},
          {"time_us", nullptr}};
}

static Json callJson(const RunRecord &Process, const RunCall &Call) {
  const RunGroup &Group = Process.Groups[Call.Group];
  const RunOperator &Operator = Process.Operators[Group.Operator];
  return {{"operator", Operator.Name},
          {"shape", namedValues(Operator.ShapeNames, Group.Shape)},
          {"settings", namedValues(Operator.SettingNames, Group.Settings)},
          {"pid", Process.Pid},
          {"thread", Call.Thread},
          {"depth", Call.Depth},
          {"ending", endingName(Call.Ending)},
          {"started_us", static_cast<double>(Call.Started) / 1000.0},
          {"time_us", static_cast<double>(Call.Nanoseconds) / 1000.0},
          {"live_at_entry_bytes", Call.Base},
          {"heap", heapJson(Call)}};
}

static Json limitJson(const LimitOutcome &Limit) {
  if (!Limit.Bytes)
    return nullptr;
  return {{"bytes", Limit.Bytes},
          {"warned_at_s", Limit.WarnedAt ? Json(*Limit.WarnedAt) : Json(nullptr)},
          {"met_at_s", Limit.MetAt ? Json(*Limit.MetAt) : Json(nullptr)},
          {"most_held_bytes", Limit.MostHeld},
          {"forecast", Limit.Foreseen ? forecastJson(*Limit.Foreseen) : Json(nullptr)}};
}

static Json siteJson(const RunRecord &Process, const RunSite &Site, std::uint32_t Space, const char *Member,
                     std::int64_t Bytes) {
  Json To;
  if (Site.Origin == MEMSHAPE_RECORD_SOURCE)
    To = {{"file", Site.File}, {"line", Site.Line}, {"column", Site.Column}, {"function", Site.Function}};
  else
    To = {{"file", nullptr},
          {"line", nullptr},
          {"function", "unattributed"},
          {"library", Site.Origin == MEMSHAPE_RECORD_UNATTRIBUTED ? Json(nullptr)
                      : Site.File.empty()                         ? Json(Process.Program)
                                                                  : Json(Site.File)}};
  if (!Site.CallerFile.empty())
    To["called_from"] = {{"file", Site.CallerFile}, {"line", Site.CallerLine}, {"function", Site.CallerFunction}};
  To["space"] = spaceName(Space);
  To[Member] = Bytes;
  return To;
}

Json sitesJson(const RunRecord &Process, const std::vector<RunSiteBytes> &Sites, std::uint32_t Space,
               const char *Member) {
  return mapped(Sites, [&](const RunSiteBytes &Each) {
    return siteJson(Process, Process.Sites[Each.Site], Space, Member, Each.Bytes);
  });
}

Json runJson(const Run &R) {
  Json Calls = Json::array(), Each = Json::array(), Children = Json::array(), Stores = Json::array();
  std::uint64_t Unlisted = 0;
  for (const RunRecord &Process : R.Processes) {
    for (const std::size_t Group : listedGroups(Process, false))
      Calls.push_back(groupJson(R, Process, Process.Groups[Group]));
    for (const RunCall &Call : Process.Calls)
      if (!isPhase(Process, Process.Groups[Call.Group]))
        Each.push_back(callJson(Process, Call));
    Unlisted += Process.UnlistedCalls;
    if (&Process != ownProcess(R))
      Children.push_back(processJson(R, Process));
  }
  if (Calls.empty() && ownProcess(R))
    Calls.push_back(pseudoOperator(R, *ownProcess(R)));
  for (const StoreRecord &Store : R.Stores)
    Stores.push_back(storeJson(Store));
  return {{"schema", "memshape.run/1"},
          {"program", R.Command.front()},
          {"command", R.Command},
          {"exit_status", R.How.Status},
          {"signal", R.How.Signal ? Json(R.How.Signal) : Json(nullptr)},
          {"out_of_memory", R.How.OutOfMemory.empty() ? Json(nullptr) : Json(R.How.OutOfMemory)},
          {"limit", limitJson(R.Limit)},
          {"process", ownProcess(R) ? processJson(R, *ownProcess(R)) : Json(nullptr)},
          {"calls", std::move(Calls)},
          {"each_call", std::move(Each)},
          {"unlisted_calls", Unlisted},
          {"children", std::move(Children)},
          {"stores", std::move(Stores)},
          {"notes", R.Notes}};
}

} // namespace memshape
