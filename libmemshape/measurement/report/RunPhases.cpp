// Phases and pools that a program declared.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/report/RunParts.h"

#include "libmemshape/measurement/record/RunText.h"
#include "libmemshape/text/Escapes.h"

#include <algorithm>

namespace memshape {
using Json = nlohmann::ordered_json;

/// Phases have no first call that differs, so the figures are those of the largest peak.
static const RunFigures &largest(const RunGroup &Group) {
  return Group.Later.Calls && Group.Later.Peak > Group.First.Peak ? Group.Later : Group.First;
}

static std::uint64_t nanoseconds(const RunGroup &Group) { return Group.First.Nanoseconds + Group.Later.Nanoseconds; }

/// The most live bytes of the process during the phase. What was live at its begin is known for listed calls only.
static std::int64_t processPeak(const RunRecord &Process, std::size_t Group) {
  std::int64_t Most = 0;
  for (const RunCall &Call : Process.Calls)
    if (Call.Group == Group)
      Most = std::max(Most, Call.Base + Call.Peak);
  return Most;
}

std::string phasesSection(const RunRecord &Process) {
  std::string Text;
  for (const std::size_t I : listedGroups(Process, true)) {
    const RunGroup &Group = Process.Groups[I];
    const RunFigures &Figures = largest(Group);
    if (!Figures.Calls)
      continue;
    const std::uint64_t Times = Group.First.Calls + Group.Later.Calls;
    Text += "\nphase " + oneLine(Process.Operators[Group.Operator].Name) +
            (Times == 1 ? "\n" : "  (" + grouped(Times) + " times)\n") + peakLines(Figures.Peak, Figures.PeakError) +
            bytesLine("process peak", processPeak(Process, I)) + bytesLine("total", Figures.Total) +
            bytesLine("left behind", Figures.Output) +
            format("  %-13s%12s\n", "time", duration(static_cast<double>(nanoseconds(Group))).c_str()) +
            sitesTable(Process, Figures.Sites, Figures.Peak, "at the peak");
  }
  return Text;
}

std::string poolsSection(const RunRecord &Process) {
  std::string Text;
  for (const RunPool &Pool : Process.Pools) {
    Text += "\npool " + oneLine(Pool.Name) + "\n" + bytesLine("peak", Pool.Peak);
    if (Pool.HeldPeak)
      Text += bytesLine("held at most", Pool.HeldPeak);
    Text += bytesLine("total", Pool.Total) + bytesLine("live at end", Pool.Live) +
            format("  %-13s%12s\n", "allocations", grouped(Pool.Allocations).c_str());
  }
  return Text;
}

Json phasesJson(const RunRecord &Process) {
  Json List = Json::array();
  for (const std::size_t I : listedGroups(Process, true)) {
    const RunGroup &Group = Process.Groups[I];
    const RunFigures &Figures = largest(Group);
    Json Heap = heapJson(Figures);
    Heap["process_peak_bytes"] = processPeak(Process, I);
    List.push_back({{"phase", Process.Operators[Group.Operator].Name},
                    {"times", Group.First.Calls + Group.Later.Calls},
                    {"heap", std::move(Heap)},
                    {"sites", sitesJson(Process, Figures.Sites, Host, "bytes_at_peak")},
                    {"time_us", static_cast<double>(nanoseconds(Group)) / 1000.0}});
  }
  return List;
}

Json poolsJson(const RunRecord &Process) {
  Json List = Json::array();
  for (const RunPool &Pool : Process.Pools)
    List.push_back({{"pool", Pool.Name},
                    {"peak_bytes", Pool.Peak},
                    {"live_bytes", Pool.Live},
                    {"held_bytes", Pool.Held},
                    {"held_peak_bytes", Pool.HeldPeak},
                    {"total_bytes", Pool.Total},
                    {"allocations", Pool.Allocations},
                    {"frees", Pool.Frees}});
  return List;
}

} // namespace memshape
