// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/scheduling/Heuristics.h"
#include "model/graph/Graph.h"

#include <algorithm>
#include <queue>

namespace memshape::scheduling {

namespace {

/// Ready nodes by a rule that looks at what each leaves behind and what it needs.
class Greedy {
public:
  enum class Rule { LeavesLeast, NeedsLeast };

  Greedy(const Graph &Of, Rule By) : Of(Of), By(By), Waiting(Of.size()), Inputs(Of.size()), Leaves(Of.size()) {
    for (Node Each = 0; Each < Of.size(); ++Each) {
      Waiting[Each] = static_cast<std::uint32_t>(Of.consumers(Each).size());
      Inputs[Each] = static_cast<std::uint32_t>(Of.inputs(Each).size());
      Leaves[Each] = Of[Each].Output;
    }
    for (Node Each = 0; Each < Of.size(); ++Each)
      for (Node Input : Of.inputs(Each))
        if (Waiting[Input] == 1)
          Leaves[Each] -= Of[Input].Output;
  }

  std::vector<Node> order() {
    std::vector<bool> Ended(Of.size(), false);
    for (Node Each = 0; Each < Of.size(); ++Each)
      if (Inputs[Each] == 0)
        push(Each);
    std::vector<Node> Order;
    Order.reserve(Of.size());
    while (!Ready.empty()) {
      const Node Now = Ready.top().Of;
      Ready.pop();
      if (Ended[Now])
        continue; // an older entry, from before it left less
      Ended[Now] = true;
      Order.push_back(Now);
      for (Node Consumer : Of.consumers(Now))
        if (--Inputs[Consumer] == 0)
          push(Consumer);
      for (Node Input : Of.inputs(Now))
        if (--Waiting[Input] == 1)
          for (Node Last : Of.consumers(Input))
            if (!Ended[Last]) {
              Leaves[Last] -= Of[Input].Output;
              if (Inputs[Last] == 0)
                push(Last);
            }
    }
    return Order;
  }

private:
  struct Entry {
    Bytes First, Second;
    Node Of;
    bool operator<(const Entry &Other) const { // the least entry is on top
      return First != Other.First     ? First > Other.First
             : Second != Other.Second ? Second > Other.Second
                                      : Of > Other.Of;
    }
  };

  void push(Node Each) {
    const Bytes Needs = Bytes(Of[Each].Output) + Of[Each].Work;
    if (By == Rule::LeavesLeast)
      Ready.push({Leaves[Each], Needs, Each});
    else
      Ready.push({Leaves[Each] <= 0 ? 0 : Needs, Leaves[Each], Each});
  }

  const Graph &Of;
  Rule By;
  std::vector<std::uint32_t> Waiting, Inputs; ///< consumers that have not ended, inputs that have not ended
  std::vector<Bytes> Leaves;                  ///< output, less the inputs that end with the node
  std::priority_queue<Entry> Ready;
};

} // namespace

Postorder bestPostorder(const Graph &Of) {
  Postorder Found;
  Found.Peak.resize(Of.size());
  const auto Sort = [&](std::span<Node> Some) {
    std::sort(Some.begin(), Some.end(), [&](Node Left, Node Right) {
      const Bytes Frees = Found.Peak[Left] - Of[Left].Output, Other = Found.Peak[Right] - Of[Right].Output;
      return Frees != Other ? Frees > Other : Left < Right;
    });
  };
  std::vector<std::size_t> First = {0};
  std::vector<Node> Sorted;
  for (Node Each = 0; Each < Of.size(); ++Each) {
    Sorted.insert(Sorted.end(), Of.inputs(Each).begin(), Of.inputs(Each).end());
    First.push_back(Sorted.size());
  }
  for (Node Each : Of.topological()) {
    const std::span<Node> Inputs(Sorted.data() + First[Each], Of.inputs(Each).size());
    Sort(Inputs);
    Bytes Peak = Of.need(Each), Before = 0;
    for (Node Input : Inputs) {
      Peak = std::max(Peak, Before + Found.Peak[Input]);
      Before += Of[Input].Output;
    }
    Found.Peak[Each] = Peak;
    if (Of.consumers(Each).empty())
      Found.Roots.push_back(Each);
  }
  Sort(Found.Roots);
  Found.Inputs = graph::NodeLists(std::move(First), std::move(Sorted));
  return Found;
}

std::vector<Node> depthFirst(const Graph &Of) {
  const Postorder By = bestPostorder(Of);
  std::vector<std::size_t> Next(Of.size(), 0); // of a node's inputs
  std::vector<bool> Begun(Of.size(), false);
  std::vector<Node> Order, Stack;
  for (Node Root : By.Roots) {
    Stack.push_back(Root);
    Begun[Root] = true;
    while (!Stack.empty()) {
      const Node Now = Stack.back();
      if (Next[Now] == By.Inputs[Now].size()) {
        Order.push_back(Now);
        Stack.pop_back();
      } else if (const Node Input = By.Inputs[Now][Next[Now]++]; !Begun[Input]) {
        Begun[Input] = true;
        Stack.push_back(Input);
      }
    }
  }
  return Order;
}

std::vector<NamedOrder> simpleOrders(const Graph &Of) {
  std::vector<NamedOrder> Orders;
  const auto Add = [&](const char *Name, std::vector<Node> Order) {
    const Bytes Peak = peakOf(Of, Order);
    Orders.push_back({Name, std::move(Order), Peak});
  };
  Add("leaves-least", Greedy(Of, Greedy::Rule::LeavesLeast).order());
  Add("needs-least", Greedy(Of, Greedy::Rule::NeedsLeast).order());
  Add("depth-first", depthFirst(Of));
  Add("topological", Of.topological());
  return Orders;
}

} // namespace memshape::scheduling
