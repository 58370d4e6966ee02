// What instructions make of intervals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "intervals/Intervals.h"
#include "intervals/KnownComparisons.h"

namespace memshape {

/// The range of an operand, as a signed or unsigned number.
using OperandRange = llvm::function_ref<Interval(llvm::Value *, bool Signed)>;

/// The range of I, an integer of up to 64 bits, from the ranges of its operands; the range of its type if I is no
/// arithmetic.
Interval intervalOf(IntervalArithmetic &A, llvm::Instruction &I, bool Signed, OperandRange Of);

/// The range that C implies for a value of so many bits, which is About, with the signedness About.ValueSigned, which
/// it may change. Nothing if it implies none.
std::optional<Interval> rangeImpliedBy(IntervalArithmetic &A, const Comparison &C, Comparison::About &About,
                                       unsigned Bits, OperandRange Of);

/// Matches operator new[]'s choice of SIZE_MAX where its product overflows, which is as good as unbounded. Returns the
/// product, or null.
llvm::Value *productOfNew(const llvm::SelectInst &I);

} // namespace memshape
