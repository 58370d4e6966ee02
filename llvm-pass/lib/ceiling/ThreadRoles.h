// Which thread executes what.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (t = 0; t != threads; ++t)
//       started.emplace_back(work);         spawn(); work(); started[t].id = spawned();
//
// In the flattened function the code of a thread stands where the thread is started. All that is executed between a call
// that starts a thread and the end of that thread is a role: as many threads have it as that call is executed. Those of
// a team run until its region ends, all others may run on. Threads and what starts them see each other's memory where
// it can be reached from what threads are given, or from variables outside of functions.

#pragma once

#include "memory/PointsTo.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace memshape {

class ThreadRoles {
public:
  ThreadRoles(llvm::Function &F, const PointsTo &Memory);

  /// False where it cannot be told which thread executes what.
  bool areKnown() const { return Known; }
  /// The role of the thread that executes I: null for the operator's own. A call that starts a thread belongs to who
  /// starts it.
  const llvm::CallBase *of(const llvm::Instruction &I) const;
  /// The calls that start threads, by the role of these: the first of its calls.
  const llvm::MapVector<const llvm::CallBase *, llvm::SmallVector<const llvm::CallBase *, 2>> &all() const {
    return Roles;
  }
  /// Threads of Role may run when the operator's own thread is at I.
  bool mayRunAt(const llvm::CallBase &Role, const llvm::Instruction &I) const;
  static bool endsThread(const llvm::Instruction &I);
  /// Threads of Role are members of a team.
  static bool isTeam(const llvm::CallBase &Role);
  bool haveTeams() const {
    return llvm::any_of(Roles, [](const auto &Each) { return isTeam(*Each.first); });
  }
  /// Several threads may access the object.
  bool isShared(unsigned Object) const { return !Roles.empty() && Shared.contains(Object); }

private:
  using Stack = llvm::SmallVector<const llvm::CallBase *, 2>;
  /// Where threads may run that a call has started: to the end of a block, or to a call in it that waits for them.
  using Reached = llvm::DenseMap<const llvm::BasicBlock *, const llvm::Instruction *>;
  Stack openAt(const llvm::Instruction &I) const;
  Reached reachedFrom(const llvm::CallBase &Start) const;
  const llvm::CallBase *roleOf(const llvm::CallBase *Start) const;
  bool enter(const llvm::BasicBlock &Block, const Stack &Open);

  bool Known = true;
  llvm::MapVector<const llvm::CallBase *, llvm::SmallVector<const llvm::CallBase *, 2>> Roles;
  llvm::DenseMap<const llvm::CallBase *, const llvm::CallBase *> SameAs; ///< of calls with the same role
  llvm::DenseMap<const llvm::BasicBlock *, Stack> AtStart;               ///< threads that have begun and not ended
  llvm::DenseMap<const llvm::CallBase *, Reached> Behind;
  llvm::DenseSet<unsigned> Shared;
};

} // namespace memshape
