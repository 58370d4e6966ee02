// Loops whose iterations are all alike.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// After slicing, a loop over traces often only allocates and frees, perhaps 10^9 times. If nothing in an iteration
// depends on which iteration it is, and no value is carried from one to the next, the runner may run one iteration and
// count it for all:
//
//     before the loop          turns_begin()
//     end of an iteration      leave the loop when it is over, or when turns(trip count) returns 1
//     after the loop           turns_end()
//
// turns() returns 1 after the first iteration, if that has left live what it found.

#include "Compat.h"
#include "loops/Loops.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memshape {

namespace {

constexpr StringLiteral Begin = "memshape_sk_turns_begin", Iterations = "memshape_sk_turns",
                        End = "memshape_sk_turns_end";

class Counter {
public:
  Counter(Module &M, FunctionAnalysisManager &FAM) : M(M), FAM(FAM) {
    // A function that only allocates and frees does the same at each call with the same arguments. All functions are
    // assumed to be such until one of their instructions shows otherwise.
    for (Function &F : M)
      if (!F.isDeclaration())
        Alike.insert(&F);
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (Function &F : M)
        if (Alike.contains(&F) && !all_of(instructions(F), [&](const Instruction &I) { return isAlike(I); })) {
          Alike.erase(&F);
          Changed = true;
        }
    }
  }

  void run(Function &F) {
    FAM.invalidate(F, PreservedAnalyses::none());
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    auto &AC = FAM.getResult<AssumptionAnalysis>(F);
    bool Changed = false;
    SmallVector<Loop *, 8> Loops = LI.getLoopsInPreorder();
    // SE knows nothing so far; to forget it loop by loop takes the square of their number.
    for (Loop *L : reverse(Loops))
      simplifyLoop(L, &DT, &LI, /*SE=*/nullptr, &AC, nullptr, /*PreserveLCSSA=*/false);
    for (Loop *L : reverse(Loops))
      Changed |= count(*L, SE, DT);
    if (Changed)
      FAM.invalidate(F, PreservedAnalyses::none());
  }

private:
  /// Whether I stores nothing, and asks nothing whose answer may change.
  bool isAlike(const Instruction &I) const {
    const auto *Call = dyn_cast<CallBase>(&I);
    // Nothing is written, so the same address gives the same value.
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      return Load->isSimple();
    if (!Call)
      return !I.mayReadOrWriteMemory();
    if (isa<IntrinsicInst>(Call))
      return !Call->mayReadOrWriteMemory() || isa<LifetimeIntrinsic>(Call) || Call->isDebugOrPseudoInst();
    const Function *Callee = Call->getCalledFunction();
    if (!Callee || Call->isInlineAsm())
      return false;
    switch (runnerCall(*Call)) {
    case RunnerCall::Alloc:
    case RunnerCall::Realloc:
    case RunnerCall::Free:
    case RunnerCall::Check:
    case RunnerCall::MayEnd:
    case RunnerCall::Touch: return true;
    case RunnerCall::None:
      return Alike.contains(Callee) || Callee->getName() == Begin || Callee->getName() == Iterations ||
             Callee->getName() == End;
    default: return false;
    }
  }

  /// Whether every iteration does the same: only the decision to continue depends on the iteration.
  bool iterationsAreAlike(const Loop &L) const {
    SmallPtrSet<const Value *, 16> Numbered;
    SmallVector<const Value *, 16> Work;
    for (const PHINode &Phi : L.getHeader()->phis())
      Work.push_back(&Phi);
    while (!Work.empty()) {
      const Value *V = Work.pop_back_val();
      if (!Numbered.insert(V).second)
        continue;
      for (const User *U : V->users()) {
        const auto *I = cast<Instruction>(U);
        if (!L.contains(I) || isa<CallBase>(I) || (I->isTerminator() && I->getParent() != L.getLoopLatch()))
          return false;
        Work.push_back(I);
      }
    }
    for (const BasicBlock *B : L.blocks())
      for (const Instruction &I : *B) {
        if (!isAlike(I))
          return false;
        for (const User *U : I.users())
          if (!L.contains(cast<Instruction>(U)))
            return false;
      }
    return true;
  }

  /// Whether anything is allocated; otherwise counting does not pay.
  static bool allocates(const Loop &L) {
    for (const BasicBlock *B : L.blocks())
      for (const Instruction &I : *B)
        if (const auto *Call = dyn_cast<CallBase>(&I); Call && !isa<IntrinsicInst>(Call))
          return true;
    return false;
  }

  /// The iterations of an odometer: a few counters, each of which advances when the one before it starts over.
  struct Digit {
    Value *Next;   ///< the counter's value in the next iteration
    Value *Start;  ///< null for the last counter
    Value *Finish; ///< where it starts over; for the last counter, where the loop ends
  };

  /// Whether V is the same in all iterations, and known at the end of one. Nothing is written in the loop.
  static bool isFixed(const Value *V, const Loop &L, const DominatorTree &DT) {
    const auto *I = dyn_cast<Instruction>(V);
    if (!I || !L.contains(I))
      return true;
    const auto *Load = dyn_cast<LoadInst>(I);
    return Load && L.isLoopInvariant(Load->getPointerOperand()) &&
           DT.dominates(Load, L.getLoopLatch()->getTerminator());
  }

  /// The loop's counters from the first to the last; empty if it is no odometer.
  static SmallVector<Digit, 4> odometerOf(const Loop &L, const BranchInst &Leave, const DominatorTree &DT) {
    using namespace PatternMatch;
    const BasicBlock *Latch = L.getLoopLatch();
    SmallVector<Digit, 4> Digits;
    const auto *Ends = dyn_cast<ICmpInst>(Leave.getCondition());
    if (!Ends || !Ends->getOperand(0)->getType()->isIntegerTy(64))
      return {};
    const bool TrueGoesOn = Leave.getSuccessor(0) == L.getHeader();
    if ((TrueGoesOn ? Ends->getPredicate() : Ends->getInversePredicate()) != CmpInst::ICMP_SLT)
      return {};
    Value *Shown = Ends->getOperand(0), *Finish = Ends->getOperand(1);
    Digits.push_back({Shown, nullptr, Finish});
    // From the last counter down: shown = counter + carry, where the carry says that the previous counter starts over.
    for (;;) {
      Value *Before, *Carry, *Start, *Again;
      const auto *Counter = dyn_cast<Instruction>(Shown);
      if (!Counter || !L.contains(Counter) || !isFixed(Finish, L, DT))
        return {};
      if (!match(Counter, m_c_Add(m_Value(Before), m_ZExt(m_Value(Carry)))) || !Carry->getType()->isIntegerTy(1)) {
        if (!match(Counter, m_Add(m_Value(Before), m_One())))
          return {};
        Carry = nullptr;
      }
      const auto *Phi = dyn_cast<PHINode>(Before);
      if (!Phi || Phi->getParent() != L.getHeader())
        return {};
      Value *Next = Phi->getIncomingValueForBlock(Latch);
      Digit &Here = Digits.back();
      if (!Here.Start && Digits.size() == 1) {
        if (Next != Shown)
          return {};
      } else if (!match(Next, m_Select(m_Value(Again), m_Specific(Here.Start), m_Specific(Shown)))) {
        return {};
      }
      Here.Next = Next;
      if (!Carry)
        break;
      const auto *Over = dyn_cast<ICmpInst>(Carry);
      if (!Over || Over->getPredicate() != CmpInst::ICMP_EQ)
        return {};
      Shown = Over->getOperand(0), Finish = Over->getOperand(1);
      Start = startOf(Carry, Shown, L);
      if (!Start || !isFixed(Start, L, DT))
        return {};
      Digits.push_back({nullptr, Start, Finish});
    }
    std::reverse(Digits.begin(), Digits.end());
    return Digits;
  }

  /// The value with which a counter starts over if StartsOver; else it is Shown.
  static Value *startOf(Value *StartsOver, Value *Shown, const Loop &L) {
    for (User *U : StartsOver->users())
      if (auto *Choice = dyn_cast<SelectInst>(U); Choice && L.contains(Choice) && Choice->getFalseValue() == Shown)
        return Choice->getTrueValue();
    return nullptr;
  }

  /// At the end of the first iteration: the trip count; 0 if the counters are not in their initial state.
  Value *tripCountOf(ArrayRef<Digit> Digits, IRBuilder<> &B) {
    Type *I64 = B.getInt64Ty();
    Value *Fits = B.getTrue(), *Unit = B.getInt64(1), *Done = B.getInt64(0), *All = nullptr;
    auto Multiply = [&](Value *Left, Value *Right) {
      Value *Both = B.CreateBinaryIntrinsic(Intrinsic::umul_with_overflow, Left, Right);
      Fits = B.CreateAnd(Fits, B.CreateNot(B.CreateExtractValue(Both, 1)));
      return B.CreateExtractValue(Both, 0);
    };
    for (const Digit &Each : Digits) {
      Fits = B.CreateAnd(Fits, B.CreateICmpSLT(Each.Next, Each.Finish));
      if (!Each.Start) {
        // Complete rounds of the counters so far, minus what these have already done.
        All = B.CreateSub(Multiply(B.CreateSub(Each.Finish, Each.Next), Unit), Done);
        break;
      }
      Fits = B.CreateAnd(Fits, B.CreateICmpSLE(Each.Start, Each.Next));
      Done = B.CreateAdd(Done, Multiply(B.CreateSub(Each.Next, Each.Start), Unit));
      Unit = Multiply(Unit, B.CreateSub(Each.Finish, Each.Start));
    }
    return B.CreateSelect(Fits, B.CreateAdd(All, B.getInt64(1)), Constant::getNullValue(I64));
  }

  bool count(Loop &L, ScalarEvolution &SE, const DominatorTree &DT) {
    BasicBlock *Before = L.getLoopPreheader(), *Latch = L.getLoopLatch(), *After = L.getExitBlock();
    if (!Before || !Latch || !After || L.getExitingBlock() != Latch || !L.hasDedicatedExits() || !allocates(L) ||
        !iterationsAreAlike(L))
      return false;
    auto *Leave = dyn_cast<BranchInst>(Latch->getTerminator());
    const SCEV *Backwards = SE.getBackedgeTakenCount(&L);
    if (!Leave || !Leave->isConditional())
      return false;
    IRBuilder<> B(Before->getTerminator());
    Type *Void = B.getVoidTy();
    Value *All = nullptr;
    if (isa<SCEVCouldNotCompute>(Backwards)) {
      SmallVector<Digit, 4> Digits = odometerOf(L, *Leave, DT);
      if (Digits.empty())
        return false;
      B.CreateCall(M.getOrInsertFunction(Begin, Void));
      B.SetInsertPoint(Leave);
      All = tripCountOf(Digits, B);
    } else {
      compat::Expander Expander(SE, M.getDataLayout());
      if (Backwards->getType()->getIntegerBitWidth() > 64 || !Expander.isSafeToExpand(Backwards))
        return false;
      Value *Further = Expander.expandCodeFor(Backwards, Backwards->getType(), Before->getTerminator()->getIterator());
      All = B.CreateAdd(B.CreateZExt(Further, B.getInt64Ty()), B.getInt64(1));
      B.CreateCall(M.getOrInsertFunction(Begin, Void));
      B.SetInsertPoint(Leave);
    }
    Value *Enough = B.CreateICmpNE(
        B.CreateCall(M.getOrInsertFunction(Iterations, B.getInt32Ty(), B.getInt64Ty()), {All}), B.getInt32(0));
    Value *Over = Leave->getCondition();
    bool LeavesOnTrue = Leave->getSuccessor(0) == After;
    Leave->setCondition(LeavesOnTrue ? B.CreateOr(Over, Enough) : B.CreateAnd(Over, B.CreateNot(Enough)));
    B.SetInsertPoint(After, After->getFirstInsertionPt());
    B.CreateCall(M.getOrInsertFunction(End, Void));
    SE.forgetLoop(&L);
    return true;
  }

  Module &M;
  FunctionAnalysisManager &FAM;
  SmallPtrSet<const Function *, 16> Alike;
};

} // namespace

void countAlikeIterations(Module &M, FunctionAnalysisManager &FAM) {
  Counter Counting(M, FAM);
  for (Function &F : M)
    if (!F.isDeclaration())
      Counting.run(F);
}

} // namespace memshape
