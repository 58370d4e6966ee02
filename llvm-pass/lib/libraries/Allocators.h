// Calls that allocate and free.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own isAllocationFn depends on attributes that are missing at -O0, and never knows posix_memalign or the CUDA
// runtime. The documents of libraries/ say where a call keeps its size, alignment and block; what they do not name is
// an allocator where LLVM has it by its attribute allockind.

#pragma once

#include "libraries/reader/Allocator.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace memshape {

/// One call of an allocation function, taken apart.
struct AllocationCall {
  AllocationKind Kind = AllocationKind::Allocate;
  llvm::StringRef Name; ///< display name: "malloc", "operator new[]"
  Space In = Space::Host;
  llvm::Value *Size = nullptr;      ///< bytes, or the count of elements when Count is set
  llvm::Value *Count = nullptr;     ///< second factor of the size
  llvm::Value *Alignment = nullptr; ///< bytes
  llvm::Value *Block = nullptr;     ///< block of Reallocate and Release
  bool Zeroed = false;              ///< calloc
  bool ZeroBecomesOne = false;      ///< operator new(0) asks for one byte
  bool RoundsToAlignment = false;   ///< aligned operator new asks for a multiple of the alignment
};

/// Takes Call apart when its callee is a known allocation function that this module does not define itself.
std::optional<AllocationCall> allocationCall(llvm::CallBase &Call);

/// The space of what Call makes when its size is not for us to know, or memory does not come from a heap: only the
/// runtime counts it, and asks for its place in the source.
std::optional<Space> spaceOfUnsizedAllocation(const llvm::CallBase &Call);

} // namespace memshape
