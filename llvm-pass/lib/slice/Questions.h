// What is asked of a finished slice.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "slice/Slice.h"

namespace memshape {

/// A comparison of a pointer with null.
struct PresenceTest {
  const llvm::CmpInst *Compare = nullptr;
  llvm::SmallVector<const llvm::Argument *, 2> Tensors; ///< that the pointer may lead to; never empty
  bool OneIsNull = false;                               ///< it is true where there is no tensor
  bool IsDecision = false;                              ///< the slice asks for its outcome
};

/// Whether V asks if there is a tensor, and which one.
std::optional<PresenceTest> presenceTest(const llvm::Instruction &I, const PointsTo &Memory);

/// Those that decide allocations, in the order of the module.
std::vector<PresenceTest> presenceTests(llvm::Module &M, const Slice &S, const PointsTo &Memory);

/// S keeps a read of what threads that the operator starts tell each other while they run.
bool dependsOnThreads(llvm::Module &M, const Slice &S, const PointsTo &Memory, ModRefIndex &Accesses);

} // namespace memshape
