// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/graph/GraphDocument.h"
#include "libmemshape/graph/GraphReader.h"
#include "libmemshape/text/Try.h"

namespace memshape {

using graph::Node;

/// "a -> b -> a"; a long cycle by its first nodes.
static std::string cycleText(const std::vector<Node> &Cycle, const std::vector<std::string> &Ids) {
  constexpr std::size_t Most = 8;
  std::string Text;
  for (std::size_t I = 0; I < Cycle.size() && I < Most; ++I)
    Text += shownId(Ids[Cycle[I]]) + " -> ";
  return Text + (Cycle.size() > Most ? "... -> " : "") + shownId(Ids[Cycle.front()]);
}

/// What takes the place of another output is its only reader.
static std::optional<Failure> sharedPlace(const GraphDocument &Of) {
  if (Of.InPlace.empty())
    return std::nullopt;
  constexpr Node Nobody = UINT32_MAX;
  std::vector<Node> TakenBy(Of.Ids.size(), Nobody);
  for (const graph::Edge &Each : Of.InPlace)
    TakenBy[Each.From] = Each.To;
  for (Node Reader = 0; Reader < Of.Ids.size(); ++Reader)
    for (Node Input : Of.Inputs[Reader])
      if (TakenBy[Input] != Nobody && TakenBy[Input] != Reader)
        return Failure{"node " + shownId(Of.Ids[TakenBy[Input]]) + " takes the place of " + shownId(Of.Ids[Input]) +
                       ", which " + shownId(Of.Ids[Reader]) + " reads as well: let it take the place of a copy"};
  return std::nullopt;
}

Result<GraphDocument> readGraph(std::string_view Text) {
  GraphReader Reader;
  const bool Read = nlohmann::json::sax_parse(Text.begin(), Text.end(), &Reader);
  if (Reader.Wrong)
    return *Reader.Wrong;
  if (!Read || !Reader.Complete)
    return Failure{"it is not valid JSON"};
  constexpr Node Absent = UINT32_MAX;
  std::vector<Node> Position(Reader.Names.size(), Absent);
  for (std::size_t I = 0; I < Reader.Nodes.size(); ++I)
    Position[Reader.Nodes[I]] = static_cast<Node>(I);
  GraphDocument Made;
  Made.Ids.reserve(Reader.Nodes.size());
  for (std::size_t I = 0; I < Reader.Nodes.size(); ++I) {
    for (std::size_t J = Reader.First[I]; J < Reader.First[I + 1]; ++J) {
      Node &Input = Reader.Inputs[J];
      if (Position[Input] == Absent)
        return Failure{"node " + shownId(Reader.Names[Reader.Nodes[I]]) + " has the input " +
                       shownId(Reader.Names[Input]) + ", and no node has that id"};
      Input = Position[Input];
    }
  }
  for (Node Number : Reader.Nodes)
    Made.Ids.push_back(std::move(Reader.Names[Number]));
  Made.Tasks = std::move(Reader.Tasks);
  Made.Inputs = graph::NodeLists(std::move(Reader.First), std::move(Reader.Inputs));
  Made.Operators = std::move(Reader.Operators);
  Made.Processors = std::move(Reader.Processors);
  for (const graph::Edge &Each : Reader.InPlace)
    Made.InPlace.push_back({Position[Each.From], Each.To});
  if (const std::vector<Node> Cycle = cycleOf(Made.Inputs); !Cycle.empty())
    return Failure{"its nodes wait for each other in a circle: " + cycleText(Cycle, Made.Ids)};
  MEMSHAPE_CHECK(sharedPlace(Made));
  return Made;
}

std::optional<graph::Graph> takeGraph(GraphDocument &From) {
  for (const graph::Edge &Each : From.InPlace)
    graph::putInPlace(From.Tasks, Each.To, Each.From);
  return graph::Graph::make(std::move(From.Tasks), std::move(From.Inputs));
}

} // namespace memshape
