// A function that stands for an operator and only allocates what was counted of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace memshape {

class StandIn {
public:
  /// Takes what Of takes, in module Into. Its instructions are built with builder().
  StandIn(llvm::Function &Of, llvm::StringRef Name, llvm::Module &Into);

  llvm::IRBuilder<> &builder() { return B; }
  /// Those of Of as the function has them: integers; null for all others.
  llvm::SmallVector<llvm::Value *, 8> arguments() const;
  /// A block on the host's heap, from the allocator Name.
  void allocate(llvm::Value *Bytes, llvm::StringRef Name);
  /// A number: the result called Number.
  void tell(unsigned Number, llvm::Value *Value);
  /// With its end.
  llvm::Function *finish();
  void erase() { Made->eraseFromParent(); }

private:
  llvm::Function *Made;
  llvm::IRBuilder<> B;
};

} // namespace memshape
