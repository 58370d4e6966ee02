// A run as a page for browsers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/record/RunText.h"
#include "libmemshape/measurement/report/RunParts.h"
#include "libmemshape/pictures/Escape.h"
#include "libmemshape/pictures/Page.h"
#include "libmemshape/text/Split.h"

namespace memshape {
constexpr std::size_t MostRows = 200, MostOfCommand = 2000;

static std::vector<std::pair<std::string, std::string>> factsOf(const Run &R, const RunRecord &Process) {
  std::vector<std::pair<std::string, std::string>> Rows = {
      {"peak", withBytes(Process.Peak) +
                   (Process.PeakError ? ", at most " + withBytes(Process.Peak + Process.PeakError) : std::string())},
      {"total", withBytes(Process.Total)},
      {"live at end", withBytes(Process.Output)},
      {"allocations", grouped(Process.Allocations)}};
  for (std::uint32_t Space = 0; Space != Process.Spaces.size(); ++Space)
    if (const RunSpace &Held = Process.Spaces[Space]; Held.used())
      Rows.emplace_back(std::string(spaceName(Space)) + " peak", withBytes(Held.Peak));
  if (const std::uint64_t Resident = residentPeak(R, Process))
    Rows.emplace_back("resident peak", withBytes(Resident));
  for (const StoreRecord &Each : storesOf(R, Process.Pid))
    Rows.emplace_back("store", storeLine(Each));
  return Rows;
}

static std::string callsTable(const RunRecord &Process) {
  std::vector<std::vector<std::string>> Rows;
  std::size_t All = 0;
  for (const RunGroup &Group : Process.Groups) {
    const RunFigures &Warm = warmFigures(Group);
    if (isPhase(Process, Group) || Group.Damaged || Warm.Calls == 0 || ++All > MostRows)
      continue;
    Rows.push_back({callName(Process.Operators[Group.Operator], Group), grouped(Group.First.Calls + Group.Later.Calls),
                    grouped(Warm.Peak), grouped(Warm.Total), grouped(Warm.Output), grouped(Warm.Allocations),
                    duration(static_cast<double>(Warm.Nanoseconds) / static_cast<double>(Warm.Calls))});
  }
  if (Rows.empty())
    return "";
  return foldedTable(tableTitle(MostRows, All, "operators and shapes", "All operators and shapes"),
                     {"operator", "calls", "peak bytes", "total bytes", "output bytes", "allocations", "time"}, Rows,
                     {false, true, true, true, true, true, true});
}

std::string runHtml(const Run &R) {
  std::string Body = paragraph(shortened(joined(R.Command, " "), MostOfCommand)) + paragraph(endingText(R));
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
