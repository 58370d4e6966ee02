// Counts the work of a skeleton.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A prediction must end, and its result must not depend on the load of the machine. So the code itself counts its
// instructions, one loop iteration at a time, and calls the runner when its limit is reached.
//
//     memshape_sk_work -= instructions of an iteration;
//     if (memshape_sk_work < 0)
//       memshape_sk_tired();

#include "emit/Trim.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace memshape {

namespace {

constexpr char Counter[] = "memshape_sk_work", Tired[] = "memshape_sk_tired";
/// Bytes that are copied or cleared in the time of one instruction.
constexpr uint64_t BytesPerInstruction = 16;

struct Spending {
  Instruction *Before;
  uint64_t Instructions;
};

/// Work -= Instructions; if (Work < 0) tired();
void spend(Instruction *Before, Value *Instructions) {
  Module &M = *Before->getModule();
  IRBuilder<> B(Before);
  auto *Left = cast<GlobalVariable>(M.getOrInsertGlobal(Counter, B.getInt64Ty()));
  Value *Rest = B.CreateSub(B.CreateLoad(B.getInt64Ty(), Left), Instructions);
  B.CreateStore(Rest, Left);
  Instruction *Out =
      SplitBlockAndInsertIfThen(B.CreateICmpSLT(Rest, B.getInt64(0)), Before->getIterator(), /*Unreachable=*/false);
  FunctionCallee Ends = M.getOrInsertFunction(Tired, FunctionType::get(B.getVoidTy(), false));
  cast<Function>(Ends.getCallee())->setDoesNotThrow();
  IRBuilder<>(Out).CreateCall(Ends);
}

uint64_t sizeOf(const BasicBlock &BB) { return BB.sizeWithoutDebug(); }

void countIn(Function &F) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  SmallVector<Spending, 16> Found;
  uint64_t Outside = 0;
  DenseMap<const Loop *, uint64_t> OfIteration;
  for (BasicBlock &BB : F)
    if (const Loop *L = LI.getLoopFor(&BB))
      OfIteration[L] += sizeOf(BB);
    else
      Outside += sizeOf(BB);
  SmallVector<MemIntrinsic *, 8> Copies;
  for (Instruction &I : instructions(F))
    if (auto *Copy = dyn_cast<MemIntrinsic>(&I); Copy && !isa<ConstantInt>(Copy->getLength()))
      Copies.push_back(Copy);
  const auto At = [&](BasicBlock &BB, uint64_t Instructions) {
    if (auto Place = BB.getFirstInsertionPt(); Place != BB.end())
      Found.push_back({&*Place, Instructions});
  };
  At(F.getEntryBlock(), Outside);
  for (const Loop *L : LI.getLoopsInPreorder())
    At(*L->getHeader(), OfIteration.lookup(L));
  // The entry's allocas stay in one block, as code generators expect.
  for (Spending &Each : Found) {
    while (isa<AllocaInst>(Each.Before))
      Each.Before = Each.Before->getNextNode();
    spend(Each.Before, ConstantInt::get(Type::getInt64Ty(F.getContext()), Each.Instructions));
  }
  for (MemIntrinsic *Copy : Copies) {
    IRBuilder<> B(Copy);
    Value *Bytes = B.CreateZExtOrTrunc(Copy->getLength(), B.getInt64Ty());
    // A wrong length counts as no more than the size of a tensor.
    spend(Copy, B.CreateLShr(B.CreateAnd(Bytes, B.getInt64((uint64_t(1) << 48) - 1)), Log2_64(BytesPerInstruction)));
  }
}

} // namespace

void countWork(Module &Code) {
  if (Code.getNamedValue(Counter))
    return;
  SmallVector<Function *, 16> Defined;
  for (Function &F : Code)
    if (!F.isDeclaration() && !F.hasAvailableExternallyLinkage() && !F.hasFnAttribute(Attribute::Naked))
      Defined.push_back(&F);
  for (Function *F : Defined)
    countIn(*F);
}

} // namespace memshape
