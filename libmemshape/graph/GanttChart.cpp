// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/graph/GraphDocument.h"
#include "libmemshape/graph/SchedulePictures.h"
#include "libmemshape/pictures/Axes.h"
#include "libmemshape/text/Figures.h"

#include <algorithm>

namespace memshape {

namespace {

constexpr double Left = 84, Right = 744, Top = 8, Row = 26;
constexpr double Narrow = 3; ///< pixels; narrower bars are joined with their neighbours
constexpr std::uint32_t MostRows = 16;

/// One node, or several that would be too narrow.
struct Bar {
  double From = 0, To = 0;
  graph::Node First = 0;
  std::size_t Nodes = 0;
};

class Gantt {
public:
  Gantt(const Scale &X, const std::vector<std::string> &Ids) : X(X), Ids(Ids) {}

  void add(std::uint32_t Processor, Bar &Open, double From, double To, graph::Node Node) {
    const bool Joins =
        Open.Nodes > 0 && X.at(Open.To) - X.at(Open.From) < Narrow && X.at(To) - X.at(Open.From) <= Narrow;
    if (Joins) {
      Open.To = To;
      ++Open.Nodes;
      Joined = true;
      return;
    }
    draw(Processor, Open);
    Open = {From, To, Node, 1};
  }

  void draw(std::uint32_t Processor, const Bar &Done) {
    if (Done.Nodes == 0)
      return;
    const double Y = Top + Row * Processor, At = X.at(Done.From), Width = std::max(X.at(Done.To) - At, 0.5);
    const std::string Name = Done.Nodes == 1 ? shownId(Ids[Done.First])
                                             : grouped(Done.Nodes) + " nodes from " + shownId(Ids[Done.First]) + " on";
    std::string Shape = rectangle(At, Y, Width, Row - 6, Done.Nodes == 1 ? "band-0" : "rest");
    if (Done.Nodes == 1 && 7 * static_cast<double>(Name.size()) < Width)
      Shape += label(At + Width / 2, Y + 14, Name, "middle");
    Bars += mark(Name + " on processor " + std::to_string(Processor) + " from " + shortNumber(Done.From) + " to " +
                     shortNumber(Done.To),
                 Shape);
  }

  std::string Bars;
  bool Joined = false;

private:
  const Scale &X;
  const std::vector<std::string> &Ids;
};

} // namespace

Chart ganttChart(const ScheduleAnswer &Answer, const std::vector<std::string> &Ids) {
  std::uint32_t Processors = 0;
  for (graph::Node Each : Answer.Order)
    Processors = std::max(Processors, Answer.On[Each].last() + 1);
  const std::uint32_t Rows = std::min(Processors, MostRows);
  Chart Drawn{"Which node runs where",
              "A row for each of " + grouped(Processors) + " processors, with the nodes that it runs.",
              "",
              760,
              0,
              ""};
  const Scale X{0, shownTime(*Answer.Makespan), Left, Right};
  Gantt Into(X, Ids);
  std::vector<Bar> Open(Rows);
  for (graph::Node Each : Answer.Order)
    for (std::uint32_t On = Answer.On[Each].First; On <= Answer.On[Each].last() && On < Rows; ++On)
      Into.add(On, Open[On], shownTime(Answer.Start[Each]), shownTime(Answer.End[Each]), Each);
  std::string Names;
  for (std::uint32_t On = 0; On < Rows; ++On) {
    Into.draw(On, Open[On]);
    Names += label(Left - 6, Top + Row * On + 14, "processor " + std::to_string(On), "end");
  }
  const double Bottom = Top + Row * Rows + 2;
  Drawn.Body = numberAxis(X, Bottom, "time", false) + group("names", Names) + Into.Bars;
  Drawn.Height = Bottom + 40;
  if (Into.Joined)
    Drawn.Note = "Nodes too short to be seen are joined with their neighbours.";
  if (Processors > Rows)
    Drawn.Note +=
        std::string(Drawn.Note.empty() ? "" : " ") + grouped(Processors - Rows) + " further processors are not drawn.";
  return Drawn;
}

} // namespace memshape
