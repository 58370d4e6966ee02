// Loops whose trip count is data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a value from data is the trip count of loops that allocate or free, each iteration would be a decision of its
// own, and a loop that frees could run more often than the one that allocated. Instead the value is asked for once, by
// bisecting its bounds. This takes as many decisions as the distance of the bounds has bits:
//
//   k = x[0] & 31;                         low = 0; high = 31;
//   for (i = 0; i < k; ++i) ...    -->     while (low < high)
//                                            if (k > middle) low = middle + 1; else high = middle;
//                                          for (i = 0; i < low; ++i) ...

#include "intervals/Bounder.h"
#include "intervals/ValueRanges.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace memshape {

/// Whether an iteration of L may allocate, free, or have unknown effects.
static bool hasEffect(const Loop &L) {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (const auto *Call = dyn_cast<CallBase>(&I); Call && !isa<IntrinsicInst>(Call))
        if (const RunnerCall Which = runnerCall(*Call);
            isHeapCall(Which) || (Which == RunnerCall::None && !Call->onlyReadsMemory()))
          return true;
  return false;
}

/// The value from data that Compare, an exit condition of L, compares with something that changes in each iteration.
static Instruction *countIn(const ICmpInst &Compare, const Loop &L, const DataFlow &Flow) {
  for (unsigned Side : {0u, 1u}) {
    auto *Count = dyn_cast<Instruction>(Compare.getOperand(Side));
    const auto *Iteration = dyn_cast<Instruction>(Compare.getOperand(1 - Side));
    if (!Count || !Iteration || !L.contains(Iteration) || L.contains(Count) || Flow.isData(Iteration) ||
        !Flow.isData(Count))
      continue;
    // An extended value has the same number: asks for the original one.
    while (isa<SExtInst>(Count) || isa<ZExtInst>(Count) || isa<FreezeInst>(Count)) {
      auto *From = dyn_cast<Instruction>(Count->getOperand(0));
      if (!From || !Flow.isData(From))
        break;
      Count = From;
    }
    return canBeBounded(Count) ? Count : nullptr;
  }
  return nullptr;
}

/// Emits the question for V at First: a loop that halves the distance of its bounds.
static Value *asked(Value &V, Interval Bounds, Instruction &First) {
  BasicBlock *Before = First.getParent(), *Behind = SplitBlock(Before, &First);
  LLVMContext &C = First.getContext();
  Function &F = *Before->getParent();
  BasicBlock *Head = BasicBlock::Create(C, "", &F, Behind), *Body = BasicBlock::Create(C, "", &F, Behind);
  Type *Wide = Type::getInt64Ty(C);
  Before->getTerminator()->setSuccessor(0, Head);
  IRBuilder<> B(Head);
  B.SetCurrentDebugLocation(First.getDebugLoc());
  PHINode *Low = B.CreatePHI(Wide, 2), *High = B.CreatePHI(Wide, 2);
  B.CreateCondBr(B.CreateICmpSLT(Low, High), Body, Behind);
  B.SetInsertPoint(Body);
  Value *Middle = B.CreateAdd(Low, B.CreateAShr(B.CreateSub(High, Low), 1));
  auto *Source = dyn_cast<Instruction>(&V);
  B.SetCurrentDebugLocation(Source && Source->getDebugLoc() ? Source->getDebugLoc() : First.getDebugLoc());
  Value *Greater = B.CreateICmpSGT(&V, B.CreateTrunc(Middle, V.getType()));
  Value *NextLow = B.CreateSelect(Greater, B.CreateAdd(Middle, B.getInt64(1)), Low);
  Value *NextHigh = B.CreateSelect(Greater, High, Middle);
  B.CreateBr(Head);
  Low->addIncoming(Bounds.Low, Before);
  Low->addIncoming(NextLow, Body);
  High->addIncoming(Bounds.High, Before);
  High->addIncoming(NextHigh, Body);
  IRBuilder<> AtBehind(&First);
  return AtBehind.CreateTrunc(Low, V.getType());
}

/// Whether a loop with so many iterations practically never ends; then asking for the count is useless.
static bool isEndless(const Value *High) {
  const auto *Known = dyn_cast<ConstantInt>(High);
  const int64_t Often = int64_t(1) << 48;
  return Known && Known->getSExtValue() >= Often;
}

static bool askOne(Function &F, const DataFlow &Flow, SmallPtrSetImpl<Value *> &Seen) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!hasEffect(*L))
      continue;
    SmallVector<BasicBlock *, 4> Exiting;
    L->getExitingBlocks(Exiting);
    for (BasicBlock *BB : Exiting) {
      auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
      auto *Compare = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
      Instruction *Count = Compare ? countIn(*Compare, *L, Flow) : nullptr;
      if (!Count || !Seen.insert(Count).second)
        continue;
      Instruction *First = isa<PHINode>(Count) ? &*Count->getParent()->getFirstInsertionPt() : Count->getNextNode();
      Bounder In(F, Flow);
      Interval X = In.bounds(Count, /*Signed=*/true, *First, /*Steps=*/100, Bounder::Purpose::Count);
      if (!X.Low || !X.High) {
        // More may be known in front of the loop than where the value was computed.
        BasicBlock *Before = L->getLoopPreheader();
        if (!Before)
          continue;
        First = Before->getTerminator();
        X = In.bounds(Count, /*Signed=*/true, *First, /*Steps=*/100, Bounder::Purpose::Count);
      }
      if (!X.Low || !X.High || isEndless(X.High))
        continue;
      if (const unsigned Bits = Count->getType()->getIntegerBitWidth(); Bits < 62) {
        IRBuilder<> B(First);
        IntervalArithmetic A(B);
        X = A.meet(X, A.constant(-(int64_t(1) << (Bits - 1)), (int64_t(1) << (Bits - 1)) - 1));
      }
      SmallVector<Use *, 8> Uses;
      for (Use &U : Count->uses())
        if (const auto *User = cast<Instruction>(U.getUser());
            isa<PHINode>(User) ? DT.dominates(First->getParent(), cast<PHINode>(User)->getIncomingBlock(U))
                               : User == First || DT.dominates(First, User))
          Uses.push_back(&U);
      if (!Uses.size())
        continue;
      Value *Known = asked(*Count, X, *First);
      for (Use *U : Uses)
        U->set(Known);
      return true;
    }
  }
  return false;
}

bool askForCountsOnce(Module &M, const DataFlow &Flow) {
  const unsigned Most = 16; // each makes two blocks and a decision
  bool Changed = false;
  SmallPtrSet<Value *, 16> Seen;
  for (Function &F : M)
    for (unsigned Asked = 0; !F.isDeclaration() && Asked != Most && askOne(F, Flow, Seen); ++Asked)
      Changed = true;
  return Changed;
}

} // namespace memshape
