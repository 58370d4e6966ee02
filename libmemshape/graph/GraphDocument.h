// memshape.graph/1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"
#include "model/graph/Graph.h"
#include "model/mapping/UnequalProcessors.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace memshape {

/// A node whose bytes an operator determines.
struct OperatorNode {
  graph::Node Of = 0;
  std::string File, Operator;
  std::map<std::string, std::int64_t> Shape;
  std::map<std::string, double> Settings;
  bool OutputGiven = false, WorkGiven = false; ///< by the document: they stand
};

struct GraphDocument {
  std::vector<std::string> Ids; ///< of nodes, in the order of the document
  std::vector<graph::Task> Tasks;
  graph::NodeLists Inputs;
  std::vector<OperatorNode> Operators;
  std::vector<graph::Edge> InPlace;                     ///< the output of To takes the place of that of From
  std::vector<scheduling::UnequalProcessor> Processors; ///< of their own; empty where they are all equal
};

/// More nodes are refused. A node takes some hundred bytes here.
constexpr std::size_t MostNodes = 4'000'000;

/// Fails where Text is no such document, or where its nodes are no graph: ids that are not known or come twice, cycles.
Result<GraphDocument> readGraph(std::string_view Text);

/// The graph of a document that was read, once all its bytes are known. Tasks and inputs leave the document.
std::optional<graph::Graph> takeGraph(GraphDocument &From);

/// An id as messages name it: quoted, cut off where it is long.
std::string shownId(const std::string &Id);

} // namespace memshape
