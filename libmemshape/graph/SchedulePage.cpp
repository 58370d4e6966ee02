// The page of memshape schedule.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/graph/GraphDocument.h"
#include "libmemshape/graph/Schedule.h"
#include "libmemshape/text/Figures.h"

namespace memshape {

constexpr std::size_t MostRows = 40; // of nodes; all of them are in the JSON

static std::string number(double Value) { return format("%.6g", Value); }

static std::string processorsOf(const ScheduleAnswer &Answer, graph::Node Each) {
  const scheduling::ProcessorRange On = Answer.On[Each];
  return On.Count == 1 ? "processor " + std::to_string(On.First)
                       : "processors " + std::to_string(On.First) + " to " + std::to_string(On.last());
}

static std::string edgeRows(const ScheduledEdges &Of, const std::vector<std::string> &Ids) {
  if (Of.Edges.empty())
    return "";
  std::vector<std::vector<std::string>> Rows;
  for (std::size_t I = 0; I < Of.Edges.size() && I < MostRows; ++I)
    Rows.push_back({shownId(Ids[Of.Edges[I].From]), "before " + shownId(Ids[Of.Edges[I].To])});
  return "\n  Edges\n" + aligned(Rows, {}, 4) +
         (Of.Edges.size() > MostRows
              ? "    and " + std::to_string(Of.Edges.size() - MostRows) + " more: --json has all\n"
              : "");
}

std::string schedulePage(const ScheduleAnswer &Answer, const std::vector<std::string> &Ids) {
  std::vector<std::vector<std::string>> Rows;
  Rows.push_back(bytesRow("peak", Answer.Peak, !Answer.LowerBound ? "" : Answer.Optimal ? "no order holds less" : ""));
  if (Answer.PeakOfOne)
    Rows.push_back(bytesRow("on each processor", *Answer.PeakOfOne, "at most"));
  for (std::size_t I = 0; I < Answer.PeakOfEach.size() && I < MostRows; ++I)
    Rows.push_back(bytesRow(("  processor " + std::to_string(I)).c_str(), Answer.PeakOfEach[I], "at most"));
  if (Answer.LowerBound && !Answer.Optimal)
    Rows.push_back(bytesRow("  at least", *Answer.LowerBound, "in every order"));
  if (Answer.Io)
    Rows.push_back(bytesRow("written", *Answer.Io,
                            std::to_string(Answer.Evictions.size()) +
                                (Answer.Evictions.size() == 1 ? " eviction" : " evictions") +
                                (Answer.WholeOutputs ? " of whole outputs" : "")));
  if (Answer.WorstParallel)
    Rows.push_back(bytesRow("in parallel", *Answer.WorstParallel, "at most, with any number of processors"));
  if (Answer.WorstParallelBound)
    Rows.push_back(
        bytesRow("in parallel", *Answer.WorstParallelBound, "no more than that, with any number of processors"));
  if (Answer.Edges)
    Rows.push_back(bytesRow("  with edges", Answer.Edges->Worst,
                            "at most, with " + std::to_string(Answer.Edges->Edges.size()) +
                                (Answer.Edges->Edges.size() == 1 ? " edge" : " edges") + " more"));
  std::string Text =
      std::to_string(Ids.size()) + (Ids.size() == 1 ? " node\n\n" : " nodes\n\n") + aligned(Rows, {1, 2}, 2);
  Text += "\n  method    " + Answer.Method + "\n";
  if (Answer.Makespan)
    Text += "  makespan  " + number(*Answer.Makespan) +
            (Answer.MakespanBound ? ", at least " + number(*Answer.MakespanBound) + " in every schedule" : "") + "\n";
  if (Answer.Edges)
    Text += "  longest   " + number(Answer.Edges->LongestPath) + " on a path, with the edges\n";
  Text += "\n  Order\n";
  std::vector<std::vector<std::string>> Nodes;
  for (std::size_t I = 0; I < Answer.Order.size() && I < MostRows; ++I) {
    const graph::Node Each = Answer.Order[I];
    Nodes.push_back({std::to_string(I + 1), shownId(Ids[Each])});
    if (Answer.Makespan) {
      Nodes.back().push_back("at " + number(Answer.Start[Each]));
      Nodes.back().push_back("on " + processorsOf(Answer, Each));
    }
  }
  Text += aligned(Nodes, {0}, 4);
  if (Answer.Order.size() > MostRows)
    Text += "    and " + std::to_string(Answer.Order.size() - MostRows) + " more: --json has all\n";
  if (!Answer.Evictions.empty()) {
    Text += "\n  Evictions\n";
    Nodes.clear();
    for (std::size_t I = 0; I < Answer.Evictions.size() && I < MostRows; ++I) {
      const ScheduledEviction &Each = Answer.Evictions[I];
      Nodes.push_back(
          {"after " + shownId(Ids[Each.After]), grouped(Each.Written) + " bytes", "of " + shownId(Ids[Each.Of])});
    }
    Text += aligned(Nodes, {1}, 4);
    if (Answer.Evictions.size() > MostRows)
      Text += "    and " + std::to_string(Answer.Evictions.size() - MostRows) + " more: --json has all\n";
  }
  if (Answer.Edges)
    Text += edgeRows(*Answer.Edges, Ids);
  for (std::size_t I = 0; I < Answer.Notes.size() && I < MostRows; ++I)
    Text += (I == 0 ? "\n  - " : "  - ") + Answer.Notes[I] + "\n";
  return Text;
}

} // namespace memshape
