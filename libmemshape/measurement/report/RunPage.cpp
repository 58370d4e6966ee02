// A run as a text page.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/measurement/record/RunText.h"
#include "libmemshape/measurement/report/RunParts.h"
#include "libmemshape/text/Escapes.h"

#include <algorithm>
#include <map>
#include <memshape/hooks.h>
#include <utility>

namespace memshape {
static std::string countLine(const char *Label, std::uint64_t Count) {
  return format("  %-13s%12s\n", Label, grouped(Count).c_str());
}

/// Every call uses some stack; from here on it is shown.
constexpr std::int64_t LargeStack = 64 << 10;

/// Lines such as "device peak", for what was held outside the heap.
static std::string spacesSection(const RunRecord &Process, const RunGroup &Group) {
  std::string Text;
  for (const auto &[Space, Figures] : Group.Spaces) {
    const RunFigures &Held = warmFigures(Group, Figures);
    if (Held.Calls == 0)
      continue;
    std::string Name = spaceName(Space);
    if (Space == MEMSHAPE_SPACE_STACK) {
      if (Held.Peak >= LargeStack)
        Text += bytesLine(Name, Held.Peak);
      continue;
    }
    Text += bytesLine(Name + " peak", Held.Peak) + bytesLine(Name + " total", Held.Total);
    if (Held.Output)
      Text += bytesLine(Name + " output", Held.Output);
    Text += sitesTable(Process, Held.Sites, Held.Peak, "at the peak");
  }
  return Text;
}

static std::string groupSection(const RunRecord &Process, const RunGroup &Group) {
  const RunFigures &Warm = warmFigures(Group);
  std::uint64_t Calls = Group.First.Calls + Group.Later.Calls;
  if (!Calls && !Group.Damaged && !Group.Jumped && !Group.Unfinished)
    return ""; // its first call was in flight
  std::string Text = "\n" + callName(Process.Operators[Group.Operator], Group) + "  (" + several(Calls, "call") + ")\n";
  if (Group.Damaged)
    return Text + "  the figures of this operator were damaged when the program died\n";
  if (Calls) {
    Text += peakLines(Warm.Peak, Warm.PeakError);
    if (Warm.PeakLeast != Warm.Peak)
      Text += bytesLine("least peak", Warm.PeakLeast);
    if (oneTimeBytes(Group))
      Text += bytesLine("one-time", oneTimeBytes(Group)); // added to the peak, in the first call only
    Text +=
        bytesLine("total", Warm.Total) + bytesLine("output", Warm.Output) + countLine("allocations", Warm.Allocations);
    if (Warm.Reallocations)
      Text += countLine("reallocations", Warm.Reallocations);
    Text += format("  %-13s%12s\n", "time",
                   duration(static_cast<double>(Warm.Nanoseconds) / static_cast<double>(Warm.Calls)).c_str());
    Text += sitesTable(Process, Warm.Sites, Warm.Peak, "at the peak") + spacesSection(Process, Group) +
            residenceLines(Group);
  }
  if (Group.Jumped)
    Text += "  " + std::to_string(Group.Jumped) + " more left by longjmp or with their thread: not measured\n";
  if (Group.Unfinished)
    Text += "  " + std::to_string(Group.Unfinished) + " more did not return before the program exited\n";
  return Text;
}

/// Most groups of one operator and shape, with different settings, that have sections of their own.
constexpr std::size_t MostSettings = 4;

/// One section, that of the highest peak, for all.
static std::string foldedSection(const RunRecord &Process, const std::vector<const RunGroup *> &Alike) {
  const auto Peak = [](const RunGroup *Group) { return warmFigures(*Group).Peak; };
  const auto [Least, Most] =
      std::minmax_element(Alike.begin(), Alike.end(), [&](const auto *A, const auto *B) { return Peak(A) < Peak(B); });
  std::uint64_t Calls = 0;
  for (const RunGroup *Group : Alike)
    if (Group != *Most)
      Calls += Group->First.Calls + Group->Later.Calls;
  return groupSection(Process, **Most) + "  with " + grouped(std::int64_t(Alike.size()) - 1) + " other settings, in " +
         grouped(Calls) + " calls: peaks from " + inUnits(Peak(*Least)) + " to " + inUnits(Peak(*Most)) + "\n";
}

/// Most operators and shapes on a page: of a whole one, and of one that begins with what matters most.
constexpr std::size_t MostSections = 100, MostBriefSections = 3;

/// Most operators in the list at the beginning of a page.
constexpr std::size_t MostListedOperators = 10;

using Section = std::vector<const RunGroup *>; // of one operator and shape

static const RunGroup *highestOf(const Section &Alike) {
  return *std::ranges::max_element(Alike, {}, [](const RunGroup *Group) { return warmFigures(*Group).Peak; });
}

static std::int64_t peakOf(const Section &Alike) { return warmFigures(*highestOf(Alike)).Peak; }

/// A line for each operator, with its call that held most.
static std::string operatorsList(const RunRecord &Process, const std::vector<Section> &Sections) {
  struct Line {
    const RunGroup *Highest = nullptr;
    std::uint64_t Calls = 0, Shapes = 0;
  };
  std::map<std::uint32_t, Line> ByOperator;
  for (const Section &Alike : Sections) {
    const RunGroup *Highest = highestOf(Alike);
    Line &Of = ByOperator[Highest->Operator];
    ++Of.Shapes;
    for (const RunGroup *Group : Alike)
      Of.Calls += Group->First.Calls + Group->Later.Calls;
    if (!Of.Highest || warmFigures(*Highest).Peak > warmFigures(*Of.Highest).Peak)
      Of.Highest = Highest;
  }
  std::vector<Line> Lines;
  for (const auto &[Operator, Of] : ByOperator)
    Lines.push_back(Of);
  std::ranges::sort(Lines, std::greater(), [](const Line &Of) { return warmFigures(*Of.Highest).Peak; });
  std::string Text = "\noperators, each with its highest peak\n";
  for (std::size_t I = 0; I != std::min(Lines.size(), MostListedOperators); ++I)
    Text += format("  %12s  ", inUnits(warmFigures(*Lines[I].Highest).Peak).c_str()) +
            callName(Process.Operators[Lines[I].Highest->Operator], *Lines[I].Highest) + "  (" +
            several(Lines[I].Calls, "call") + ", " + several(Lines[I].Shapes, "shape") + ")\n";
  if (Lines.size() > MostListedOperators)
    Text += "  and " + grouped(Lines.size() - MostListedOperators) + " more\n";
  return Text;
}

static std::string groupSections(const RunRecord &Process, bool Full) {
  std::map<std::pair<std::uint32_t, std::vector<std::int64_t>>, std::size_t> ByShape;
  std::vector<Section> Sections; // in the order of their first calls
  for (const RunGroup &Group : Process.Groups) {
    if (isPhase(Process, Group))
      continue;
    const std::size_t At = ByShape.try_emplace({Group.Operator, Group.Shape}, Sections.size()).first->second;
    Sections.resize(std::max(Sections.size(), At + 1));
    Sections[At].push_back(&Group);
  }
  std::string Text;
  if (!Full && Sections.size() > MostBriefSections)
    Text += operatorsList(Process, Sections);
  const std::size_t More = keepLargest(Sections, Full ? MostSections : MostBriefSections, peakOf);
  for (const Section &Alike : Sections)
    if (Alike.size() > MostSettings)
      Text += foldedSection(Process, Alike);
    else
      for (const RunGroup *Group : Alike)
        Text += groupSection(Process, *Group);
  if (More)
    Text += "\nand " + grouped(More) +
            " more operators and shapes, with lower peaks: " + (Full ? "" : "--full shows them, ") +
            "--json lists them\n";
  return Text;
}

/// The text about a process in which no operator was called.
static std::string noOperators(const RunRecord &Process) {
  if (std::any_of(Process.Groups.begin(), Process.Groups.end(),
                  [&](const RunGroup &Group) { return !isPhase(Process, Group); }))
    return "";
  return "\n" +
         std::string(
             Process.CountsCalls
                 ? "no operator was called; name one with -fplugin-arg-memshape-operator=NAME, or all with '*'\n"
                 : "no operator was called: nothing here was compiled with -fplugin=memshape; --libraries says which "
                   "library holds what\n") +
         sitesTable(Process, Process.LiveSites, Process.Live, "what holds the heap at the end");
}

static std::string processSection(const Run &R, const RunRecord &Process) {
  std::string Text = peakLines(Process.Peak, Process.PeakError) + bytesLine("total", Process.Total) +
                     bytesLine("live at end", Process.Output) + countLine("allocations", Process.Allocations);
  if (Process.Reallocations)
    Text += countLine("reallocations", Process.Reallocations);
  for (std::uint32_t Space = 0; Space != Process.Spaces.size(); ++Space)
    if (const RunSpace &Held = Process.Spaces[Space]; Held.used()) {
      std::string Name = spaceName(Space);
      Text += bytesLine(Name + " peak", Held.Peak);
      if (Held.Output)
        Text += bytesLine(Name + " at end", Held.Output) + sitesTable(Process, Held.LiveSites, Held.Live, "held then");
    }
  if (std::uint64_t Resident = residentPeak(R, Process))
    Text += bytesLine("resident peak", Resident);
  return Text;
}

std::string runPage(const Run &R, bool Full) {
  std::string Text = "memshape run:";
  for (const std::string &Word : R.Command)
    Text += " " + oneLine(Word);
  Text += "  (" + endingText(R) + ")\n";
  std::int64_t Highest = 0;
  for (const RunRecord &Process : R.Processes)
    Highest = std::max(Highest, Process.Peak);
  std::int64_t Small = 0;
  for (const RunRecord &Process : R.Processes) {
    constexpr std::int64_t Hundredth = 100;
    if (!Full && &Process != ownProcess(R) && Process.Groups.empty() && Process.Peak < Highest / Hundredth) {
      ++Small;
      continue;
    }
    if (&Process != ownProcess(R))
      Text += "\nprocess " + std::to_string(Process.Pid) + ", " + baseName(Process.Program) + "\n";
    Text += processSection(R, Process) + storeLines(storesOf(R, Process.Pid)) + kernelSection(R, Process);
    Text += lastMoment(R, Process);
    Text += groupSections(Process, Full);
    if (&Process == ownProcess(R))
      Text += noOperators(Process);
    Text += phasesSection(Process) + poolsSection(Process);
  }
  if (Small)
    Text += "\nand " + grouped(Small) + (Small == 1 ? " process" : " processes") +
            " without operators, below 1 % of the highest peak: --full shows them\n";
  for (const StoreRecord &Each : storesOfOthers(R))
    Text += "\nprocess " + std::to_string(Each.pid) + "\n" + storeLines({Each});
  for (const std::string &Note : R.Notes)
    Text += "\nnote: " + oneLine(Note) + "\n";
  return Text;
}

} // namespace memshape
