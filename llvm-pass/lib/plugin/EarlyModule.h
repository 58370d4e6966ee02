//===- EarlyModule.h - The module before loops are unrolled and vectorised ===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Skeletons describe the allocations of the finished program. But the vectoriser multiplies code that they only delete
// again, and drops what earlier passes knew (that an index goes upwards). So they are cut from a copy that was taken
// before it, provided that all allocations of that copy are still there in the end.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_EARLYMODULE_H
#define MEMSHAPE_EARLYMODULE_H

#include "llvm/IR/Module.h"
#include <memory>

namespace memshape {

class EarlyModule {
  std::unique_ptr<llvm::Module> Copy;
  const llvm::Module *Of = nullptr;
  bool KeptAll = false;

public:
  /// Marks the allocations of M, if it defines operators, and copies it.
  void take(llvm::Module &M);

  /// The copy of M, or null where none was taken or an allocation that one of its operators reaches was optimised away
  /// since. Takes the marks off M.
  std::unique_ptr<llvm::Module> release(llvm::Module &M);

  /// True when the released copy and its module allocate alike everywhere, beyond the operators too.
  bool keptAll() const { return KeptAll; }
};

} // namespace memshape

#endif // MEMSHAPE_EARLYMODULE_H
