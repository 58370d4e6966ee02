// The type under which memory is accessed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C and C++ read an object under the type under which it was written (strict aliasing). Type-based alias analysis
// compares two accesses; here the type travels with the bytes through any number of copies: pointers stay pointers, and
// numbers copied into memory without pointers become any numbers, for programs copy them to look at their bytes.

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Metadata.h"

namespace memshape {

/// A scalar type of the source (a node of LLVM's tree of types); null where it is not known.
using AccessType = const llvm::MDNode *;

/// The type under which the load or store I accesses memory.
AccessType accessType(const llvm::Instruction &I);

/// T is the type of the pointer to an object's virtual functions.
bool isVTablePointer(AccessType T);

/// What was written as One can be read as Other.
bool mayBeOne(AccessType One, AccessType Other);

/// The type of bytes written as T after Copy has copied Bytes bytes, 0 for an unknown number: small copies reinterpret
/// (std::bit_cast); larger ones move, and so do assignments of structures.
AccessType afterCopy(AccessType T, const llvm::Instruction &Copy, uint64_t Bytes);

/// The type of bytes of a number that may be looked at as any other: of its bytes, its bits, its halves.
AccessType asNumber(AccessType T, llvm::LLVMContext &C);

/// The types under which some bytes are written, or wanted.
class AccessTypes {
  llvm::SmallVector<AccessType, 2> Types; ///< null alone: any

public:
  /// False if T was among them.
  bool add(AccessType T);
  bool mayBe(AccessType T) const;
  bool areAny() const { return Types.size() == 1 && !Types.front(); }
  llvm::SmallVector<AccessType, 2> list() const { return Types; }
};

} // namespace memshape
