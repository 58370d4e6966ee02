//===- Intervals.h - Arithmetic on intervals, as IR -----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The least and the greatest number that a value can be, as two values of the skeleton: what follows from the shape is
// computed where the skeleton runs. Numbers are mathematical ones within (-2^62, 2^62), in 64 bits; beyond that there
// is no bound, and none comes back.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_INTERVALS_H
#define MEMSHAPE_INTERVALS_H

#include "llvm/IR/IRBuilder.h"

namespace memshape {

/// Both ends belong to it. Null: there is no end on this side. Where only a run tells that, Low is INT64_MIN or High
/// INT64_MAX.
struct Interval {
  llvm::Value *Low = nullptr, *High = nullptr;
  bool isAnything() const { return !Low && !High; }
};

/// Emits arithmetic at one place. Every result holds all that the operation can yield of numbers within the operands.
class IntervalArithmetic {
public:
  /// Types of more than MostBits bits bound nothing: what a reader calls bounded differs from what ends a loop.
  explicit IntervalArithmetic(llvm::IRBuilder<> &Builder, unsigned Most = 30) : B(Builder), MostBits(Most) {}

  Interval constant(int64_t Low, int64_t High) { return {B.getInt64(Low), B.getInt64(High)}; }
  Interval atLeast(int64_t Low) { return {B.getInt64(Low), nullptr}; }
  Interval atMost(int64_t High) { return {nullptr, B.getInt64(High)}; }
  /// What V, an integer of up to 64 bits, is when the skeleton runs.
  Interval exactly(llvm::Value *V, bool Signed);
  /// What Bits bits can hold; no bounds where these are too far away to be of use to a reader.
  Interval ofType(unsigned Bits, bool Signed);

  Interval add(Interval X, Interval Y);
  Interval subtract(Interval X, Interval Y);
  Interval multiply(Interval X, Interval Y);
  Interval shiftLeft(Interval X, Interval Amount);
  Interval shiftRight(Interval X, Interval Amount);
  /// Rounded towards zero.
  Interval divide(Interval X, Interval Y);
  Interval remainder(Interval X, Interval Y);
  /// Of numbers that are not negative.
  Interval bitAnd(Interval X, Interval Y);
  Interval bitOr(Interval X, Interval Y, bool IsXor);
  Interval minimum(Interval X, Interval Y);
  Interval maximum(Interval X, Interval Y);
  Interval magnitude(Interval X);

  Interval hull(Interval X, Interval Y);
  Interval meet(Interval X, Interval Y);
  /// One of them, as Condition says; it is an i1.
  Interval choose(llvm::Value *Condition, Interval X, Interval Y);

  /// X, computed in Bits bits that may wrap around.
  Interval wrapped(Interval X, unsigned Bits, bool Signed);
  /// The number that the same bits are in the other view, signed or not.
  Interval viewed(Interval X, unsigned Bits, bool Signed);

  /// An i1: all numbers of X are below all of Y.
  llvm::Value *isBelow(Interval X, Interval Y);

  /// Ends as numbers, with INT64_MIN and INT64_MAX for none.
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

#endif // MEMSHAPE_INTERVALS_H
