// Constructors that an operator depends on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables at namespace scope and static members are initialised before main. Constructors of variables that an
// operator uses are part of its skeleton: they run once, before it, and their allocations do not count as the
// operator's.

#pragma once

#include "extract/Handlers.h"
#include "extract/SharedVariables.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include <map>
#include <optional>

namespace memshape {

/// The constructors of a module (llvm.global_ctors), and the functions that only they and the destructors that they
/// register can reach.
class ConstructorsOfModule {
public:
  /// Root: the operator.
  explicit ConstructorsOfModule(const llvm::Function &Root);

  /// Whether F runs before or after main only.
  bool runsOutsideMain(const llvm::Function &F);

  /// Whether others may change G, or what it points to, while the program runs: another unit, or a function of this one
  /// outside of Reachable, or that they can call as well.
  bool isSetElsewhere(const llvm::GlobalVariable &G, const llvm::DenseSet<const llvm::GlobalValue *> &Reachable);

  /// Constructors that set variables of Reachable, in the order in which they run. Adds what they reach to Reachable.
  /// Whole: also those whose effect another one may undo, for a replay.
  llvm::SmallVector<llvm::Function *, 4> neededBy(llvm::DenseSet<const llvm::GlobalValue *> &Reachable, bool Whole);

  /// Functions that constructors put into G, where its definition has null: at which bytes, and which.
  std::map<uint64_t, const llvm::Function *> functionsPutInto(const llvm::GlobalVariable &G);

  /// What is known of the module's variables whose own address does not escape.
  const PrivateVariables &variables() const { return Private; }

private:
  using Definitions = llvm::DenseSet<const llvm::GlobalValue *>;
  const Definitions &reachOf(const llvm::Function &Constructor);
  bool isSetInAnyOrder(const llvm::GlobalVariable &G);
  /// I runs when others call a function of the module, or in calls at other shapes alone.
  bool othersMayExecute(const llvm::Instruction &I);

  const llvm::Function &Root;
  const PrivateVariables Private;
  llvm::SmallVector<llvm::Function *, 4> Ordered;
  llvm::DenseMap<const llvm::Function *, bool> Outside;
  std::map<const llvm::Function *, Definitions> Reached; ///< by constructors
  std::optional<HandlerCode> Handlers;                   ///< once somebody has asked, as the next one
  Definitions ReachedByOthers;                           ///< by name or by an address; the operator may reach it, too
};

/// Functions of a skeleton that only constructors reach.
llvm::DenseSet<const llvm::Function *> onlyBeforeOperator(const llvm::Module &Skeleton);

} // namespace memshape
