// Arithmetic on intervals, as IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The least and the greatest number that a value can be, as two values of the skeleton, so that they may depend on the
// shape. Numbers are mathematical integers within (-2^62, 2^62), in 64 bits. A bound that leaves this range is lost for
// good.

#pragma once

#include "llvm/IR/IRBuilder.h"

namespace memshape {

/// Both ends are included. Null: unbounded on this side. Where that is known only at run time, Low is INT64_MIN or High
/// is INT64_MAX.
struct Interval {
  llvm::Value *Low = nullptr, *High = nullptr;
  bool isAnything() const { return !Low && !High; }
};

/// Emits arithmetic at one place. Each result contains all that the operation can yield for numbers in its operands.
class IntervalArithmetic {
public:
  /// Types of more than MostBits bits do not count as a bound.
  explicit IntervalArithmetic(llvm::IRBuilder<> &Builder, unsigned Most = 30) : B(Builder), MostBits(Most) {}

  Interval constant(int64_t Low, int64_t High) { return {B.getInt64(Low), B.getInt64(High)}; }
  Interval atLeast(int64_t Low) { return {B.getInt64(Low), nullptr}; }
  Interval atMost(int64_t High) { return {nullptr, B.getInt64(High)}; }
  /// The interval that contains only V, an integer of up to 64 bits, as computed by the skeleton.
  Interval exactly(llvm::Value *V, bool Signed);
  /// The range of Bits bits; unbounded if that is too wide to be useful.
  Interval ofType(unsigned Bits, bool Signed);

  Interval add(Interval X, Interval Y);
  Interval subtract(Interval X, Interval Y);
  Interval multiply(Interval X, Interval Y);
  Interval shiftLeft(Interval X, Interval Amount);
  Interval shiftRight(Interval X, Interval Amount);
  /// Rounded towards zero.
  Interval divide(Interval X, Interval Y);
  Interval remainder(Interval X, Interval Y);
  /// For numbers that are not negative.
  Interval bitAnd(Interval X, Interval Y);
  Interval bitOr(Interval X, Interval Y, bool IsXor);
  Interval minimum(Interval X, Interval Y);
  Interval maximum(Interval X, Interval Y);
  Interval magnitude(Interval X);

  Interval hull(Interval X, Interval Y);
  Interval meet(Interval X, Interval Y);
  /// One of both, depending on Condition, an i1.
  Interval choose(llvm::Value *Condition, Interval X, Interval Y);

  /// X, computed in Bits bits that may wrap around.
  Interval wrapped(Interval X, unsigned Bits, bool Signed);
  /// The same bits in the other signedness.
  Interval viewed(Interval X, unsigned Bits, bool Signed);

  /// An i1: whether all numbers of X are below all of Y.
  llvm::Value *isBelow(Interval X, Interval Y);
  /// An i1: whether a number of X can be above zero.
  llvm::Value *canBePositive(Interval X);

  /// Ends as numbers; INT64_MIN and INT64_MAX if unbounded.
  llvm::Value *lowOf(Interval X);
  llvm::Value *highOf(Interval X);

private:
  llvm::Value *least(llvm::Value *X, llvm::Value *Y);
  llvm::Value *greatest(llvm::Value *X, llvm::Value *Y);
  llvm::Value *tidyLow(llvm::Value *V);
  llvm::Value *tidyHigh(llvm::Value *V);
  llvm::Value *saturated(llvm::Intrinsic::ID Operation, llvm::Value *X, llvm::Value *Y);
  llvm::Value *product(llvm::Value *X, llvm::Value *Y);
  llvm::Value *isNatural(Interval X);

  llvm::IRBuilder<> &B;
  const unsigned MostBits;
};

} // namespace memshape
