// Which writes come before a read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory/WriteOrder.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace memshape {

/// Blocks that all questions together may walk over (some 10 ns each); behind that every write can reach every read.
static constexpr uint64_t MostSteps = 20'000'000;

WriteOrder::WriteOrder(const Function &Root) {
  for (const BasicBlock &BB : Root)
    Numbers.try_emplace(&BB, Numbers.size());
}

const WriteOrder::Markers &WriteOrder::markersOf(const Instruction &Origin) {
  auto [At, New] = Lifetimes.try_emplace(&Origin);
  if (New)
    for (const User *U : Origin.users())
      if (const auto *I = dyn_cast<Instruction>(U); I && I->isLifetimeStartOrEnd())
        At->second[I->getParent()].push_back(I);
  return At->second;
}

const BitVector &WriteOrder::reachedFrom(Block Start, const Instruction &Origin, const Markers &Ends) {
  auto [At, New] = Reached.try_emplace({Start, Ends.empty() ? nullptr : &Origin}, BitVector(Numbers.size()));
  SmallVector<Block, 32> Work;
  if (New)
    Work.push_back(Start);
  while (!Work.empty()) {
    for (Block Next : successors(Work.pop_back_val())) {
      const unsigned Number = Numbers.lookup(Next);
      if (At->second.test(Number))
        continue;
      At->second.set(Number);
      ++Steps;
      if (!Ends.contains(Next))
        Work.push_back(Next);
    }
  }
  return At->second;
}

bool WriteOrder::canReach(const Instruction &From, const Instruction &To, const Instruction &Origin) {
  const BasicBlock *First = From.getParent(), *Last = To.getParent();
  if (&From == &To || Steps > MostSteps || !Numbers.contains(First) || !Numbers.contains(Last))
    return true;
  const Markers &Ends = markersOf(Origin);
  const auto EndBetween = [&](Block In, const Instruction *After, const Instruction *Before) {
    auto Here = Ends.find(In);
    return Here != Ends.end() && any_of(Here->second, [&](const Instruction *End) {
             return (!After || After->comesBefore(End)) && (!Before || End->comesBefore(Before));
           });
  };
  if (First == Last && From.comesBefore(&To) && !EndBetween(First, &From, &To))
    return true;
  return !EndBetween(First, &From, nullptr) && !EndBetween(Last, nullptr, &To) &&
         reachedFrom(First, Origin, Ends).test(Numbers.lookup(Last));
}

} // namespace memshape
