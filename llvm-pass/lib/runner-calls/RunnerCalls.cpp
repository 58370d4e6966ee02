//===- RunnerCalls.cpp - The runner's functions, as IR --------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runner-calls/RunnerCalls.h"
#include "Compat.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace memshape {

RunnerCall runnerCall(const CallBase &Call) {
  const Function *F = Call.getCalledFunction();
  if (!F || !F->isDeclaration())
    return RunnerCall::None;
  return StringSwitch<RunnerCall>(F->getName())
      .Case("memshape_sk_alloc", RunnerCall::Alloc)
      .Case("memshape_sk_realloc", RunnerCall::Realloc)
      .Case("memshape_sk_free", RunnerCall::Free)
      .Case("memshape_sk_block_size", RunnerCall::BlockSize)
      .Case("memshape_sk_decide", RunnerCall::Decide)
      .Case("memshape_sk_value", RunnerCall::Value)
      .Case("memshape_sk_bounded_value", RunnerCall::BoundedValue)
      .Case("memshape_sk_within", RunnerCall::Within)
      .Case("memshape_sk_extreme", RunnerCall::Extreme)
      .Case("memshape_sk_tensor", RunnerCall::Tensor)
      .Case("memshape_sk_leave", RunnerCall::Leave)
      .Case("memshape_sk_check", RunnerCall::Check)
      .Case("memshape_sk_unknown", RunnerCall::Unknown)
      .Case("memshape_sk_attempt", RunnerCall::Attempt)
      .Case("memshape_sk_recall", RunnerCall::Recall)
      .Case("memshape_sk_repeat", RunnerCall::Repeat)
      .Case("memshape_sk_repeat_alike", RunnerCall::RepeatAlike)
      .Case("memshape_sk_team_size", RunnerCall::TeamSize)
      .Case("memshape_sk_processors", RunnerCall::Processors)
      .Case("memshape_sk_default_threads", RunnerCall::DefaultThreads)
      .Case("memshape_sk_region", RunnerCall::Region)
      .Case("memshape_sk_region_end", RunnerCall::RegionEnd)
      .Case("memshape_sk_team", RunnerCall::Team)
      .Case("memshape_sk_barrier", RunnerCall::Barrier)
      .Case("memshape_sk_thread", RunnerCall::Thread)
      .Case("memshape_sk_threads", RunnerCall::Threads)
      .Case("memshape_sk_level", RunnerCall::Level)
      .Case("memshape_sk_single", RunnerCall::Single)
      .Case("memshape_sk_serial", RunnerCall::Serial)
      .Case("memshape_sk_loop", RunnerCall::Loop)
      .Case("memshape_sk_loop_next", RunnerCall::LoopNext)
      .Case("memshape_sk_loop_value", RunnerCall::LoopValue)
      .Case("memshape_sk_spawn", RunnerCall::Spawn)
      .Case("memshape_sk_spawned", RunnerCall::Spawned)
      .Case("memshape_sk_join", RunnerCall::Join)
      .Case("memshape_sk_thread_local", RunnerCall::ThreadLocal)
      .Case("memshape_sk_touch", RunnerCall::Touch)
      .Case("memshape_sk_taint", RunnerCall::Taint)
      .Case("memshape_sk_untainted", RunnerCall::Untainted)
      .Case(DataMark, RunnerCall::Data)
      .Default(RunnerCall::None);
}

bool ordersThreads(RunnerCall Which) {
  switch (Which) {
  case RunnerCall::Barrier:
  case RunnerCall::Single:
  case RunnerCall::Loop:
  case RunnerCall::LoopNext:
  case RunnerCall::Spawn:
  case RunnerCall::Spawned:
  case RunnerCall::Join:
    return true;
  default:
    return false;
  }
}

FunctionCallee runnerFunction(Module &M, RunnerCall Which) {
  LLVMContext &C = M.getContext();
  Type *Void = Type::getVoidTy(C), *Ptr = PointerType::getUnqual(C), *I32 = Type::getInt32Ty(C),
       *I64 = Type::getInt64Ty(C);
  auto Declare = [&](StringRef Name, Type *Result, ArrayRef<Type *> Arguments, MemoryEffects Effects) {
    FunctionCallee Callee = M.getOrInsertFunction(Name, FunctionType::get(Result, Arguments, false));
    auto *F = cast<Function>(Callee.getCallee());
    F->setMemoryEffects(Effects);
    F->setDoesNotThrow();
    return std::pair(Callee, F);
  };
  const MemoryEffects Inaccessible = MemoryEffects::inaccessibleMemOnly();
  const MemoryEffects Block = MemoryEffects::inaccessibleOrArgMemOnly();
  switch (Which) {
  case RunnerCall::Alloc: {
    auto [Callee, F] = Declare("memshape_sk_alloc", Ptr, {I64, I64, I32, I32}, Inaccessible);
    F->setReturnDoesNotAlias();
    F->addRetAttr(Attribute::NonNull);
    F->setWillReturn();
    return Callee;
  }
  case RunnerCall::Realloc: {
    auto [Callee, F] = Declare("memshape_sk_realloc", Ptr, {Ptr, I64, I32, I32}, Block);
    F->setReturnDoesNotAlias();
    F->addRetAttr(Attribute::NonNull);
    F->setWillReturn();
    return Callee;
  }
  case RunnerCall::Free: {
    auto [Callee, F] = Declare("memshape_sk_free", Void, {Ptr}, Block);
    F->setWillReturn();
    return Callee;
  }
  case RunnerCall::BlockSize:
    return Declare("memshape_sk_block_size", I64, {Ptr}, Inaccessible).first;
  case RunnerCall::Decide:
    return Declare("memshape_sk_decide", I32, {I32, I32}, Inaccessible).first;
  case RunnerCall::Value:
    return Declare("memshape_sk_value", I64, {I32, I64}, Inaccessible).first;
  case RunnerCall::BoundedValue:
    return Declare("memshape_sk_bounded_value", I64, {I32, I64}, Inaccessible).first;
  case RunnerCall::Within: {
    // In one evaluation the same numbers lead to the same answer.
    auto [Callee, F] = Declare("memshape_sk_within", I64, {I64, I64, I64}, MemoryEffects::none());
    F->setWillReturn();
    return Callee;
  }
  case RunnerCall::Extreme: {
    auto [Callee, F] =
        Declare("memshape_sk_extreme", I64, {Ptr, I64, I64, I64, I32}, MemoryEffects::argMemOnly(ModRefInfo::Ref));
    F->setWillReturn();
    F->addParamAttr(0, compat::captureNothing(C));
    return Callee;
  }
  case RunnerCall::Tensor:
    return Declare("memshape_sk_tensor", Ptr, {I32}, Inaccessible).first;
  case RunnerCall::Leave: {
    auto [Callee, F] = Declare("memshape_sk_leave", Void, {I32}, Inaccessible);
    F->setDoesNotReturn();
    return Callee;
  }
  case RunnerCall::Check:
    return Declare("memshape_sk_check", Void, {I32}, Inaccessible).first;
  case RunnerCall::Unknown:
    return Declare("memshape_sk_unknown", Void, {I32}, Inaccessible).first;
  case RunnerCall::Attempt:
    return Declare("memshape_sk_attempt", I32, {I32}, Inaccessible).first;
  case RunnerCall::Recall:
    return Declare("memshape_sk_recall", Void, {I32, I32}, Inaccessible).first;
  case RunnerCall::Repeat:
    return Declare("memshape_sk_repeat", Void, {Ptr, Ptr}, MemoryEffects::unknown()).first;
  case RunnerCall::RepeatAlike:
    return Declare("memshape_sk_repeat_alike", Void, {Ptr, Ptr, Ptr}, MemoryEffects::unknown()).first;
  case RunnerCall::TeamSize:
    return Declare("memshape_sk_team_size", I32, {I32}, Inaccessible).first;
  case RunnerCall::Processors:
    return Declare("memshape_sk_processors", I32, {}, Inaccessible).first;
  case RunnerCall::DefaultThreads:
    return Declare("memshape_sk_default_threads", I32, {}, Inaccessible).first;
  case RunnerCall::Region:
    return Declare("memshape_sk_region", Void, {I32, I64}, Inaccessible).first;
  case RunnerCall::RegionEnd:
    return Declare("memshape_sk_region_end", Void, {}, Inaccessible).first;
  case RunnerCall::Team:
    return Declare("memshape_sk_team", Void, {I32, Ptr, Ptr}, MemoryEffects::unknown()).first;
  case RunnerCall::Barrier:
    // Meanwhile the other threads write.
    return Declare("memshape_sk_barrier", Void, {}, MemoryEffects::unknown()).first;
  case RunnerCall::Thread:
    return Declare("memshape_sk_thread", I32, {}, Inaccessible).first;
  case RunnerCall::Threads:
    return Declare("memshape_sk_threads", I32, {}, Inaccessible).first;
  case RunnerCall::Level:
    return Declare("memshape_sk_level", I32, {}, Inaccessible).first;
  case RunnerCall::Single:
    return Declare("memshape_sk_single", I32, {}, Inaccessible).first;
  case RunnerCall::Serial:
    return Declare("memshape_sk_serial", Void, {I32}, Inaccessible).first;
  case RunnerCall::Loop:
    return Declare("memshape_sk_loop", Void, {I64, I64, I64, I64}, Inaccessible).first;
  case RunnerCall::LoopNext:
    return Declare("memshape_sk_loop_next", I32, {}, Inaccessible).first;
  case RunnerCall::LoopValue:
    return Declare("memshape_sk_loop_value", I64, {I32}, Inaccessible).first;
  case RunnerCall::Spawn:
    return Declare("memshape_sk_spawn", Void, {I32}, Inaccessible).first;
  case RunnerCall::Spawned:
    return Declare("memshape_sk_spawned", I64, {I32}, Inaccessible).first;
  case RunnerCall::Join:
    return Declare("memshape_sk_join", Void, {I64}, Inaccessible).first;
  case RunnerCall::ThreadLocal:
    return Declare("memshape_sk_thread_local", Void, {Ptr, I64}, MemoryEffects::unknown()).first;
  case RunnerCall::Touch:
  case RunnerCall::Taint: {
    // Looks at the address alone: nobody's memory is read or written, and no pointer kept.
    const StringRef Name = Which == RunnerCall::Touch ? "memshape_sk_touch" : "memshape_sk_taint";
    auto [Callee, F] = Declare(Name, Void, {Ptr, I64, I64, I64}, Inaccessible);
    F->setWillReturn();
    F->addParamAttr(0, compat::captureNothing(C));
    F->addParamAttr(0, Attribute::ReadNone);
    return Callee;
  }
  case RunnerCall::Untainted: {
    auto [Callee, F] = Declare("memshape_sk_untainted", Void, {Ptr, I64}, Inaccessible);
    F->addParamAttr(0, compat::captureNothing(C));
    F->addParamAttr(0, Attribute::ReadNone);
    return Callee;
  }
  case RunnerCall::Data:
    return Declare(DataMark, Void, {Ptr, I64}, MemoryEffects::argMemOnly()).first;
  case RunnerCall::None:
    break;
  }
  llvm_unreachable("not a function of the runner");
}

} // namespace memshape
