//===- IntervalOperations.h - What instructions make of intervals ---------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_INTERVALOPERATIONS_H
#define MEMSHAPE_INTERVALOPERATIONS_H

#include "intervals/Intervals.h"
#include "intervals/KnownComparisons.h"

namespace memshape {

/// The numbers that an operand can be, seen with a sign or without.
using OperandRange = llvm::function_ref<Interval(llvm::Value *, bool Signed)>;

/// What I, which yields an integer of up to 64 bits, makes of its operands by arithmetic alone; what its type can hold
/// where it is no arithmetic.
Interval intervalOf(IntervalArithmetic &A, llvm::Instruction &I, bool Signed, OperandRange Of);

/// What C says of a value of so many bits that it is About, in the view of About.ValueSigned, which it may change;
/// nothing where it says nothing.
std::optional<Interval> toldBy(IntervalArithmetic &A, const Comparison &C, Comparison::About &About, unsigned Bits,
                               OperandRange Of);

/// The choice of operator new[] between its product and SIZE_MAX, where that overflows: as good as no bound, which the
/// product has then. The product, or null.
llvm::Value *productOfNew(const llvm::SelectInst &I);

} // namespace memshape

#endif // MEMSHAPE_INTERVALOPERATIONS_H
