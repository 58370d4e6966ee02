// Calls of threading libraries become plain code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After this stage a skeleton has no threads. A function that a library would run on another thread is called at the
// place where it is handed over, and calls of the runner mark which of these run at the same time. So all later stages
// - flattening, points-to, slicing - see ordinary calls.
//
//     __kmpc_fork_call(loc, 2, outlined, a, b)         region(n, ...); team(n, a, b); region_end()
//                                                      team: for (t = 0; t != n; ++t) outlined(&t, &t, a, b)
//     __kmpc_for_static_init_8(...)                    the bounds of thread() of threads(), computed
//     std::thread(f), t.join()                         spawn(); f(); t.id = spawned(), join(t.id)
//
// Where all threads run beside each other, a team is so many threads that are joined where the region ends:
//
//                                                      region(n, ...); for (t = 0; t != n; ++t) {
//                                                        spawn(); outlined(&t, &t, a, b); spawned() } region_end()
//
// `team` and `outlined` stay functions, because the threads of a team must not be optimised as if they ran one after
// the other. At the end `team` becomes a call of the runner, which runs its threads from barrier to barrier.

#pragma once

#include "libraries/reader/Role.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace memshape {

/// Gives bodies to the functions of OpenMP's run-time library, of pthreads and of std::thread, and turns parallel
/// regions into teams. Beside: so that the module is right for threads that run beside each other, too: whatever they
/// were given may have changed wherever they start, wait or end.
template <bool Beside> void lowerThreads(llvm::Module &M);

/// Replaces each `team` by a call of the runner, and removes the marks of locks.
void finishTeams(llvm::Module &M);

/// F is a region's function, which all threads of a team execute.
bool isExecutedByTeams(const llvm::Function &F);

/// Writes the body of declaration F. B is at the start of its only block; the writer must end it with a return.
using BodyWriter = void (*)(llvm::Function &F, llvm::IRBuilder<> &B);

/// That of a table by its role; null where it has none.
inline BodyWriter bodyIn(llvm::ArrayRef<std::pair<Role, BodyWriter>> Table, Role Which) {
  for (auto [Each, Write] : Table)
    if (Each == Which)
      return Write;
  return nullptr;
}

/// The body of a function of a run-time library for teams by its role; null where it has none.
template <bool Beside> BodyWriter bodyOfTeams(Role Which);
/// The same for functions that deal out the iterations of loops.
template <bool Beside> BodyWriter bodyOfWorkSharing(Role Which);
/// Replaces the calls of those that deal them out while the loop runs: a thread gets any of them.
void dealOutBeside(llvm::Module &M);

/// Here other threads may have written to what Shared, if there is any, leads to, and to what they were given before:
/// so no stage moves an access of it past this place, or takes it for a variable of one thread.
llvm::CallInst *meetOthers(llvm::IRBuilder<> &B, llvm::StringRef Constraints, llvm::Type *Result,
                           llvm::ArrayRef<llvm::Value *> Shared = {});

/// Replaces thread-local variables by plain ones; the skeleton's entry, at B, declares them to the runner. True if
/// there are any.
bool makeThreadLocalsPlain(llvm::Module &M);
void announceThreadLocals(llvm::Module &M, llvm::IRBuilder<> &B);

/// The body of __cxa_thread_atexit.
void registerThreadExit(llvm::Function &F, llvm::IRBuilder<> &B);
/// Destructors registered so far, and the calls of those that were registered since; null where there are none.
llvm::Value *threadExitsSoFar(llvm::IRBuilder<> &B);
void runThreadExits(llvm::Function &F, llvm::IRBuilder<> &B, llvm::Value *SoFar);

/// Parallel regions: calls of __kmpc_fork_call become teams. Beside: threads that run beside each other.
template <bool Beside> void lowerRegions(llvm::Module &M);

} // namespace memshape
