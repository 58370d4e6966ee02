//===- Bounder.h - The bounds of values in one function -------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the interval of a value by what it is computed from, and emits it. What is emitted stands right before the
// place where it is asked for; a phi has phis of its bounds beside it. Values that are not data are what they are when
// the skeleton runs.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_BOUNDER_H
#define MEMSHAPE_BOUNDER_H

#include "data-flow/DataFlow.h"
#include "intervals/Intervals.h"
#include "intervals/KnownComparisons.h"

namespace memshape {

class Bounder {
public:
  Bounder(llvm::Function &Fn, const DataFlow &D) : F(Fn), Flow(D), DT(Fn), Known(Fn, DT) {}

  /// For what bounds are wanted. A size or a count: what no more than a wide type bounds has no bound. A size: contents
  /// of arrays may be looked through. A comparison: every bound counts.
  enum class Purpose { Size, Count, Comparison };
  /// The numbers that V can be at At. Steps: values that are looked at for it.
  Interval bounds(llvm::Value *V, bool Signed, llvm::Instruction &At, unsigned Steps, Purpose For);

  llvm::Function &function() { return F; }
  const DataFlow &flow() const { return Flow; }
  const llvm::DominatorTree &dominators() const { return DT; }

private:
  using Key = std::pair<const llvm::PHINode *, unsigned>; ///< seen with a sign or without

  Interval rangeOf(llvm::Value *V, bool Signed, llvm::Instruction &At, unsigned Depth);
  Interval computed(llvm::Value *V, bool Signed, llvm::Instruction &At, unsigned Depth);
  Interval ofSelect(llvm::SelectInst &I, bool Signed, llvm::Instruction &At, unsigned Depth);
  Interval ofPhi(llvm::PHINode &I, bool Signed, unsigned Depth);
  Interval refined(Interval X, llvm::Value *V, bool Signed, llvm::Instruction &At, llvm::ArrayRef<Comparison> Facts,
                   unsigned Depth);

  /// What is read from an array of known extent at an index from data.
  Interval ofLoad(llvm::LoadInst &I, bool Signed, unsigned Depth);
  /// Lengths that a function of the C library finds.
  Interval ofCall(llvm::CallBase &I, bool Signed, llvm::Instruction &At, unsigned Depth);
  /// X minus Y, where both point into one object.
  Interval distance(llvm::Value *X, llvm::Value *Y, llvm::Instruction &At, unsigned Depth);
  /// The bytes from Pointer to the end of its object, at most.
  Interval roomBehind(llvm::Value *Pointer, llvm::Instruction &At, unsigned Depth);
  /// How far behind an object's start, in bytes, Pointer is; Pointer becomes what the steps start from. Step: what the
  /// distances between places are multiples of, 0 where there is one place.
  Interval steppedFrom(llvm::Value *&Pointer, uint64_t &Step, llvm::Instruction &At, unsigned Depth);
  Interval bytesOf(llvm::Value *Object, llvm::Instruction &At, unsigned Depth);

  llvm::Function &F;
  const DataFlow &Flow;
  llvm::DominatorTree DT;
  KnownComparisons Known;
  llvm::DenseMap<Key, Interval> Phis;
  llvm::DenseSet<Key> Endless; ///< phis of which it turned out that they have no upper bound
  Comparisons Assumed;         ///< on the way that is being looked at
  bool FoundEndless = false, Tables = false;
  unsigned MostBits = 0; ///< of types whose own bounds count
  unsigned Room = 0;     ///< values that may still be looked at
};

/// V is an integer whose numbers intervals can hold.
bool canBeBounded(const llvm::Value *V);

} // namespace memshape

#endif // MEMSHAPE_BOUNDER_H
