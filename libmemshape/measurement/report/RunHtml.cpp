// A run as a page for browsers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/record/RunText.h"
#include "libmemshape/measurement/report/RunEnding.h"
#include "libmemshape/measurement/report/RunPhases.h"
#include "libmemshape/measurement/report/RunStores.h"
#include "libmemshape/pictures/Escape.h"
#include "libmemshape/pictures/Page.h"

namespace memshape {
namespace {

constexpr std::size_t MostRows = 200, MostBytes = 2000;

std::string bytes(std::int64_t Value) { return scaled(Value) + " (" + grouped(Value) + " bytes)"; }
std::string bytes(std::uint64_t Value) { return bytes(static_cast<std::int64_t>(Value)); }
std::string count(std::uint64_t Value) { return grouped(static_cast<std::int64_t>(Value)); }

std::vector<std::pair<std::string, std::string>> factsOf(const Run &R, const RunRecord &Process) {
  std::vector<std::pair<std::string, std::string>> Rows = {
      {"peak", bytes(Process.Peak) +
                   (Process.PeakError ? ", at most " + bytes(Process.Peak + Process.PeakError) : std::string())},
      {"total", bytes(Process.Total)},
      {"live at end", bytes(Process.Live - Process.InheritedLive)},
      {"allocations", count(Process.Allocations)}};
  for (std::uint32_t Space = 0; Space != Process.Spaces.size(); ++Space)
    if (const RunSpace &Held = Process.Spaces[Space]; Held.used())
      Rows.emplace_back(std::string(spaceName(Space)) + " peak", bytes(Held.Peak));
  if (const std::uint64_t Resident = residentPeak(R, Process))
    Rows.emplace_back("resident peak", bytes(Resident));
  for (const StoreRecord &Each : storesOf(R, Process.Pid))
    Rows.emplace_back("store", storeLine(Each));
  return Rows;
}

std::string callsTable(const RunRecord &Process) {
  std::vector<std::vector<std::string>> Rows;
  std::size_t All = 0;
  for (const RunGroup &Group : Process.Groups) {
    const RunFigures &Warm = warmFigures(Group);
    if (isPhase(Process, Group) || Group.Damaged || Warm.Calls == 0 || ++All > MostRows)
      continue;
    Rows.push_back({callName(Process.Operators[Group.Operator], Group), count(Group.First.Calls + Group.Later.Calls),
                    grouped(Warm.Peak), count(Warm.Total), grouped(Warm.Output), count(Warm.Allocations),
                    duration(static_cast<double>(Warm.Nanoseconds) / static_cast<double>(Warm.Calls))});
  }
  if (Rows.empty())
    return "";
  return foldedTable(All > MostRows ? "The first " + std::to_string(MostRows) + " of " + count(All) +
                                          " operators and shapes (--json has all)"
                                    : "All operators and shapes",
                     {"operator", "calls", "peak bytes", "total bytes", "output bytes", "allocations", "time"}, Rows,
                     {false, true, true, true, true, true, true});
}

} // namespace

std::string runHtml(const Run &R) {
  std::string Command;
  for (const std::string &Word : R.Command)
    Command += (Command.empty() ? "" : " ") + Word;
  std::string Body = paragraph(shortened(Command, MostBytes)) + paragraph(endingText(R));
  for (const RunRecord &Process : R.Processes) {
    if (&Process != ownProcess(R))
      Body += paragraph("process " + std::to_string(Process.Pid) + ", " + baseName(Process.Program));
    Body += facts(factsOf(R, Process)) + callsTable(Process);
  }
  std::vector<std::pair<std::string, std::string>> Others;
  for (const StoreRecord &Each : storesOfOthers(R))
    Others.emplace_back("store of process " + std::to_string(Each.pid), storeLine(Each));
  if (!Others.empty())
    Body += facts(Others);
  return picturePage("Run of " + baseName(R.Command.front()), Body + notes(R.Notes));
}

} // namespace memshape
