// Tells the runtime of allocations and operator calls.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "memshape/Handover.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Module.h"

namespace memshape {

/// A function that tells the symbols and settings of a call from an operator's arguments, which it takes, too.
struct ShapeReader {
  llvm::Function *Function;              ///< behind the arguments: where to write symbols and settings, what may be
                                         ///< read; null where nothing tells
  std::vector<ParameterFact> Parameters; ///< that it tells, in its order
};
using ShapeReaders = llvm::DenseMap<const llvm::Function *, ShapeReader>; ///< by operator

/// Puts the hooks of runtime/include/memshape/hooks.h before every allocation and free of M and around its operators.
/// Readers tell the shapes of operators that take objects. Returns false when there was nothing to do.
bool insertHooks(llvm::Module &M, const ShapeReaders &Readers = ShapeReaders());

} // namespace memshape
