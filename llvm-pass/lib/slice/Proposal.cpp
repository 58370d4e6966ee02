// Which way a decision goes by default.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "slice/Proposal.h"
#include "libraries/Summaries.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace memshape {

/// The branch that V decides by itself, straight or negated; Negated tells which.
static BranchInst *branchOn(Value *V, bool &Negated, unsigned Depth = 0) {
  for (User *U : V->users()) {
    if (auto *Branch = dyn_cast<BranchInst>(U))
      return Branch;
    auto *I = dyn_cast<Instruction>(U);
    if (!I || Depth > 3 || !I->getType()->isIntegerTy(1))
      continue;
    bool Flip = PatternMatch::match(I, PatternMatch::m_Not(PatternMatch::m_Specific(V)));
    if (BranchInst *Branch = branchOn(I, Negated, Depth + 1)) {
      Negated ^= Flip;
      return Branch;
    }
  }
  return nullptr;
}

Proposer::Regions::Regions(Function &F, const Slice &S) : DT(F), LI(DT) {
  for (const DomTreeNode *Node : post_order(DT.getRootNode())) {
    unsigned Live = 0;
    for (const Instruction &I : *Node->getBlock())
      Live += S.isLive(&I);
    for (const DomTreeNode *Child : Node->children())
      Live += Weight.lookup(Child->getBlock());
    Weight[Node->getBlock()] = Live;
  }
}

unsigned Proposer::Regions::weightBehind(const BasicBlockEdge &Edge) const {
  return DT.dominates(Edge, Edge.getEnd()) ? Weight.lookup(Edge.getEnd()) : 0;
}

const Proposer::Regions &Proposer::regionsOf(Function &F) {
  std::unique_ptr<Regions> &Of = Known[&F];
  if (!Of)
    Of = std::make_unique<Regions>(F, S);
  return *Of;
}

/// Whether Verdict says that an argument is no null pointer.
static bool saysThatArgumentIsThere(const Instruction &Verdict) {
  const auto *Compare = dyn_cast<ICmpInst>(&Verdict);
  return Compare && Compare->getPredicate() == ICmpInst::ICMP_NE && isa<ConstantPointerNull>(Compare->getOperand(1)) &&
         isa<Argument>(Compare->getOperand(0)->stripPointerCasts());
}

Proposal Proposer::byWeight(Instruction &Verdict) {
  Proposal P;
  P.Answer = saysThatArgumentIsThere(Verdict);
  const Regions &In = regionsOf(*Verdict.getFunction());
  const LoopInfo &LI = In.LI;
  P.InLoop = LI.getLoopFor(Verdict.getParent()) != nullptr;
  bool Negated = false;
  BranchInst *Branch = branchOn(&Verdict, Negated);
  if (!Branch)
    return P;
  BasicBlock *Yes = Branch->getSuccessor(0), *No = Branch->getSuccessor(1);
  bool TakeYes;
  Loop *L = LI.getLoopFor(Branch->getParent());
  if (L && L->contains(Yes) != L->contains(No)) {
    SmallVector<BasicBlock *, 4> Exiting;
    L->getExitingBlocks(Exiting);
    bool Stay = Exiting.size() > 1;
    TakeYes = L->contains(Yes) == Stay;
    P.Effect = Stay ? DecisionEffect::MayEndLoop : DecisionEffect::EndsLoop;
  } else {
    unsigned YesWeight = In.weightBehind({Branch->getParent(), Yes});
    unsigned NoWeight = In.weightBehind({Branch->getParent(), No});
    P.Effect = DecisionEffect::ChoosesAllocations;
    if (YesWeight == NoWeight && P.Answer)
      return P;
    TakeYes = YesWeight > NoWeight;
  }
  P.Answer = TakeYes != Negated;
  return P;
}

/// What Verdict says of a variable that still has the value that it was defined with; nothing where it asks about
/// something else. Whoever may have set it - a handler of errors, a hook, a switch for messages -, mostly nobody has.
static std::optional<bool> answerOfInitialValue(const Instruction &Verdict) {
  const auto *Compare = dyn_cast<ICmpInst>(&Verdict);
  const auto *Load = Compare ? dyn_cast<LoadInst>(Compare->getOperand(0)) : nullptr;
  const auto *Variable = Load ? dyn_cast<GlobalVariable>(Load->getPointerOperand()) : nullptr;
  auto *Against = Compare ? dyn_cast<Constant>(Compare->getOperand(1)) : nullptr;
  if (!Variable || !Variable->hasInitializer() || !Against || Variable->getValueType() != Load->getType())
    return std::nullopt;
  const auto *Answer = dyn_cast_or_null<ConstantInt>(
      ConstantFoldCompareInstOperands(Compare->getPredicate(), const_cast<Constant *>(Variable->getInitializer()),
                                      Against, Verdict.getModule()->getDataLayout()));
  return Answer && Answer->getType()->isIntegerTy(1) ? std::optional(Answer->isOne()) : std::nullopt;
}

static int statusOf(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && Callee->isDeclaration() && !Callee->isIntrinsic() ? summaryOf(*Callee).Status : Summary::NoStatus;
}

/// V is what a library call said about how it went.
static bool isStatus(const Value *V) {
  if (const auto *Call = dyn_cast<CallBase>(V))
    return statusOf(*Call) == Summary::InResult;
  if (const auto *Phi = dyn_cast<PHINode>(V))
    return all_of(Phi->incoming_values(), [](const Use &U) { return !isa<PHINode>(U.get()) && isStatus(U.get()); });
  const auto *Load = dyn_cast<LoadInst>(V);
  const auto *Variable = Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
  return Variable && any_of(Variable->users(), [&](const User *U) {
           const auto *Call = dyn_cast<CallBase>(U);
           int Argument = Call ? statusOf(*Call) : Summary::NoStatus;
           return Argument >= 0 && unsigned(Argument) < Call->arg_size() && Call->getArgOperand(Argument) == Variable;
         });
}

/// What Verdict says where the library call that it asks about went well; nothing where it asks about something else. A
/// factorisation can fail, and says so: `info != 0`. Whether it does is up to the data, so the comparison is a decision;
/// the answer that is taken by default is the one of a call that went well.
static std::optional<bool> answerOfSuccess(const Instruction &Verdict) {
  const auto *Compare = dyn_cast<ICmpInst>(&Verdict);
  auto *Against = Compare ? dyn_cast<ConstantInt>(Compare->getOperand(1)) : nullptr;
  if (!Against || !isStatus(Compare->getOperand(0)))
    return std::nullopt;
  const APInt Success(Against->getBitWidth(), 0);
  return ICmpInst::compare(Success, Against->getValue(), Compare->getPredicate());
}

Proposal Proposer::propose(Instruction &Verdict) {
  Proposal P = byWeight(Verdict);
  if (std::optional<bool> Initially = answerOfInitialValue(Verdict))
    P.Answer = *Initially;
  if (std::optional<bool> Succeeded = answerOfSuccess(Verdict)) {
    P.Answer = *Succeeded;
    P.Succeeds = true;
  }
  return P;
}

} // namespace memshape
