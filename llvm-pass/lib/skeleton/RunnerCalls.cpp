//===- RunnerCalls.cpp - The runner's functions, as IR --------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunnerCalls.h"
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
      .Case("memshape_sk_tensor", RunnerCall::Tensor)
      .Case("memshape_sk_leave", RunnerCall::Leave)
      .Case("memshape_sk_unknown", RunnerCall::Unknown)
      .Case("memshape_sk_repeat", RunnerCall::Repeat)
      .Case(DataMark, RunnerCall::Data)
      .Default(RunnerCall::None);
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
  case RunnerCall::Tensor:
    return Declare("memshape_sk_tensor", Ptr, {I32}, Inaccessible).first;
  case RunnerCall::Leave: {
    auto [Callee, F] = Declare("memshape_sk_leave", Void, {I32}, Inaccessible);
    F->setDoesNotReturn();
    return Callee;
  }
  case RunnerCall::Unknown:
    return Declare("memshape_sk_unknown", Void, {I32}, Inaccessible).first;
  case RunnerCall::Repeat:
    return Declare("memshape_sk_repeat", Void, {Ptr, Ptr}, MemoryEffects::unknown()).first;
  case RunnerCall::Data:
    return Declare(DataMark, Void, {Ptr, I64}, MemoryEffects::argMemOnly()).first;
  case RunnerCall::None:
    break;
  }
  llvm_unreachable("not a function of the runner");
}

} // namespace memshape
