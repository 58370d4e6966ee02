// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/graph/GraphDocument.h"
#include "libmemshape/graph/SchedulePictures.h"
#include "libmemshape/pictures/Axes.h"
#include "libmemshape/pictures/Page.h"
#include "libmemshape/text/Figures.h"

#include <algorithm>
#include <iterator>

namespace memshape {

namespace {

constexpr std::size_t MostRows = 200;

struct MethodWords {
  const char *Name, *Words;
};
constexpr MethodWords Methods[] = {
    {"liu", "Liu's optimal order of trees"},
    {"series-parallel", "the optimal order of series-parallel graphs"},
    {"search", "a search over all sets of ended nodes"},
    {"beam", "the best sets of ended nodes after each number of nodes"},
    {"leaves-least", "a rule: the node that leaves least runs next"},
    {"needs-least", "a rule: the node that needs least runs next"},
    {"depth-first", "a rule: depth first"},
    {"topological", "a topological order"},
    {"list-longest-path", "a list schedule: nodes with the longest path to the end first"},
    {"list-in-order", "a list schedule: nodes in the sequential order of least memory"},
    {"list-ahead", "a list schedule in that order, in which a node starts only if few that come before it wait"},
    {"heft-longest-path", "where a node ends first and the memory suffices: nodes with the longest path first"},
    {"heft-in-order", "where a node ends first and the memory suffices: nodes in the sequential order of least memory"},
    {"one-processor", "all nodes on the fastest processor that holds them"},
    {"all-to-all", "the best postorder, each node on all processors"},
    {"proportional", "subtrees on processors in proportion to their work"},
    {"memory-aware", "subtrees on processors in proportion to their work where the memory suffices"}};

/// A method without words goes by its name.
std::string wordsOf(const std::string &Method) {
  const auto *Found = std::find_if(std::begin(Methods), std::end(Methods),
                                   [&](const MethodWords &Each) { return Method == Each.Name; });
  return Found == std::end(Methods) ? Method : std::string(Found->Words) + " (" + Method + ")";
}

std::vector<std::pair<std::string, std::string>> factsOf(const ScheduleAnswer &Answer,
                                                         std::optional<std::uint64_t> Memory) {
  std::vector<std::pair<std::string, std::string>> Rows = {{"peak", withBytes(Answer.Peak)}};
  if (Answer.LowerBound && Answer.Optimal)
    Rows.emplace_back("lower bound", "no order holds less: this is proved");
  else if (Answer.LowerBound)
    Rows.emplace_back("lower bound", "every order holds at least " + withBytes(*Answer.LowerBound) +
                                         "; whether one holds less than this is open");
  if (Answer.PeakOfOne)
    Rows.emplace_back("on each processor", "at most " + withBytes(*Answer.PeakOfOne));
  if (Memory)
    Rows.emplace_back("memory",
                      withBytes(*Memory) + (Answer.PeakOfOne ? " of each processor" : "") + ", never exceeded");
  Rows.emplace_back("found by", wordsOf(Answer.Method));
  if (Answer.Makespan)
    Rows.emplace_back(
        "makespan",
        shortNumber(*Answer.Makespan) +
            (Answer.MakespanBound ? "; no schedule takes less than " + shortNumber(*Answer.MakespanBound) : ""));
  if (Answer.Io)
    Rows.emplace_back("written", withBytes(*Answer.Io) + " in " + several(Answer.Evictions.size(), "eviction") +
                                     (Answer.WholeOutputs ? " of whole outputs" : ""));
  if (Answer.WorstParallel)
    Rows.emplace_back("in parallel", "at most " + withBytes(*Answer.WorstParallel) + " with any number of processors");
  if (Answer.WorstParallelBound)
    Rows.emplace_back("in parallel",
                      "no more than " + withBytes(*Answer.WorstParallelBound) + " with any number of processors");
  if (Answer.Edges)
    Rows.emplace_back("with edges", "no more than " + withBytes(Answer.Edges->Worst) + " with " +
                                        several(Answer.Edges->Edges.size(), "edge") +
                                        " more; the longest path is then " + shortNumber(Answer.Edges->LongestPath));
  return Rows;
}

std::string processorWords(scheduling::ProcessorRange On) {
  return std::to_string(On.First) + (On.Count == 1 ? "" : " to " + std::to_string(On.last()));
}

std::string orderTable(const graph::Graph &Of, const ScheduleAnswer &Answer, const std::vector<std::string> &Ids) {
  std::vector<std::string> Titles = {"", "node", "output bytes", "work bytes"};
  std::vector<bool> Right = {true, false, true, true};
  if (Answer.Makespan) {
    Titles.insert(Titles.end(), {"start", "processor"});
    Right.insert(Right.end(), {true, true});
  }
  std::vector<std::vector<std::string>> Rows;
  for (std::size_t I = 0; I < Answer.Order.size() && I < MostRows; ++I) {
    const graph::Node Each = Answer.Order[I];
    Rows.push_back({std::to_string(I + 1), shownId(Ids[Each]), grouped(Of[Each].Output), grouped(Of[Each].ownWork())});
    if (Answer.Makespan)
      Rows.back().insert(Rows.back().end(), {shortNumber(Answer.Start[Each]), processorWords(Answer.On[Each])});
  }
  return foldedTable(tableTitle(MostRows, Answer.Order.size(), "nodes in order", "All nodes in order"), Titles, Rows,
                     Right);
}

/// That of all processors.
std::optional<std::uint64_t> wholeMemory(const ScheduleAnswer &Answer, std::optional<std::uint64_t> Memory) {
  std::uint64_t Processors = 1;
  if (Answer.PeakOfOne)
    for (const scheduling::ProcessorRange &Each : Answer.On)
      Processors = std::max<std::uint64_t>(Processors, Each.last() + 1);
  return Memory && *Memory <= INT64_MAX / Processors ? std::optional(*Memory * Processors) : std::nullopt;
}

std::string evictionTable(const ScheduleAnswer &Answer, const std::vector<std::string> &Ids) {
  if (Answer.Evictions.empty())
    return "";
  std::vector<std::vector<std::string>> Rows;
  for (std::size_t I = 0; I < Answer.Evictions.size() && I < MostRows; ++I) {
    const ScheduledEviction &Each = Answer.Evictions[I];
    Rows.push_back({shownId(Ids[Each.After]), shownId(Ids[Each.Of]), grouped(Each.Written)});
  }
  return foldedTable(tableTitle(MostRows, Answer.Evictions.size(), "evictions", "All evictions"),
                     {"after", "of the output of", "bytes written"}, Rows, {false, false, true});
}

std::string edgeTable(const ScheduleAnswer &Answer, const std::vector<std::string> &Ids) {
  if (!Answer.Edges || Answer.Edges->Edges.empty())
    return "";
  const std::vector<graph::Edge> &Edges = Answer.Edges->Edges;
  std::vector<std::vector<std::string>> Rows;
  for (std::size_t I = 0; I < Edges.size() && I < MostRows; ++I)
    Rows.push_back({shownId(Ids[Edges[I].From]), shownId(Ids[Edges[I].To])});
  return foldedTable(tableTitle(MostRows, Edges.size(), "edges", "All edges that keep the memory"),
                     {"ends", "before this begins"}, Rows, {false, false});
}

} // namespace

std::string scheduleHtml(const graph::Graph &Of, const ScheduleAnswer &Answer, std::optional<std::uint64_t> Memory,
                         const std::vector<std::string> &Ids) {
  const Course In = courseOf(Of, Answer);
  std::string Body =
      paragraph(several(Ids.size(), "node")) + facts(factsOf(Answer, Memory)) +
      notes({Answer.Notes.begin(),
             Answer.Notes.begin() + static_cast<std::ptrdiff_t>(std::min(Answer.Notes.size(), MostRows))}) +
      figure(memoryChart(In, Answer, wholeMemory(Answer, Memory), Ids), "memory");
  if (Answer.Makespan)
    Body += figure(ganttChart(Answer, Ids), "processors");
  Body += figure(livesChart(In, Answer, Ids), "lives") + orderTable(Of, Answer, Ids) + evictionTable(Answer, Ids) +
          edgeTable(Answer, Ids);
  return picturePage("Schedule of a graph", Body);
}

std::string scheduleSvg(const graph::Graph &Of, const ScheduleAnswer &Answer, std::optional<std::uint64_t> Memory,
                        const std::vector<std::string> &Ids) {
  return chartFile(memoryChart(courseOf(Of, Answer), Answer, wholeMemory(Answer, Memory), Ids));
}

} // namespace memshape
