// Arithmetic of sizes that can leave its type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// malloc(4 * w * h) with int w and h requests a size that has wrapped once 4 * w * h does not fit into 32 bits. From the
// bytes of each allocation the operands are followed back, through additions, products, shifts, conversions, choices and
// divisions. Beside each value on the way stands another one, its shadow: the number of the arithmetic that has left its
// type on the way to the value that was really taken, or 0. The runner gets the shadow of each size:
//
//     %a = mul i32 %w, %h                      %s = select i1 (umul.with.overflow %w, %h), i32 1, i32 0
//     %bytes = zext i32 %a to i64
//                                              call void @memshape_sk_wraps(i32 %s)
//     call ptr @memshape_sk_alloc(i64 %bytes, ...)
//
// So a size that a test has refused, and arithmetic that wraps on purpose and reaches no size, tell nothing. What is
// masked, or a remainder, is meant to be so. A difference may pass through numbers below zero. Memory is not followed.

#pragma once

#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Module.h"
#include <vector>

namespace memshape {

/// One place whose result can leave its type on the way to a size.
struct SizeWrap {
  llvm::DebugLoc Where;
  unsigned Bits = 0; ///< of the type
  bool IsSigned = false;
  std::vector<unsigned> Sites; ///< whose sizes it reaches, ascending
};

/// Tells the runner of sizes that have wrapped. The places, by the numbers that it is told, less one.
std::vector<SizeWrap> announceWraps(llvm::Module &M);

} // namespace memshape
