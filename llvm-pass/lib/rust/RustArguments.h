// What lies behind the arguments of a Rust function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `v: &Vec<f64>` is a pointer to { capacity, pointer, length }: the symbol v.size, the tensor v, and v.spare, the
// elements that there is room for besides, 0 if not given. A vector that may grow or go, as `mut v: Vec<f64>` and
// `v: &mut Vec<f64>` may, has a block of its own. Of structures, numbers are symbols and settings, and vectors in them
// as above; what has no symbol, such as arrays of numbers, is data.

#pragma once

#include "arguments/PassedArguments.h"
#include "llvm/IR/Function.h"

namespace memshape {

/// Nothing where F is not of Rust, or where no argument leads to numbers or vectors. Fact: what is known of F's
/// arguments so far. An argument that leads elsewhere stays as it is there.
std::optional<PassedArguments> passedByRust(const llvm::Function &F, const OperatorFact &Fact);

} // namespace memshape
