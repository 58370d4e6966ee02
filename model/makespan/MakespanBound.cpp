// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/makespan/MakespanBound.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>

namespace memshape::scheduling {

using graph::Node;

namespace {

/// Shares of the memory are multiples of 1/Whole, rounded down: no more than they are, and steps of them are exact.
constexpr std::int64_t Whole = std::int64_t(1) << 40;

struct Shares {
  std::vector<double> Exact; ///< but for roundings
  std::vector<std::int64_t> Below;
};

Shares sharesOf(const Graph &Of, Bytes Memory) {
  Shares Found{std::vector<double>(Of.size(), 0), std::vector<std::int64_t>(Of.size(), 0)};
  if (Memory <= 0)
    return Found;
  for (Node Each = 0; Each < Of.size(); ++Each) {
    auto Holds = static_cast<double>(Bytes(Of[Each].Output) + Of[Each].Work); // rounded once, and not negative
    for (Node Input : Of.inputs(Each))
      Holds += static_cast<double>(Of[Input].Output) / static_cast<double>(Of.consumers(Input).size());
    Found.Exact[Each] = Holds / static_cast<double>(Memory);
    // Each of the sum's operations rounds up by half an epsilon at most.
    const double Rounded = static_cast<double>(Of.inputs(Each).size() + 4) * std::numeric_limits<double>::epsilon();
    Found.Below[Each] = static_cast<std::int64_t>(std::min(1.0, Found.Exact[Each] * (1 - Rounded)) * Whole);
  }
  return Found;
}

/// f_CCM in steps of Step, of a share.
double inSteps(std::int64_t Share, std::int64_t Step) {
  const auto Most = static_cast<double>(Whole / Step);
  if (2 * Share == Whole)
    return 0.5;
  if (2 * Share < Whole)
    return static_cast<double>(Share / Step) / Most;
  return 1 - static_cast<double>((Whole - Share) / Step) / Most;
}

/// Multiples of 1/64 up to a half, and for k = 2 to 15 the least of which k, but no more, fit together.
std::vector<std::int64_t> allSteps() {
  std::vector<std::int64_t> Steps;
  for (std::int64_t I = 1; I <= 32; ++I)
    Steps.push_back(I * (Whole / 64));
  for (std::int64_t Fit = 2; Fit < 16; ++Fit)
    Steps.push_back(Whole / (Fit + 1) + 1);
  return Steps;
}

class OneMachine {
public:
  explicit OneMachine(const Graph &Of) : Of(Of), Heads(Of.size(), 0), Tails(Of.size(), 0), ByHead(Of.size()) {}

  /// In a forest whose roots end last all of a node's subtree comes before it, and that keeps the machine busy; where
  /// roots begin first it comes after it. Other graphs stay as they are. Weights: of each node.
  void growWith(const std::vector<double> &Weights) {
    const std::vector<Node> &Order = Of.topological();
    std::vector<double> Sums(Of.size(), 0); // beside the node itself
    if (Of.isInForest()) {
      for (Node Each : Order) {
        for (Node Input : Of.inputs(Each))
          Sums[Each] += Sums[Input] + Weights[Input] * Of[Input].Time;
        Heads[Each] = std::max(Heads[Each], Sums[Each]);
      }
    } else if (Of.isOutForest()) {
      for (auto Each = Order.rbegin(); Each != Order.rend(); ++Each) {
        for (Node Consumer : Of.consumers(*Each))
          Sums[*Each] += Sums[Consumer] + Weights[Consumer] * Of[Consumer].Time;
        Tails[*Each] = std::max(Tails[*Each], Sums[*Each]);
      }
    }
  }

  /// Lets paths pass on heads and tails. Returns the longest way through a node.
  double close() {
    const std::vector<Node> &Order = Of.topological();
    for (Node Each : Order)
      for (Node Input : Of.inputs(Each))
        Heads[Each] = std::max(Heads[Each], Heads[Input] + Of[Input].Time);
    double Longest = 0;
    for (auto Each = Order.rbegin(); Each != Order.rend(); ++Each) {
      for (Node Consumer : Of.consumers(*Each))
        Tails[*Each] = std::max(Tails[*Each], Of[Consumer].Time + Tails[Consumer]);
      Longest = std::max(Longest, Heads[*Each] + Of[*Each].Time + Tails[*Each]);
    }
    return Longest;
  }

  void sortByHead() {
    std::iota(ByHead.begin(), ByHead.end(), Node(0));
    std::sort(ByHead.begin(), ByHead.end(),
              [&](Node Left, Node Right) { return std::pair(Heads[Left], Left) < std::pair(Heads[Right], Right); });
  }

  /// How long the machine takes, tails included. The nodes are sorted.
  template <class Weighing> double run(Weighing &&WeightOf) const {
    struct Job {
      double Tail, Left;
      bool operator<(const Job &Other) const { return Tail < Other.Tail; }
    };
    std::priority_queue<Job> Available;
    double Now = 0, Most = 0;
    const auto RunUntil = [&](double Then) {
      while (!Available.empty() && Now < Then) {
        Job Next = Available.top();
        Available.pop();
        if (Now + Next.Left > Then) {
          Next.Left -= Then - Now;
          Now = Then;
          Available.push(Next);
        } else {
          Now += Next.Left;
          Most = std::max(Most, Now + Next.Tail);
        }
      }
      Now = std::max(Now, Then);
    };
    for (Node Each : ByHead) {
      const double Busy = WeightOf(Each) * Of[Each].Time;
      if (Busy <= 0)
        continue;
      RunUntil(Heads[Each]);
      Available.push({Tails[Each], Busy});
    }
    RunUntil(std::numeric_limits<double>::infinity());
    return Most;
  }

private:
  const Graph &Of;
  std::vector<double> Heads, Tails;
  std::vector<Node> ByHead;
};

} // namespace

double makespanLowerBound(const Graph &Of, std::uint32_t Processors, Bytes Memory) {
  OneMachine Machine(Of);
  const double Longest = Machine.close();
  double Work = 0;
  for (Node Each = 0; Each < Of.size(); ++Each)
    Work += Of[Each].Time;

  const Shares Held = sharesOf(Of, Memory);
  Machine.growWith(std::vector<double>(Of.size(), 1.0 / Processors));
  Machine.growWith(Held.Exact);
  double Most = Machine.close();
  Machine.sortByHead();
  Most = std::max({Most, Machine.run([&](Node) { return 1.0 / Processors; }),
                   Machine.run([&](Node Each) { return Held.Exact[Each]; })});
  for (std::int64_t Step : allSteps())
    Most = std::max(Most, Machine.run([&](Node Each) { return inSteps(Held.Below[Each], Step); }));
  // A little less for what sums of doubles lose.
  return std::max({Longest, Work / Processors, Most * (1 - 1e-9)});
}

} // namespace memshape::scheduling
