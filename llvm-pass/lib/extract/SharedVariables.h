// Variables and functions that others reach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Module.h"

namespace memshape {

/// Marks variables and functions of M whose address escapes. M is as the front end made it: after inlining, who can call
/// a function is no longer visible.
void markSharedVariables(llvm::Module &M);

/// Others may call F: by its name, or because they have found its address.
bool isCalledByOthers(const llvm::Function &F);

/// What is known of variables whose own address does not escape. It is found by their names, because the optimiser
/// takes structures apart: x.0 is a part of x.
class PrivateVariables {
public:
  explicit PrivateVariables(const llvm::Module &M);

  /// A pointer escapes that G keeps, or that what G leads to keeps.
  bool leadsOut(const llvm::GlobalVariable &G) const;

  /// Callers of another function than Root say what is in G.
  bool hasOtherSetter(const llvm::GlobalVariable &G, const llvm::Function &Root) const;

private:
  const llvm::MDNode *nodeOf(const llvm::GlobalVariable &G) const;
  llvm::StringMap<const llvm::MDNode *> Nodes; ///< name, whether it leads out, setters
};

} // namespace memshape
