// Library functions that call what a program replaces.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace memshape {

/// The program's own function that F, a declaration, comes to by the calls of its library; null where there is none.
const llvm::Function *ownBehind(const llvm::Function &F);

/// Gives a body to each declaration of M that comes to a function of the program's own.
void forwardToOwn(llvm::Module &M);

} // namespace memshape
