// Clone an operator with everything it reaches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace memshape {

/// Of a function whose body was dropped: another one may take its place, since it is weak or a resolver chooses it.
inline constexpr char ReplaceableAttribute[] = "memshape-replaceable";

/// Calls Take for each global that V, or G's body or initialiser, refers to directly, or by a library that calls it.
/// Skips constants in SeenConstants.
void forEachReference(const llvm::Value *V, llvm::DenseSet<const llvm::Constant *> &SeenConstants,
                      llvm::function_ref<void(const llvm::GlobalValue &)> Take);
void forEachReference(const llvm::GlobalValue &G, llvm::DenseSet<const llvm::Constant *> &SeenConstants,
                      llvm::function_ref<void(const llvm::GlobalValue &)> Take);

/// All definitions that Roots can reach through calls, addresses and initialisers, including Roots; Except is not passed.
llvm::DenseSet<const llvm::GlobalValue *> reachableFrom(llvm::ArrayRef<const llvm::Function *> Roots,
                                                        const llvm::Function *Except = nullptr);

/// Counts what functions of a module reach; each body is counted once.
class ReachedSizes {
public:
  /// Instructions of Root and of all functions that it can reach.
  unsigned from(const llvm::Function &Root);

private:
  struct Node {
    unsigned Instructions = 0;
    llvm::SmallVector<const llvm::GlobalValue *, 8> References;
  };
  llvm::DenseMap<const llvm::GlobalValue *, Node> Nodes;
};

/// A module in the same context with copies of Root, of the functions with bodies that it may call and of the variables
/// that it may use, all internal except Root. Variable debug information is dropped, locations are kept. optnone and
/// noinline are removed: they do not change what a function does. Constructors that set what Root uses run before it;
/// with Whole, also those whose effect other code may change afterwards.
std::unique_ptr<llvm::Module> extract(llvm::Function &Root, llvm::Function *&Copy, bool Whole = false);

/// Makes data of comparisons by which the function that Root calls asks whether arguments that Root builds are one object,
/// or one of the program's.
void hideSameObjects(llvm::Function &Root);

/// Whether M has a computed goto, which is no two-way decision. Newer clangs emit it as a switch.
bool hasComputedGoto(const llvm::Module &M);

} // namespace memshape
