// Trees that assembly_tree has written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <random>
#include <string>

namespace memshape::graph {

/// The tree of a file: its number of nodes, then `parent output work time` for each, -1 for no parent. Nothing where the
/// file is not that. Shuffled: nodes get numbers at random, as those of a document in any order have.
inline std::optional<Graph> readTree(const std::string &Path, bool Shuffled = false) {
  std::ifstream File(Path);
  std::size_t Count = 0;
  if (!(File >> Count))
    return std::nullopt;
  std::vector<Node> Names(Count);
  std::iota(Names.begin(), Names.end(), Node(0));
  if (Shuffled)
    std::shuffle(Names.begin(), Names.end(), std::mt19937_64(1));
  std::vector<Task> Tasks(Count);
  std::vector<std::vector<Node>> Inputs(Count);
  for (Node At : Names) {
    long long Parent = -1;
    if (!(File >> Parent >> Tasks[At].Output >> Tasks[At].Work >> Tasks[At].Time) ||
        Parent >= static_cast<long long>(Count))
      return std::nullopt;
    if (Parent >= 0)
      Inputs[Names[static_cast<std::size_t>(Parent)]].push_back(At);
  }
  return Graph::make(std::move(Tasks), Inputs);
}

} // namespace memshape::graph
