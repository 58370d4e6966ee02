//===- SliceChecks.cpp - Tests that the slice gets for nothing ------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runner-calls/RunnerCalls.h"
#include "slice/Slice.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

bool Slice::isKnownAnyway(const Value *V, unsigned &Room) {
  if (isa<Constant>(V))
    return true;
  if (const auto *A = dyn_cast<Argument>(V))
    return LiveArguments.contains(A) || Callers.lookup(A->getParent()).empty();
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Flow.isData(I) || Flow.isVerdict(I))
    return false;
  if (Live.contains(I))
    return !isa<CallBase>(I) || NeededResults.contains(cast<CallBase>(I)) ||
           runnerCall(*cast<CallBase>(I)) != RunnerCall::None;
  if (!Room)
    return false;
  --Room;
  if (isa<LoadInst>(I)) {
    bool WritersLive = true;
    AccessTypes Wanted;
    Wanted.add(accessType(*I));
    for (const ModRef &Access : Accesses.of(I))
      Accesses.forWritersOf(
          Access, [&](const Instruction *Writer) { return Live.contains(Writer) && !isa<MemTransferInst>(Writer); },
          [&](const ModRef &) { WritersLive = false; });
    if (!WritersLive)
      return false;
  } else if (const auto *Call = dyn_cast<IntrinsicInst>(I)) {
    if (Call->mayReadOrWriteMemory())
      return false;
  } else if (!isa<BinaryOperator>(I) && !isa<CmpInst>(I) && !isa<CastInst>(I) && !isa<SelectInst>(I) &&
             !isa<FreezeInst>(I) && !isa<GetElementPtrInst>(I) && !isa<ExtractValueInst>(I)) {
    return false;
  }
  return all_of(I->operands(),
                [&](const Use &U) { return !isa<Instruction, Argument>(U.get()) || isKnownAnyway(U.get(), Room); });
}

/// Keeps the tests that cost nothing. True if there were any.
bool Slice::keepChecks() {
  bool Kept = false;
  for (CallBase *&Check : Checks) {
    auto At = Check ? Controls.find(Check->getFunction()) : Controls.end();
    unsigned Room = 16;
    if (At == Controls.end() || !At->second->Running.contains(Check->getParent()) ||
        !isKnownAnyway(Check->getArgOperand(0), Room))
      continue;
    markExecuted(Check);
    Check = nullptr;
    Kept = true;
  }
  return Kept;
}

} // namespace memshape
