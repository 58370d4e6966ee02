// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/scheduling/DownSets.h"

#include <algorithm>
#include <bit>

namespace memshape::scheduling {

DownSets::DownSets(const Graph &Of, Direction Going)
    : Of(Of), Going(Going), Words((Of.size() + std::size_t(63)) / 64), Empty(2 * Words) {
  for (Node Each = 0; Each < Of.size(); ++Each) {
    if (before(Each).empty())
      Empty[Words + Each / 64] |= Word(1) << (Each % 64);
    if (Going == Direction::Backward && Of.consumers(Each).empty())
      LiveAtFirst += Of[Each].Output;
  }
}

DownSets::Step DownSets::step(const Word *Set, Node Each) const {
  // The inputs that no other node reads later; backward: those that no node taken back reads.
  const bool Ended = Going == Direction::Forward;
  Bytes Alone = 0;
  for (Node Input : Of.inputs(Each)) {
    const auto Consumers = Of.consumers(Input);
    if (std::all_of(Consumers.begin(), Consumers.end(),
                    [&](Node Other) { return Other == Each || has(Set, Other) == Ended; }))
      Alone += Of[Input].Output;
  }
  const Bytes Output = Of[Each].Output, Work = Of[Each].Work;
  return Ended ? Step{Each, Output + Work, Output - Alone} : Step{Each, Alone + Work, Alone - Output};
}

void DownSets::steps(const Word *Set, std::vector<Step> &Into) const {
  Into.clear();
  for (std::size_t I = 0; I < Words; ++I)
    for (Word Ready = Set[Words + I]; Ready; Ready &= Ready - 1)
      Into.push_back(step(Set, static_cast<Node>(I * 64 + static_cast<std::size_t>(std::countr_zero(Ready)))));
}

void DownSets::runFreeSteps(Word *Set, Bytes Closed, Bytes &Live, Bytes Most, Bytes &Peak,
                            std::vector<Node> &Ran) const {
  const auto Try = [&](Node Ready) {
    const Step Each = step(Set, Ready);
    if (Each.Leaves > 0 || Live + Each.Needs > Most)
      return;
    Peak = std::max(Peak, Live + Each.Needs);
    Live += Each.Leaves;
    insert(Set, Ready);
    Ran.push_back(Ready);
  };
  const auto TryIfReady = [&](std::span<const Node> Some) {
    for (Node Each : Some)
      if (has(Set + Words, Each))
        Try(Each);
  };
  // A node that was not free is so now only if less is live, or if it is one of these neighbours of a node that ran.
  std::size_t Next = Ran.empty() ? 0 : Ran.size() - 1;
  while (Live < Closed || Next < Ran.size()) {
    if (Live < Closed) {
      Closed = Live;
      Next = Ran.size();
      for (std::size_t I = 0; I < Words; ++I)
        for (Word Ready = Set[Words + I]; Ready; Ready &= Ready - 1)
          Try(static_cast<Node>(I * 64 + static_cast<std::size_t>(std::countr_zero(Ready))));
    } else {
      const Node Last = Ran[Next++];
      TryIfReady(after(Last));
      for (Node Input : Of.inputs(Last))
        TryIfReady(Of.consumers(Input));
    }
  }
}

void DownSets::insert(Word *Set, Node Each) const {
  Set[Each / 64] |= Word(1) << (Each % 64);
  Set[Words + Each / 64] &= ~(Word(1) << (Each % 64));
  for (Node After : after(Each)) {
    const auto Needed = before(After);
    if (std::all_of(Needed.begin(), Needed.end(), [&](Node Other) { return has(Set, Other); }))
      Set[Words + After / 64] |= Word(1) << (After % 64);
  }
}

std::uint64_t DownSets::hash(const Word *Set) const {
  std::uint64_t Mixed = 0;
  for (std::size_t I = 0; I < Words; ++I) {
    Mixed = (Mixed ^ Set[I]) * 0x9E3779B97F4A7C15u;
    Mixed ^= Mixed >> 29;
  }
  return Mixed * 0xBF58476D1CE4E5B9u ^ Mixed >> 32;
}

bool DownSets::isFull(const Word *Set) const {
  std::size_t Count = 0;
  for (std::size_t I = 0; I < Words; ++I)
    Count += static_cast<std::size_t>(std::popcount(Set[I]));
  return Count == Of.size();
}

} // namespace memshape::scheduling
