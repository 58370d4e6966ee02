// How long does a block live at most?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows one block from the call that allocates it along all paths, with the values and variables that are known to
// hold its address. A path ends where one of these is freed: the block is dead there. Any other free is assumed to free
// something else; so is what another thread frees, as it may come late.

#pragma once

#include "ceiling/ThreadRoles.h"
#include "memory/ModRefIndex.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include <map>
#include <optional>
#include <set>

namespace memshape {

/// Metadata kind on an allocation that stands for an exception: it is freed when the exception is caught.
inline constexpr char ExceptionMetadata[] = "memshape.exception";

struct Lifetime {
  /// Most blocks of this call that are live at one time: 1 or 2; 0 for as many as there are executions.
  unsigned Most = 1;
  /// If Most is 0: at most the executions per entry of this loop; null for those per call.
  const llvm::Loop *Within = nullptr;
  bool Outlives = false; ///< the thread that allocates it
  /// Other calls that allocate or start threads and may run while the block lives.
  llvm::SmallPtrSet<const llvm::CallBase *, 8> LiveAt;
  /// Edges on which the block may live.
  llvm::DenseSet<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>> Ways;
};

class Lifetimes {
public:
  Lifetimes(llvm::Function &F, const llvm::LoopInfo &LI, ModRefIndex &Accesses, const ThreadRoles &Roles);
  Lifetime of(const llvm::CallBase &Allocation);
  /// Whether on each path the block at Pointer, unless null, is freed after From and before From or one of Others runs.
  bool goesBehind(const llvm::Value &Pointer, const llvm::CallBase &From,
                  llvm::ArrayRef<const llvm::CallBase *> Others = {});

private:
  /// A variable of the operator, or a field of a block that exists once at a time.
  using Cell = std::pair<const llvm::Value *, int64_t>;
  struct State {
    llvm::DenseSet<const llvm::Value *> Same;    ///< values that hold the address, or one in the block
    llvm::DenseSet<const llvm::Value *> Moved;   ///< those of them that may hold another address than the block's
    std::map<Cell, bool> Cells;                  ///< variables that hold it, and whether it may be another one
    llvm::DenseSet<const llvm::Value *> NotZero; ///< numbers beside it, as the capacity of an array that has a block
    int Catches = 0;                             ///< handlers that hold the exception; -1 for unknown
    const llvm::CallBase *Role = nullptr;        ///< of the thread that it is followed for
    bool meet(const State &Other);
    bool knowsNoMore(const State &Than) const;
    void set(const llvm::Value &V, bool Holds, bool HasMoved);
  };
  using Ends = llvm::function_ref<bool(const llvm::Instruction &, const State &)>;
  void follow(const llvm::Instruction &From, const State &Start, bool IsException, Ends Visit,
              llvm::function_ref<void(const llvm::BasicBlock &From, const llvm::BasicBlock &To)> Way) const;
  bool pass(const llvm::Instruction &I, State &S, bool IsException) const;
  bool mayTake(const llvm::BasicBlock &From, unsigned Successor, const State &S) const;
  void enter(const llvm::BasicBlock &To, const llvm::BasicBlock &From, State &S) const;
  bool isNotZero(const llvm::Value &V, const State &S) const;
  std::optional<Cell> cellAt(const llvm::Value *Pointer) const;

  llvm::Function &F;
  const llvm::LoopInfo &LI;
  const ThreadRoles &Roles;
  std::map<Cell, llvm::SmallPtrSet<const llvm::Instruction *, 8>> Writers; ///< of variables that are read
  llvm::DenseSet<const llvm::Value *> Tested;                              ///< phis that lead to a comparison with 0
};

} // namespace memshape
