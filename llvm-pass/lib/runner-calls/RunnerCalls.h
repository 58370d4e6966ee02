// The runner's functions, as IR.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of memshape/SkeletonAbi.h inside a skeleton, and the marks that the stages of its making leave.

#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace memshape {

enum class RunnerCall {
  None,
  Alloc,
  Realloc,
  Free,
  BlockSize,
  Decide,
  Value,
  BoundedValue,
  ArgumentData,
  Within,
  Extreme,
  Tensor,
  Leave,
  Check,
  MayEnd,
  Compare,
  Unknown,
  MayFree,
  Attempt,
  Recall,
  Wraps,
  Repeat,
  RepeatAlike,
  TeamSize,
  Levels,
  Processors,
  DefaultThreads,
  Region,
  RegionEnd,
  Team,
  Barrier,
  Lock, ///< tells stages where one thread runs while others wait; finishTeams() removes it
  Thread,
  Threads,
  Level,
  Single,
  Serial,
  Building,
  Result,
  Loop,
  LoopNext,
  LoopValue,
  Spawn,
  Spawned,
  Join,
  ThreadLocal,
  Touch,
  Taint,
  Untainted,
  Data
};

/// The function that tells an extent of what the operator returns.
inline constexpr char ResultName[] = "memshape_sk_result";

/// Which function of the runner Call calls.
RunnerCall runnerCall(const llvm::CallBase &Call);

/// The declaration of a runner function in M, with the attributes that let LLVM move everything else around it. Alloc
/// and Realloc are deliberately not allocation functions in LLVM's eyes: an allocation without uses must stay.
llvm::FunctionCallee runnerFunction(llvm::Module &M, RunnerCall Which);

/// Marks Bytes bytes at Pointer as data; with AllBehind what they lead to, too, however far.
inline constexpr uint64_t AllBehind = ~uint64_t(0);
void markData(llvm::IRBuilderBase &B, llvm::Value *Pointer, llvm::Value *Bytes);
bool marksAllBehind(const llvm::CallBase &Data);

/// A value of data in front of Where; zero where marks of data are dropped.
llvm::Value *dataValue(llvm::Instruction &Where, llvm::Type *T);

/// Calls that keep the order of threads: they run wherever something else of their function does.
bool ordersThreads(RunnerCall Which);

/// The argument of Spawn and Spawned for a member of a team, where all threads run beside each other. It ends with its
/// region at the latest. No skeleton that is executed has it.
inline constexpr unsigned TeamMember = 2;
/// I is a call of Which, Spawn or Spawned, of a thread of the system's or of a team's: no task of a team's threads.
bool marksThread(const llvm::Instruction &I, RunnerCall Which);

/// A block comes or goes.
inline bool isHeapCall(RunnerCall Which) {
  return Which == RunnerCall::Alloc || Which == RunnerCall::Realloc || Which == RunnerCall::Free;
}

/// Operand numbers of Alloc and Realloc.
inline constexpr unsigned AllocBytes = 0, AllocSite = 2, AllocFlags = 3, ReallocBytes = 1, ReallocSite = 2,
                          ReallocFlags = 3;

/// Metadata kind that remembers on an Alloc or Realloc the allocator's name and the memory space.
inline constexpr char AllocatorMetadata[] = "memshape.allocator";

/// Metadata kind on a variable of which each thread has its own.
inline constexpr char ThreadMetadata[] = "memshape.of_thread";

/// Function that marks memory as tensor data while the skeleton is made; gone at the end.
inline constexpr char DataMark[] = "memshape.data";

/// Function without a body that stands where an exception may be caught: an unknown call, for it is taken not to be
/// thrown.
inline constexpr char CaughtMark[] = "an exception that is caught here";

/// Name of the function that a skeleton defines.
inline constexpr char SkeletonEntry[] = "memshape_skeleton";

} // namespace memshape
