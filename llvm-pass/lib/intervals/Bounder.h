// The bounds of values in one function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the interval of a value from its operands, and emits code that computes it. The code is inserted right before
// the place where the interval is needed; for a phi, phis of its bounds are made beside it. The interval of a value
// that is not data is the value itself.

#pragma once

#include "data-flow/DataFlow.h"
#include "intervals/Intervals.h"
#include "intervals/KnownComparisons.h"

namespace memshape {

class Bounder {
public:
  Bounder(llvm::Function &Fn, const DataFlow &D) : F(Fn), Flow(D), DT(Fn), Known(Fn, DT) {}

  /// What bounds are used for. Size and Count: a bound that only follows from a wide type does not count. Size:
  /// contents of arrays may be searched. Comparison: every bound counts.
  enum class Purpose { Size, Count, Comparison };
  /// The numbers that V can be at At. Steps: most values that are visited.
  Interval bounds(llvm::Value *V, bool Signed, llvm::Instruction &At, unsigned Steps, Purpose For);

  llvm::Function &function() { return F; }
  const DataFlow &flow() const { return Flow; }
  const llvm::DominatorTree &dominators() const { return DT; }

private:
  /// How deep operands are followed.
  static constexpr unsigned MostDepth = 40;
  using Key = std::pair<const llvm::PHINode *, unsigned>; ///< with its signedness

  Interval rangeOf(llvm::Value *V, bool Signed, llvm::Instruction &At, unsigned Depth);
  Interval computed(llvm::Value *V, bool Signed, llvm::Instruction &At, unsigned Depth);
  Interval ofSelect(llvm::SelectInst &I, bool Signed, llvm::Instruction &At, unsigned Depth);
  Interval ofPhi(llvm::PHINode &I, bool Signed, unsigned Depth);
  Interval refined(Interval X, llvm::Value *V, bool Signed, llvm::Instruction &At, llvm::ArrayRef<Comparison> Facts,
                   unsigned Depth);

  /// A real number: Between two integers, or no number at all.
  struct Real {
    Interval Between;
    bool NotANumber = true;
  };
  using RealFact = std::pair<const llvm::FCmpInst *, bool>; ///< a comparison, and whether it holds
  Real realRange(llvm::Value *V, llvm::Instruction &At, unsigned Depth);
  Real computedReal(llvm::Value *V, llvm::Instruction &At, unsigned Depth);
  Real realOfIntrinsic(llvm::IntrinsicInst &Call, llvm::Instruction &At, unsigned Depth);
  void refineReal(Real &X, const llvm::Value *V, const llvm::FCmpInst &Compare, bool Truth, llvm::Instruction &At,
                  unsigned Depth);

  /// What is read from an array of known extent at an index from data.
  Interval ofLoad(llvm::LoadInst &I, bool Signed, unsigned Depth);
  /// Lengths that functions of the C library return.
  Interval ofCall(llvm::CallBase &I, bool Signed, llvm::Instruction &At, unsigned Depth);
  /// X minus Y, where both point into one object.
  Interval distance(llvm::Value *X, llvm::Value *Y, llvm::Instruction &At, unsigned Depth);
  /// The bytes from Pointer to the end of its object, at most.
  Interval roomBehind(llvm::Value *Pointer, llvm::Instruction &At, unsigned Depth);
  /// The distance of Pointer from an object's start, in bytes; Pointer becomes the start. Step: a common divisor of the
  /// possible distances, 0 where there is one only.
  Interval steppedFrom(llvm::Value *&Pointer, uint64_t &Step, llvm::Instruction &At, unsigned Depth);
  Interval bytesOf(llvm::Value *Object, llvm::Instruction &At, unsigned Depth);

  llvm::Function &F;
  const DataFlow &Flow;
  llvm::DominatorTree DT;
  KnownComparisons Known;
  llvm::DenseMap<Key, Interval> Phis;
  llvm::DenseSet<Key> Endless;              ///< phis that turned out to have no upper bound
  Comparisons Assumed;                      ///< on the path that is being followed
  llvm::SmallVector<RealFact, 4> RealFacts; ///< the same of real numbers
  bool FoundEndless = false, Tables = false;
  unsigned MostBits = 0; ///< widest type whose own bounds count
  unsigned Room = 0;     ///< values that may still be visited
};

/// Whether V is an integer that intervals can represent.
bool canBeBounded(const llvm::Value *V);

} // namespace memshape
