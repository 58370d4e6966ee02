// The module before loops are unrolled and vectorised.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Skeletons describe the allocations of the finished program. But the vectoriser duplicates code that slicing deletes
// again, and loses facts of earlier passes (that an index only rises). So skeletons are cut from a copy that was taken
// before it, if all allocations of that copy still exist at the end.
//
// A function that another unit instantiates (`extern template`) has a body here for inlining alone, which the optimiser
// drops before a copy can be taken. A body that callers have not inlined is kept until then, and dropped after it.

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include <memory>

namespace memshape {

class EarlyModule {
  std::unique_ptr<llvm::Module> Copy;
  const llvm::Module *Of = nullptr;
  bool KeptAll = false;

  void copy(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

public:
  /// Keeps the body of F until a copy is taken, if the optimiser would drop it. False where it would not, and for
  /// functions of system headers, which libraries/ knows.
  static bool keepBody(llvm::Function &F);

  /// Marks the allocations of M, if it defines operators, and copies it. True if bodies were kept for that, which M
  /// loses.
  bool take(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

  /// The copy of M. Null if none was taken, or if an allocation that one of its operators reaches was optimised away
  /// since. Removes the marks from M.
  std::unique_ptr<llvm::Module> release(llvm::Module &M);

  /// Whether the released copy and its module allocate the same everywhere, in functions other than operators too.
  bool keptAll() const { return KeptAll; }
};

} // namespace memshape
