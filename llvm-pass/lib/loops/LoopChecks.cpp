// Tests that each iteration of a loop makes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slice drops loops that only compute, and with them the checks inside. Where the number of iterations can be
// computed, and the condition of a check follows the loop's counter, it is known in front of the loop whether any
// iteration fails it:
//
//     for i from 0 to n - 1                 check(n - 1 >= size)
//       check(i >= size)             ->     for i from 0 to n - 1
//       ...                                   ...
//
// A check of what no iteration changes moves even where that number is not known, if each run of the loop comes to it.

#include "Compat.h"
#include "loops/Loops.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace memshape {

/// Whether V is the same in each iteration of L. What computes it then moves in front of L.
static bool isAlike(Value *V, const Loop &L, ScalarEvolution &SE) {
  bool Changed = false;
  return L.makeLoopInvariant(V, Changed, L.getLoopPreheader()->getTerminator(), nullptr, &SE);
}

namespace {

/// Writes, in front of a loop, conditions that any of its iterations may meet.
class AnyIteration {
public:
  /// Last: the number of the last iteration that comes to the check, counted from 0; null where that is not known.
  AnyIteration(const Loop &L, const SCEV *Last, ScalarEvolution &SE, Instruction &Before)
      : L(L), Last(Last), SE(SE), Made(SE, Before.getDataLayout()), Before(Before), B(&Before) {}

  /// Condition, or its contrary, in any iteration; null where that cannot be told.
  Value *meets(Value *Condition, bool Contrary) {
    Value *One, *Other;
    if (isAlike(Condition, L, SE))
      return Contrary ? B.CreateNot(Condition) : Condition;
    if (match(Condition, m_Not(m_Value(One))))
      return meets(One, !Contrary);
    if (Contrary ? match(Condition, m_LogicalAnd(m_Value(One), m_Value(Other)))
                 : match(Condition, m_LogicalOr(m_Value(One), m_Value(Other)))) {
      Value *First = meets(One, Contrary), *Second = First ? meets(Other, Contrary) : nullptr;
      return Second ? B.CreateLogicalOr(First, Second) : nullptr;
    }
    const auto *Compare = dyn_cast<ICmpInst>(Condition);
    if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy())
      return nullptr;
    CmpInst::Predicate Is = Contrary ? Compare->getInversePredicate() : Compare->getPredicate();
    const SCEV *Left = SE.getSCEV(Compare->getOperand(0)), *Right = SE.getSCEV(Compare->getOperand(1));
    if (SE.isLoopInvariant(Left, &L)) {
      std::swap(Left, Right);
      Is = CmpInst::getSwappedPredicate(Is);
    }
    const auto *Counter = Last ? dyn_cast<SCEVAddRecExpr>(Left) : nullptr;
    return Counter && Counter->getLoop() == &L && Counter->isAffine() && SE.isLoopInvariant(Right, &L)
               ? meets(*Counter, Is, *Right)
               : nullptr;
  }

  /// A comparison in front of the loop; null where one side cannot be computed there.
  Value *compare(CmpInst::Predicate Is, const SCEV *One, const SCEV *Other) {
    if (!Made.isSafeToExpandAt(One, &Before) || !Made.isSafeToExpandAt(Other, &Before))
      return nullptr;
    Value *Left = Made.expandCodeFor(One, One->getType(), &Before);
    return B.CreateICmp(Is, Left, Made.expandCodeFor(Other, Other->getType(), &Before));
  }

private:
  /// Counter goes up or down without starting over: what holds in any iteration holds in the first or the last. By more
  /// than one it may start over between the two, unless the source forbids it.
  Value *meets(const SCEVAddRecExpr &Counter, CmpInst::Predicate Is, const SCEV &Limit) {
    const SCEV *Step = Counter.getStepRecurrence(SE), *First = Counter.getStart();
    const bool ByOne = Step->isOne() || Step->isAllOnesValue(), Rises = SE.isKnownPositive(Step);
    const bool GoesOn = CmpInst::isSigned(Is) ? Counter.hasNoSignedWrap() : Rises && Counter.hasNoUnsignedWrap();
    if (SE.getTypeSizeInBits(Last->getType()) > SE.getTypeSizeInBits(Counter.getType()) ||
        !(ByOne || (GoesOn && isa<SCEVConstant>(Step) && CmpInst::isRelational(Is))))
      return nullptr;
    const SCEV *Turns = SE.getTruncateOrZeroExtend(Last, Counter.getType());
    if (Is == CmpInst::ICMP_EQ)
      return compare(CmpInst::ICMP_ULE, Rises ? SE.getMinusSCEV(&Limit, First) : SE.getMinusSCEV(First, &Limit), Turns);
    if (!CmpInst::isRelational(Is))
      return nullptr;
    const SCEV *End = Counter.evaluateAtIteration(Turns, SE);
    const bool AtEnd = Rises == (ICmpInst::isGT(Is) || ICmpInst::isGE(Is));
    const auto Upwards = CmpInst::isSigned(Is) ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
    Value *Straight = Rises ? compare(Upwards, First, End) : compare(Upwards, End, First);
    Value *There = Straight ? compare(Is, AtEnd ? End : First, &Limit) : nullptr;
    return There ? B.CreateAnd(Straight, There) : nullptr;
  }

  const Loop &L;
  const SCEV *Last;
  ScalarEvolution &SE;
  compat::Expander Made;
  Instruction &Before;
  IRBuilder<> B;
};

} // namespace

/// The conditions in front of which an iteration of L comes to At, all the same in each; At moves up to what each comes to.
static bool findGuards(BasicBlock *&At, const Loop &L, ScalarEvolution &SE, const DominatorTree &DT,
                       SmallVectorImpl<std::pair<Value *, bool>> &Guards) {
  while (!DT.dominates(At, L.getLoopLatch())) {
    BasicBlock *Fork = DT.getNode(At)->getIDom()->getBlock();
    const auto *Branch = dyn_cast<BranchInst>(Fork->getTerminator());
    if (!Branch || !Branch->isConditional() || !L.contains(Fork) || !isAlike(Branch->getCondition(), L, SE))
      return false;
    const bool Yes = DT.dominates(BasicBlockEdge(Fork, Branch->getSuccessor(0)), At);
    if (!Yes && !DT.dominates(BasicBlockEdge(Fork, Branch->getSuccessor(1)), At))
      return false;
    Guards.emplace_back(Branch->getCondition(), Yes);
    At = Fork;
  }
  return true;
}

/// The check that stands for Check in front of the loop around it; null where there is none.
static CallInst *moved(CallInst &Check, const Loop &L, ScalarEvolution &SE, const DominatorTree &DT) {
  Value *Bad;
  BasicBlock *Front = L.getLoopPreheader(), *At = Check.getParent();
  SmallVector<std::pair<Value *, bool>, 2> Guards;
  if (!Front || !L.getLoopLatch() || !match(Check.getArgOperand(0), m_ZExt(m_Value(Bad))) ||
      !findGuards(At, L, SE, DT, Guards))
    return nullptr;
  Instruction &Before = *Front->getTerminator();
  // The iteration that leaves the loop comes to the check too, or leaves in front of it.
  SmallVector<BasicBlock *, 4> Exits;
  L.getExitingBlocks(Exits);
  const bool Always = all_of(Exits, [&](const BasicBlock *Exit) { return DT.dominates(At, Exit); });
  const SCEV *Count = L.getExitingBlock() ? SE.getBackedgeTakenCount(&L) : SE.getCouldNotCompute();
  const bool IsCounted = !isa<SCEVCouldNotCompute>(Count);
  if (!IsCounted && !Always)
    return nullptr;
  const SCEV *Last = !IsCounted ? nullptr : Always ? Count : SE.getMinusSCEV(Count, SE.getOne(Count->getType()));
  AnyIteration Any(L, Last, SE, Before);
  Value *Meets = Any.meets(Bad, /*Contrary=*/false);
  IRBuilder<> B(&Before);
  if (Meets && !Always) {
    Value *Comes = Any.compare(CmpInst::ICMP_NE, Count, SE.getZero(Count->getType()));
    Meets = Comes ? B.CreateLogicalAnd(Comes, Meets) : nullptr;
  }
  if (!Meets)
    return nullptr;
  for (const auto &[Condition, Yes] : Guards)
    Meets = B.CreateLogicalAnd(Yes ? Condition : B.CreateNot(Condition), Meets);
  CallInst *Moved = B.CreateCall(Check.getCalledFunction(), {B.CreateZExt(Meets, B.getInt32Ty())});
  Moved->setDebugLoc(Check.getDebugLoc());
  return Moved;
}

/// Without optimisation counters, and what they are compared with, lie in memory.
static void promoteVariables(Function &F, DominatorTree &DT, AssumptionCache &AC) {
  SmallVector<AllocaInst *, 16> Variables;
  for (Instruction &I : instructions(F))
    if (auto *Variable = dyn_cast<AllocaInst>(&I); Variable && isAllocaPromotable(Variable))
      Variables.push_back(Variable);
  PromoteMemToReg(Variables, DT, &AC);
}

void moveChecksOutOfLoops(Module &M, FunctionAnalysisManager &FAM) {
  for (Function &F : M) {
    SmallVector<CallInst *, 16> Checks;
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && runnerCall(*Call) == RunnerCall::Check)
        Checks.push_back(Call);
    if (Checks.empty())
      continue;
    FAM.invalidate(F, PreservedAnalyses::none());
    auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    auto &AC = FAM.getResult<AssumptionAnalysis>(F);
    if (none_of(Checks, [&](const CallInst *Check) { return LI.getLoopFor(Check->getParent()); }))
      continue;
    const SmallVector<Loop *, 8> Loops = LI.getLoopsInPreorder();
    promoteVariables(F, DT, AC);
    // SE knows nothing so far; to forget it loop by loop takes the square of their number.
    for (Loop *L : reverse(Loops))
      simplifyLoop(L, &DT, &LI, /*SE=*/nullptr, &AC, nullptr, /*PreserveLCSSA=*/false);
    for (CallInst *Check : Checks)
      while (const Loop *L = Check ? LI.getLoopFor(Check->getParent()) : nullptr) {
        CallInst *Moved = moved(*Check, *L, SE, DT);
        if (Moved)
          Check->eraseFromParent();
        Check = Moved;
      }
    FAM.invalidate(F, PreservedAnalyses::none());
  }
}

} // namespace memshape
