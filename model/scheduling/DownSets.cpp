//===- DownSets.cpp -------------------------------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/scheduling/DownSets.h"

#include <algorithm>
#include <bit>

namespace memshape::scheduling {

DownSets::DownSets(const Graph &Of)
    : Of(Of), Words((Of.size() + std::size_t(63)) / 64), Inputs(Words * Of.size()), Consumers(Words * Of.size()) {
  for (Node Each = 0; Each < Of.size(); ++Each) {
    for (Node Input : Of.inputs(Each))
      insert(&Inputs[Each * Words], Input);
    for (Node Consumer : Of.consumers(Each))
      insert(&Consumers[Each * Words], Consumer);
  }
}

bool DownSets::ready(const Word *Set, Node Each) const {
  const Word *Needed = &Inputs[Each * Words];
  for (std::size_t I = 0; I < Words; ++I)
    if (Needed[I] & ~Set[I])
      return false;
  return true;
}

Bytes DownSets::leaves(const Word *Set, Node Each) const {
  Bytes Left = Of[Each].Output;
  for (Node Input : Of.inputs(Each)) {
    // No consumer but this node is missing.
    const Word *Reading = &Consumers[Input * Words];
    int Missing = 0;
    for (std::size_t I = 0; I < Words && Missing < 2; ++I)
      Missing += std::popcount(Reading[I] & ~Set[I]);
    if (Missing == 1)
      Left -= Of[Input].Output;
  }
  return Left;
}

void DownSets::steps(const Word *Set, std::vector<Step> &Into) const {
  Into.clear();
  for (std::size_t I = 0; I < Words; ++I)
    for (Word Missing = ~Set[I]; Missing; Missing &= Missing - 1) {
      const auto Each = static_cast<Node>(I * 64 + static_cast<std::size_t>(std::countr_zero(Missing)));
      if (Each >= Of.size())
        return;
      if (ready(Set, Each))
        Into.push_back({Each, Bytes(Of[Each].Output) + Of[Each].Work, leaves(Set, Each)});
    }
}

void DownSets::runFreeSteps(Word *Set, Bytes &Live, Bytes Most, Bytes &Peak, std::vector<Node> *Ran) const {
  std::vector<Step> Next;
  for (bool Again = true; Again;) {
    Again = false;
    steps(Set, Next);
    for (const Step &Each : Next) {
      const Bytes Leaves = leaves(Set, Each.Of); // may have become less
      if (Leaves > 0 || Live + Each.Needs > Most)
        continue;
      Peak = std::max(Peak, Live + Each.Needs);
      Live += Leaves;
      insert(Set, Each.Of);
      if (Ran)
        Ran->push_back(Each.Of);
      Again = true;
    }
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
