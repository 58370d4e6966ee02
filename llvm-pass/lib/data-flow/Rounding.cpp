// Which results depend on how floating-point arithmetic rounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "data-flow/Rounding.h"
#include "libraries/Summaries.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

bool mayRound(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FRem:
  case Instruction::FPTrunc:
  case Instruction::FPExt: // where denormals are zero
  case Instruction::FCmp: return true;
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    // A number of up to as many bits as the mantissa has is not rounded.
    return int(I.getOperand(0)->getType()->getScalarSizeInBits()) >= I.getType()->getScalarType()->getFPMantissaWidth();
  case Instruction::Call: break;
  default: return false;
  }
  const auto &Call = cast<CallBase>(I);
  if (runnerCall(Call) != RunnerCall::None || Call.isInlineAsm())
    return false;
  switch (Call.getIntrinsicID()) {
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::trunc:
  case Intrinsic::round:
  case Intrinsic::lround:
  case Intrinsic::llround:
  case Intrinsic::maxnum:
  case Intrinsic::minnum: return false;
  case Intrinsic::get_rounding: return true;
  default: break;
  }
  const bool OfFloats = Call.getType()->isFPOrFPVectorTy() ||
                        any_of(Call.args(), [](const Use &U) { return U->getType()->isFPOrFPVectorTy(); });
  const Function *Callee = Call.getCalledFunction();
  // How a closed library rounds is its own business, as all that it computes.
  if (Callee && Callee->isDeclaration() && !Callee->isIntrinsic())
    if (const Summary S = summaryOf(*Callee); S.How == Treatment::Perform || S.How == Treatment::Repeat)
      return S.Rounds;
  // Functions that are executed for real may compute with floating-point numbers, or ask how they are rounded.
  return OfFloats || (Callee && Callee->isDeclaration() && !Callee->isIntrinsic() && Call.getType()->isIntegerTy());
}

/// LLVM computes I where its operands are constants, as if numbers were rounded to the nearest one.
static bool mayBeComputedInAdvance(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return mayRound(I) && !isa<FCmpInst, FPExtInst>(I) && // which look at denormals alone
         !(Call && (!Call->getCalledFunction() || !Call->getCalledFunction()->isDeclaration()));
}

/// V is a constant that is zero where denormals are.
static bool isDenormal(const Value &V) {
  const auto *Number = dyn_cast<ConstantFP>(&V);
  return Number && Number->getValueAPF().isDenormal();
}

/// A pragma says of L that its iterations may be computed side by side, sums of real numbers among them.
static bool mayBeReordered(const Loop &L) {
  return getBooleanLoopAttribute(&L, "llvm.loop.vectorize.enable") ||
         getIntLoopAttribute(&L, "llvm.loop.vectorize.width", 0) > 1 ||
         findStringMetadataForLoop(&L, "llvm.loop.parallel_accesses");
}

static void allowReordering(Function &F) {
  DominatorTree DT(F);
  const LoopInfo Loops(DT);
  for (const Loop *L : Loops.getLoopsInPreorder())
    if (mayBeReordered(*L))
      for (BasicBlock *BB : L->blocks())
        for (Instruction &I : *BB)
          if (isa<FPMathOperator>(I) && !isa<FCmpInst>(I))
            I.setHasAllowReassoc(true);
}

void keepRounding(Module &M) {
  SmallSetVector<Use *, 16> Hidden;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    allowReordering(F);
    F.addFnAttr("denormal-fp-math", "dynamic,dynamic");
    for (Instruction &I : instructions(F)) {
      for (Use &U : I.operands())
        if (!isa<PHINode>(I) && isDenormal(*U))
          Hidden.insert(&U);
      if (!mayBeComputedInAdvance(I))
        continue;
      SmallVector<Use *, 4> Reals;
      for (Use &U : I.operands())
        if (U->getType()->isFPOrFPVectorTy())
          Reals.push_back(&U);
      // What is no constant need not be hidden.
      const auto IsComputed = [](const Use *U) {
        const auto *Of = dyn_cast<Instruction>(U->get());
        return Of && mayBeComputedInAdvance(*Of);
      };
      if (Reals.empty() || any_of(Reals, IsComputed))
        continue;
      const auto *Variable = find_if(Reals, [](const Use *U) { return !isa<Constant>(U->get()); });
      Hidden.insert(Variable == Reals.end() ? Reals.front() : *Variable);
    }
  }
  for (Use *Each : Hidden) {
    IRBuilder<> B(cast<Instruction>(Each->getUser()));
    Each->set(B.CreateIntrinsic(Intrinsic::arithmetic_fence, {Each->get()->getType()}, {Each->get()}));
  }
}

} // namespace memshape
