// Jobs that run one after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The best order of a part, whatever runs beside it, is a chain of blocks: between two blocks other jobs may run, within
// one there is no better moment for them (Abdel-Wahab, Kameda, Scheduling to minimize maximum cumulative cost subject to
// series-parallel precedence constraints, 1978).

#pragma once

#include "model/graph/Graph.h"

#include <utility>
#include <vector>

namespace memshape::series_parallel {

using graph::Bytes;

/// Sequences of jobs, each one a number: a job, or two sequences. What a number stands for never changes.
class Sequences {
public:
  explicit Sequences(std::uint32_t Jobs) : Jobs(Jobs) {}

  std::uint32_t joined(std::uint32_t Before, std::uint32_t After) {
    Pairs.emplace_back(Before, After);
    return Jobs + static_cast<std::uint32_t>(Pairs.size() - 1);
  }

  /// Calls Visit with each sequence in Of that IsItem says to look no deeper into, from the first to the last. A job is one.
  template <typename Test, typename Visitor> void walk(std::uint32_t Of, Test IsItem, Visitor Visit) const {
    std::vector<std::uint32_t> Open = {Of};
    while (!Open.empty()) {
      const std::uint32_t Now = Open.back();
      Open.pop_back();
      if (Now < Jobs || IsItem(Now)) {
        Visit(Now);
        continue;
      }
      Open.push_back(Pairs[Now - Jobs].second);
      Open.push_back(Pairs[Now - Jobs].first);
    }
  }

private:
  std::uint32_t Jobs;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> Pairs;
};

/// Jobs that follow each other: they rise by Up at most, and end Down below that.
struct Block {
  Bytes Up = 0, Down = 0;
  std::uint32_t Jobs = 0; ///< a sequence
  bool Presumes = false;  ///< has a job that is taken for the last consumer of an output

  Bytes net() const { return Up - Down; }
  bool falls() const { return Up < Down; }
  /// What ends below its beginning comes first, that with the least rise of all; then what falls furthest from its top.
  bool operator<(const Block &Other) const {
    if (falls() != Other.falls())
      return falls();
    return falls() ? Up < Other.Up : Down > Other.Down;
  }
};

Block joined(Sequences &In, const Block &Before, const Block &After);

/// Ascending blocks, no two equal but for what they presume.
using Chain = std::vector<Block>;

/// All of After come after all of Before: blocks that would rather change places become one.
void follow(Sequences &In, Chain &Before, const Chain &After);

/// The best order of jobs that need not wait for each other. Of equal blocks those that presume nothing come first.
Chain beside(Sequences &In, Chain All);

/// Whether Left is better than Right whatever runs beside them, of two chains of the same jobs of which one is at least as
/// good as the other everywhere.
bool isBetter(const Chain &Left, const Chain &Right);

} // namespace memshape::series_parallel
