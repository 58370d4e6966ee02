// What a size is made of, and where it can leave its type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace memshape {

/// Values that V's number is made of: where one has left its type, so has V. For an argument, what callers pass.
llvm::SmallVector<llvm::Value *, 4> partsOf(llvm::Value &V);

/// Numbers that Condition compares.
llvm::SmallVector<llvm::Value *, 4> comparedIn(llvm::Value &Condition);

/// Calls of F, whose callers are all known; none otherwise.
llvm::SmallVector<llvm::CallBase *, 4> callersOf(llvm::Function &F);

/// How a number is read by what widens it, or is done with it else. Both bits may be set.
enum Reading : unsigned { AsSigned = 1, AsUnsigned = 2 };

/// How V, which is read as How says, reads its parts.
unsigned readingOf(const llvm::Value &V, unsigned How);

/// How an instruction's result can leave its type.
struct Departure {
  unsigned Bits = 0;
  bool IsSigned = false;
  bool InBoth = false; ///< only where it leaves the signed and the unsigned type: 2^64 - 1 stands for -1, too
};

/// Nothing where I's result, which is read as How says, cannot be outside.
std::optional<Departure> departure(const llvm::Instruction &I, unsigned How);

/// Whether I's result is outside.
llvm::Value *hasDeparted(llvm::IRBuilderBase &B, llvm::Instruction &I, const Departure &How);

} // namespace memshape
