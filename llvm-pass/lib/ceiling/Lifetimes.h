//===- Lifetimes.h - How long does a block live at most? ------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows one block from the call that allocates it along all ways, together with the values and variables that are
// known to hold its address. Where one of these is freed the way ends: behind it the block does not live. All other
// frees free something else, for all that is known.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_LIFETIMES_H
#define MEMSHAPE_LIFETIMES_H

#include "memory/ModRefIndex.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include <map>
#include <optional>
#include <set>

namespace memshape {

/// Metadata kind on an allocation that stands for the memory of an exception: it goes when the exception is caught.
inline constexpr char ExceptionMetadata[] = "memshape.exception";

struct Lifetime {
  /// Blocks of this call that live at a time: 1 or 2; 0 for as many as there are executions.
  unsigned Most = 1;
  /// Most is 0: no more than in one time that control comes to this loop; null for the whole call.
  const llvm::Loop *Within = nullptr;
  llvm::SmallPtrSet<const llvm::CallBase *, 8> LiveAt; ///< other allocating calls that may be executed meanwhile
};

class Lifetimes {
public:
  Lifetimes(llvm::Function &F, const llvm::LoopInfo &LI, ModRefIndex &Accesses);
  Lifetime of(const llvm::CallBase &Allocation);
  /// Behind From the block at Pointer goes on each way, unless it is null, before From is executed again.
  bool goesBehind(const llvm::Value &Pointer, const llvm::CallBase &From);

private:
  /// A variable of the operator, or a field of a block that there is one of.
  using Cell = std::pair<const llvm::Value *, int64_t>;
  struct State {
    llvm::DenseSet<const llvm::Value *> Same; ///< values that hold the address
    std::set<Cell> Cells;                     ///< variables that hold it
    int Catches = 0;                          ///< handlers that the exception is in; -1 for unknown
    bool meet(const State &Other);
    bool knowsNoMore(const State &Than) const;
  };
  using Ends = llvm::function_ref<bool(const llvm::Instruction &, const State &)>;
  void follow(const llvm::Instruction &From, const State &Start, bool IsException, Ends Visit,
              llvm::function_ref<void(const llvm::BasicBlock &From, const llvm::BasicBlock &To)> Way) const;
  bool pass(const llvm::Instruction &I, State &S, bool IsException) const;
  bool mayTake(const llvm::BasicBlock &From, unsigned Successor, const State &S) const;
  void enter(const llvm::BasicBlock &To, const llvm::BasicBlock &From, State &S) const;
  std::optional<Cell> cellAt(const llvm::Value *Pointer) const;

  llvm::Function &F;
  const llvm::LoopInfo &LI;
  std::map<Cell, llvm::SmallPtrSet<const llvm::Instruction *, 8>> Writers; ///< of variables that are read
};

} // namespace memshape

#endif // MEMSHAPE_LIFETIMES_H
