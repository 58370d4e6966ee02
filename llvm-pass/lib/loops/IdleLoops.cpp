// Loops that only ask decisions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Is any sample negative?" asks once for each sample, and the result is one truth value, or whether the loop is left
// early. Data can make it either, so one question is equivalent:
//
//   for (i = 0; i < n; ++i)                         if (decide(early))
//     if (decide(early)) goto Found;       -->        goto Found;
//   goto None;                                      goto None;
//
// What follows from the trip count alone is ignored (a loop of one iteration may have fewer outcomes). So more outcomes
// may seem possible than are, never fewer.

#include "Compat.h"
#include "loops/Loops.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace memshape {

namespace {

bool isDecide(const Value *V) {
  const auto *Call = dyn_cast<CallInst>(V);
  return Call && runnerCall(*Call) == RunnerCall::Decide;
}

class Collapser {
public:
  Collapser(Function &F, LoopInfo &LI, DominatorTree &DT, ScalarEvolution &SE) : F(F), LI(LI), DT(DT), SE(SE) {}
  bool collapse(Loop &L);

private:
  /// An exit of the loop: its branch, and whether it is taken when the branch's condition holds.
  struct Exit {
    BranchInst *Branch;
    BasicBlock *To;
    bool OnTrue;
    CallInst *Decision; ///< the decision that it depends on; null if it depends on the trip count alone
  };

  bool findExits(Loop &L, SmallVectorImpl<Exit> &Exits);
  CallInst *decisionBehind(Value *V, const Loop &L, unsigned Depth = 0) const;
  std::optional<bool> outcome(Value *V, const Loop &L, bool Answer, const CallInst *Of, unsigned Depth = 0) const;
  Value *knownOutside(Value *V, Loop &L, const Exit &E);
  bool canBeAsked(Value *V, const Loop &L) const;
  Value *ask(IRBuilder<> &B, CallInst &Decision, std::optional<bool> Proposed = std::nullopt) const;
  bool leadsToMore(const Exit &E, ArrayRef<Exit> All) const;
  Value *askFor(IRBuilder<> &B, Value *V, const Loop &L) const;

  /// The value of a phi behind the loop: one that is known in front of the loop, or null for a question.
  DenseMap<std::pair<const BasicBlock *, const PHINode *>, Value *> Known;
  SmallVector<BasicBlock *, 0> Order; ///< of the function's blocks, in which an iteration reaches them

  Function &F;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
};

} // namespace

static bool onlyAsks(const Loop &L) {
  bool Asks = false;
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      if (isDecide(&I)) {
        Asks = true;
        continue;
      }
      if (I.mayHaveSideEffects() || (isa<CallBase>(I) && !isa<IntrinsicInst>(I)))
        return false;
    }
  return Asks;
}

static CallInst *firstDecision(const Loop &L) {
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (isDecide(&I))
        return cast<CallInst>(&I);
  return nullptr;
}

/// A decision inside L that V depends on.
CallInst *Collapser::decisionBehind(Value *V, const Loop &L, unsigned Depth) const {
  const unsigned MaxDepth = 12;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I) || Depth > MaxDepth)
    return nullptr;
  if (isDecide(I))
    return cast<CallInst>(I);
  if (I->getParent() == L.getHeader() && isa<PHINode>(I) && Depth > 0 && !I->getType()->isIntOrIntVectorTy(1))
    return nullptr; // a number of the iteration
  for (Value *Operand : I->operands())
    if (CallInst *Found = decisionBehind(Operand, L, Depth + 1))
      return Found;
  return nullptr;
}

/// The value of V if Of is answered Answer; nothing if that does not determine it.
std::optional<bool> Collapser::outcome(Value *V, const Loop &L, bool Answer, const CallInst *Of, unsigned Depth) const {
  const unsigned MaxDepth = 6;
  if (V == Of)
    return Answer;
  if (auto *C = dyn_cast<ConstantInt>(V))
    return !C->isZero();
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > MaxDepth)
    return std::nullopt;
  const auto Side = [&](unsigned Operand) { return outcome(I->getOperand(Operand), L, Answer, Of, Depth + 1); };
  switch (I->getOpcode()) {
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::Freeze: return Side(0);
  case Instruction::Or:
  case Instruction::And: {
    const bool Decides = I->getOpcode() == Instruction::Or;
    std::optional<bool> A = Side(0), B = Side(1);
    if ((A && *A == Decides) || (B && *B == Decides))
      return Decides;
    return A && B ? std::optional<bool>(!Decides) : std::nullopt;
  }
  case Instruction::Xor: {
    std::optional<bool> A = Side(0), B = Side(1);
    return A && B && I->getType()->isIntegerTy(1) ? std::optional<bool>(*A != *B) : std::nullopt;
  }
  case Instruction::Select: {
    std::optional<bool> Condition = Side(0), A = Side(1), B = Side(2);
    if (Condition)
      return *Condition ? A : B;
    return A && B && *A == *B ? A : std::nullopt;
  }
  case Instruction::ICmp: {
    auto *C = dyn_cast<ConstantInt>(I->getOperand(1));
    std::optional<bool> A = Side(0);
    if (!A || !C || !C->isZero() || !cast<ICmpInst>(I)->isEquality())
      return std::nullopt;
    return *A != (cast<ICmpInst>(I)->getPredicate() == ICmpInst::ICMP_EQ);
  }
  default: return std::nullopt;
  }
}

bool Collapser::findExits(Loop &L, SmallVectorImpl<Exit> &Exits) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  unsigned Counted = 0;
  if (Order.empty())
    append_range(Order, ReversePostOrderTraversal<Function *>(&F));
  for (BasicBlock *BB : Order) {
    if (!is_contained(Exiting, BB))
      continue;
    auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
    if (!Branch || !Branch->isConditional())
      return false;
    const bool OnTrue = !L.contains(Branch->getSuccessor(0));
    if (OnTrue && !L.contains(Branch->getSuccessor(1)))
      return false;
    CallInst *Decision = decisionBehind(Branch->getCondition(), L);
    Counted += !Decision;
    Exits.push_back({Branch, Branch->getSuccessor(OnTrue ? 0 : 1), OnTrue, Decision});
  }
  // With several exits by trip count, the trip count would have to tell which one is taken.
  return !Exits.empty() && Counted <= 1;
}

/// V's value when E is taken, computed in front of the loop; null if that is impossible.
Value *Collapser::knownOutside(Value *V, Loop &L, const Exit &E) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (!SE.isSCEVable(V->getType()))
    return nullptr;
  const SCEV *Last = SE.getSCEV(V);
  if (const auto *Step = dyn_cast<SCEVAddRecExpr>(Last); Step && Step->getLoop() == &L && !E.Decision) {
    const SCEV *Iterations = SE.getExitCount(&L, E.Branch->getParent());
    if (isa<SCEVCouldNotCompute>(Iterations))
      return nullptr;
    Last = Step->evaluateAtIteration(Iterations, SE);
  }
  compat::Expander Expander(SE, F.getParent()->getDataLayout());
  if (isa<SCEVCouldNotCompute>(Last) || !SE.isLoopInvariant(Last, &L) || !Expander.isSafeToExpand(Last))
    return nullptr;
  return Expander.expandCodeFor(Last, V->getType(), L.getLoopPreheader()->getTerminator()->getIterator());
}

/// Whether V is a truth value that data can make either.
bool Collapser::canBeAsked(Value *V, const Loop &L) const {
  return V->getType()->isIntOrIntVectorTy(1) && !isa<ScalableVectorType>(V->getType()) && decisionBehind(V, L);
}

Value *Collapser::ask(IRBuilder<> &B, CallInst &Decision, std::optional<bool> Proposed) const {
  Value *Answer = Decision.getArgOperand(1); // of a pointer in the loop, perhaps
  if (Proposed || !isa<Constant>(Answer))
    Answer = B.getInt32(Proposed.value_or(false));
  CallInst *Again = B.CreateCall(Decision.getCalledFunction(), {Decision.getArgOperand(0), Answer});
  Again->setDebugLoc(Decision.getDebugLoc());
  return B.CreateTrunc(Again, B.getInt1Ty());
}

Value *Collapser::askFor(IRBuilder<> &B, Value *V, const Loop &L) const {
  CallInst &Decision = *decisionBehind(V, L);
  if (auto *Vector = dyn_cast<FixedVectorType>(V->getType())) {
    Value *All = PoisonValue::get(Vector);
    for (unsigned Element = 0; Element != Vector->getNumElements(); ++Element)
      All = B.CreateInsertElement(All, ask(B, Decision), Element);
    return All;
  }
  return ask(B, Decision);
}

/// The comparisons that are the only uses of Phi and of phis that take it over; none if there are other uses. Phis that
/// count iterations are excluded, because that count must be exact.
static bool onlyCompared(PHINode &Phi, const Loop &L, const LoopInfo &LI,
                         SmallSetVector<Instruction *, 4> &Comparisons) {
  const auto Counts = [&](const Instruction &Compare) {
    const Loop *Around = LI.getLoopFor(Compare.getParent());
    return Around && !Around->contains(&L) && !Around->hasLoopInvariantOperands(&Compare);
  };
  SmallSetVector<PHINode *, 8> Work;
  Work.insert(&Phi);
  for (unsigned I = 0; I != Work.size(); ++I)
    for (User *U : Work[I]->users()) {
      if (auto *Next = dyn_cast<PHINode>(U); Next && !L.contains(Next))
        Work.insert(Next);
      else if (isa<ICmpInst>(U) && !L.contains(cast<Instruction>(U)) && !Counts(*cast<Instruction>(U)))
        Comparisons.insert(cast<Instruction>(U));
      else
        return false;
    }
  return true;
}

/// Whether more instructions depend on E than on the other exits.
bool Collapser::leadsToMore(const Exit &E, ArrayRef<Exit> All) const {
  const auto Reach = [](ArrayRef<BasicBlock *> From) {
    SmallSetVector<BasicBlock *, 32> Blocks(From.begin(), From.end());
    for (unsigned I = 0; I != Blocks.size(); ++I)
      for (BasicBlock *Next : successors(Blocks[I]))
        Blocks.insert(Next);
    return Blocks;
  };
  SmallVector<BasicBlock *, 4> Others;
  for (const Exit &Other : All)
    if (Other.To != E.To)
      Others.push_back(Other.To);
  const auto Here = Reach(E.To), There = Reach(Others);
  std::size_t Mine = 0, Theirs = 0;
  for (BasicBlock *BB : Here)
    Mine += There.contains(BB) ? 0 : BB->size();
  for (BasicBlock *BB : There)
    Theirs += Here.contains(BB) ? 0 : BB->size();
  return Mine > Theirs;
}

bool Collapser::collapse(Loop &L) {
  BasicBlock *Before = L.getLoopPreheader();
  if (!Before)
    return false;
  SmallVector<Exit, 4> Exits;
  if (!findExits(L, Exits))
    return false;
  formLCSSA(L, DT, &LI, nullptr);
  // Numbers that are only compared: the comparisons count as data, too.
  SmallSetVector<Instruction *, 4> Compared;
  for (const Exit &E : Exits)
    for (PHINode &Phi : E.To->phis()) {
      Value *V = Phi.getIncomingValueForBlock(E.Branch->getParent());
      Value *&There = Known[{E.Branch->getParent(), &Phi}];
      if (canBeAsked(V, L) || (There = knownOutside(V, L, E)))
        continue;
      if (!Phi.getType()->isIntegerTy() || !onlyCompared(Phi, L, LI, Compared))
        return false;
      There = Constant::getNullValue(Phi.getType());
    }
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      for (const User *U : I.users())
        if (const auto *Outside = cast<Instruction>(U); !L.contains(Outside) && !isa<PHINode>(Outside))
          return false;
  // The exit by trip count comes last: it is taken if no decision takes another one. Without it, the last decision
  // always ends the loop.
  SmallVector<Exit, 4> Ordered;
  for (bool Decided : {true, false})
    for (const Exit &E : Exits)
      if ((E.Decision != nullptr) == Decided)
        Ordered.push_back(E);
  CallInst &AnyOfThem = *firstDecision(L);
  for (Instruction *Compare : Compared) {
    IRBuilder<> B(Compare);
    Compare->replaceAllUsesWith(ask(B, AnyOfThem));
    Compare->eraseFromParent();
  }
  BasicBlock *From = BasicBlock::Create(F.getContext(), "", &F, L.getHeader());
  Before->getTerminator()->replaceSuccessorWith(L.getHeader(), From);
  for (PHINode &Phi : make_early_inc_range(L.getHeader()->phis()))
    Phi.removeIncomingValue(Before, /*DeletePHIIfEmpty=*/false);
  for (const Exit &E : Ordered) {
    IRBuilder<> B(From);
    const bool Last = &E == &Ordered.back();
    for (PHINode &Phi : E.To->phis()) {
      Value *V = Known.lookup({E.Branch->getParent(), &Phi});
      Phi.addIncoming(V ? V : askFor(B, Phi.getIncomingValueForBlock(E.Branch->getParent()), L), From);
    }
    if (Last) {
      B.CreateBr(E.To);
      break;
    }
    BasicBlock *Next = BasicBlock::Create(F.getContext(), "", &F, L.getHeader());
    // The answers lead where they led in the loop, if they alone determined that.
    std::optional<bool> Yes = outcome(E.Branch->getCondition(), L, true, E.Decision),
                        No = outcome(E.Branch->getCondition(), L, false, E.Decision);
    const bool LeavesOnYes = Yes ? *Yes == E.OnTrue : No ? *No != E.OnTrue : E.OnTrue;
    // A search is proposed to succeed if more depends on its success than on its failure.
    Value *Answer = ask(B, *E.Decision, leadsToMore(E, Ordered) == LeavesOnYes);
    B.CreateCondBr(Answer, LeavesOnYes ? E.To : Next, LeavesOnYes ? Next : E.To);
    From = Next;
  }
  return true;
}

/// Removes decisions whose answers are unused.
static bool dropUnusedDecisions(Function &F) {
  SmallVector<Instruction *, 8> Unused;
  for (Instruction &I : instructions(F))
    if (isDecide(&I) && all_of(I.users(), [](const User *U) { return U->use_empty() && isa<CastInst>(U); }))
      Unused.push_back(&I);
  for (Instruction *I : Unused) {
    for (User *U : make_early_inc_range(I->users()))
      cast<Instruction>(U)->eraseFromParent();
    I->eraseFromParent();
  }
  return !Unused.empty();
}

static bool collapseOne(Function &F, FunctionAnalysisManager &FAM) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &AC = FAM.getResult<AssumptionAnalysis>(F);
  SmallVector<Loop *, 8> Idle = LI.getLoopsInPreorder();
  erase_if(Idle, [](const Loop *L) { return !L->isInnermost() || !onlyAsks(*L); });
  // SE knows nothing so far; to forget it loop by loop takes the square of their number.
  for (Loop *L : reverse(Idle))
    simplifyLoop(L, &DT, &LI, /*SE=*/nullptr, &AC, nullptr, /*PreserveLCSSA=*/false);
  Collapser Collapses(F, LI, DT, SE);
  if (none_of(reverse(Idle), [&](Loop *L) { return Collapses.collapse(*L); }))
    return false;
  FAM.invalidate(F, PreservedAnalyses::none());
  removeUnreachableBlocks(F);
  return true;
}

bool askOnceForIdleLoops(Module &M, FunctionAnalysisManager &FAM) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    FAM.invalidate(F, PreservedAnalyses::none());
    Changed |= dropUnusedDecisions(F);
    const unsigned Most = 1000;
    unsigned Collapsed = 0;
    while (Collapsed < Most && collapseOne(F, FAM))
      ++Collapsed;
    if (Collapsed)
      dropUnusedDecisions(F);
    Changed |= Collapsed > 0;
    FAM.invalidate(F, PreservedAnalyses::none());
  }
  return Changed;
}

} // namespace memshape
