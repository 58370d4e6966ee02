// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/graph/GraphDocument.h"
#include "libmemshape/graph/SchedulePictures.h"
#include "libmemshape/pictures/Axes.h"
#include "libmemshape/pictures/Escape.h"
#include "libmemshape/text/Figures.h"

#include <algorithm>
#include <map>

namespace memshape {

constexpr double Left = 150, Right = 744, Top = 8, Row = 15;
constexpr std::size_t MostRows = 100, MostParts = 4000;

/// The outputs that get a row: those that are live at the peak first, then those with most bytes times length.
static std::vector<graph::Node> drawn(const Course &In, std::size_t Nodes) {
  std::vector<double> Size(Nodes, 0);
  std::vector<bool> AtPeak(Nodes, false);
  for (const LivePart &Each : In.Parts) {
    Size[Each.Of] += static_cast<double>(Each.Held) * (Each.To - Each.From + 1e-12);
    if (isLiveAtPeak(In, Each))
      AtPeak[Each.Of] = true;
  }
  std::vector<graph::Node> Chosen;
  for (graph::Node Each = 0; Each < Nodes; ++Each)
    if (Size[Each] > 0)
      Chosen.push_back(Each);
  const auto Before = [&](graph::Node A, graph::Node B) {
    return AtPeak[A] != AtPeak[B] ? bool(AtPeak[A]) : Size[A] != Size[B] ? Size[A] > Size[B] : A < B;
  };
  std::sort(Chosen.begin(), Chosen.end(), Before);
  Chosen.resize(std::min(Chosen.size(), MostRows));
  return Chosen;
}

Chart livesChart(const Course &In, const ScheduleAnswer &Answer, const std::vector<std::string> &Ids) {
  Chart Drawn{
      "What is live when",
      "A bar for each output, from its birth to its death. Outputs that are live when most is held are coloured.",
      "",
      760,
      0,
      ""};
  const std::vector<graph::Node> Chosen = drawn(In, Ids.size());
  std::map<graph::Node, std::vector<const LivePart *>> Parts;
  for (graph::Node Each : Chosen)
    Parts[Each];
  std::size_t Count = 0;
  std::vector<bool> Seen(Ids.size(), false);
  std::size_t Live = 0;
  for (const LivePart &Each : In.Parts) {
    Live += !Seen[Each.Of];
    Seen[Each.Of] = true;
    if (const auto Found = Parts.find(Each.Of); Found != Parts.end() && Count++ < MostParts)
      Found->second.push_back(&Each);
  }
  const double Bottom = Top + Row * static_cast<double>(Chosen.size()) + 6;
  const Scale X{0, In.Length, Left, Right};
  double Y = Top;
  std::string Names;
  for (graph::Node Each : Answer.Order) {
    const auto Found = Parts.find(Each);
    if (Found == Parts.end() || Found->second.empty())
      continue;
    const std::uint64_t Whole = (*std::max_element(Found->second.begin(), Found->second.end(), [](auto *A, auto *B) {
                                  return A->Held < B->Held;
                                }))->Held;
    Names += label(Left - 8, Y + 11, shortened(shownId(Ids[Each]), 20), "end");
    for (const LivePart *Part : Found->second) {
      const double Height = std::max(11 * static_cast<double>(Part->Held) / static_cast<double>(Whole), 1.0);
      Drawn.Body += mark(shownId(Ids[Each]) + ": " + grouped(Part->Held) + (Part->Held == 1 ? " byte" : " bytes") +
                             " from " + shortNumber(Part->From) + " to " + shortNumber(Part->To),
                         rectangle(X.at(Part->From), Y + 13 - Height, std::max(X.at(Part->To) - X.at(Part->From), 1.0),
                                   Height, isLiveAtPeak(In, *Part) ? "band-0" : "rest"));
    }
    Y += Row;
  }
  if (!In.Steps.empty()) {
    const double At = X.at(In.Steps[In.Peak].From / 2 + In.Steps[In.Peak].To / 2);
    Drawn.Body = group("peak-mark", line(At, Top, At, Bottom)) + Drawn.Body;
  }
  Drawn.Body = numberAxis(X, Bottom, In.InTime ? "time" : "nodes that have run", !In.InTime) + group("names", Names) +
               Drawn.Body;
  Drawn.Height = Bottom + 40;
  if (Live > Chosen.size())
    Drawn.Note = grouped(Live - Chosen.size()) + " further outputs are not drawn: those that are live at the peak come "
                                                 "first, then those with most bytes for longest.";
  else if (Count > MostParts)
    Drawn.Note = "Outputs that are often evicted are not drawn to their end.";
  return Drawn;
}

} // namespace memshape
