// Tasks that run, by when they end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"

#include <queue>

namespace memshape::scheduling {

using graph::Node;

/// A node at a time or of a weight; the least comes first, and of equal ones the least node.
struct TimedNode {
  double Of;
  Node Is;
  bool operator<(const TimedNode &Other) const { return Of != Other.Of ? Of > Other.Of : Is > Other.Is; }
};

/// What runs on several processors.
class RunningTasks {
public:
  bool empty() const { return Queue.empty(); }

  void start(Node Each, double End) { Queue.push({End, Each}); }

  /// The next instant at which a task ends. One must run.
  double next() const { return Queue.top().Of; }

  /// Goes on to the next instant at which a task ends, calls End(node) for all that end then, and returns it. One must
  /// run.
  template <class Ending> double goOn(Ending &&End) {
    const double Now = Queue.top().Of;
    while (!Queue.empty() && Queue.top().Of <= Now) {
      const Node Ended = Queue.top().Is;
      Queue.pop();
      End(Ended);
    }
    return Now;
  }

private:
  std::priority_queue<TimedNode> Queue;
};

} // namespace memshape::scheduling
