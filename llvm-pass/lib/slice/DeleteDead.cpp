// Deletes what a slice leaves dead.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner-calls/RunnerCalls.h"
#include "slice/Proposal.h"
#include "slice/Slice.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace memshape {

namespace {

class Deleter {
  Module &M;
  const Slice &S;
  DenseSet<const Instruction *> Added; ///< put in by us: live

public:
  Deleter(Module &Mod, const Slice &Sl) : M(Mod), S(Sl) {}
  void run();

private:
  void replaceDecision(Instruction &I, unsigned Id, const Proposal &P, bool OfArgument);
  Value *answerHere(IRBuilder<> &B, const Instruction &Decision, const Proposal &P) const;
  void replaceUnknown(CallBase &Call, unsigned Id);
  void simplifyBranches(Function &F);
  void deleteInstructions(Function &F);
  bool keeps(const Instruction &I) const { return S.isLive(&I) || Added.contains(&I); }
};

} // namespace

/// A value of type T from the 64-bit integer V.
static Value *asType(IRBuilder<> &B, Value *V, Type *T) {
  if (auto *Vector = dyn_cast<VectorType>(T))
    return B.CreateVectorSplat(Vector->getElementCount(), asType(B, V, Vector->getElementType()));
  if (T->isIntegerTy())
    return B.CreateZExtOrTrunc(V, T);
  if (T->isFloatingPointTy())
    return B.CreateUIToFP(V, T);
  return Constant::getNullValue(T);
}

/// Something is divided by V, which therefore is not 0.
static bool isDivisor(const Value &V) {
  return any_of(V.uses(), [](const Use &U) {
    const auto *User = dyn_cast<Instruction>(U.getUser());
    return User && ((User->isIntDivRem() && U.getOperandNo() == 1) || (isa<CastInst>(User) && isDivisor(*User)));
  });
}

/// The answer to Decision where all is as the answers so far have it: whether a pointer that the slice keeps is null.
/// With another answer the slice would go on to what no pointer leads to.
Value *Deleter::answerHere(IRBuilder<> &B, const Instruction &Decision, const Proposal &P) const {
  const auto *Compare = dyn_cast<ICmpInst>(&Decision);
  auto *Pointer = Compare && Compare->isEquality() && isa<ConstantPointerNull>(Compare->getOperand(1))
                      ? dyn_cast<Instruction>(Compare->getOperand(0))
                      : nullptr;
  if (!Pointer || isa<CallBase>(Pointer) || !S.isLive(Pointer) || S.isCutOff(Pointer))
    return B.getInt32(P.Answer);
  return B.CreateZExt(B.CreateICmp(Compare->getPredicate(), Pointer, Compare->getOperand(1)), B.getInt32Ty());
}

void Deleter::replaceDecision(Instruction &I, unsigned Id, const Proposal &P, bool OfArgument) {
  Instruction *At = isa<PHINode>(I) ? &*I.getParent()->getFirstInsertionPt() : &I;
  IRBuilder<> B(At);
  B.SetCurrentDebugLocation(I.getDebugLoc());
  bool IsBranch = I.getType()->isIntOrIntVectorTy(1);
  BasicBlock::iterator Before(At);
  bool AtStart = Before == At->getParent()->begin();
  BasicBlock::iterator Previous = AtStart ? Before : std::prev(Before);
  const auto Ask = [&]() -> Value * {
    if (OfArgument)
      return B.CreateCall(runnerFunction(M, RunnerCall::ArgumentData),
                          {B.getInt32(Id), B.getInt64(IsBranch ? P.Answer : isDivisor(I))});
    return IsBranch ? B.CreateZExt(
                          B.CreateCall(runnerFunction(M, RunnerCall::Decide), {B.getInt32(Id), answerHere(B, I, P)}),
                          B.getInt64Ty())
                    : B.CreateCall(runnerFunction(M, RunnerCall::Value), {B.getInt32(Id), B.getInt64(isDivisor(I))});
  };
  Value *Result;
  if (auto *Vector = dyn_cast<FixedVectorType>(I.getType()); IsBranch && Vector) {
    // Data may answer differently for each element.
    Result = PoisonValue::get(Vector);
    for (unsigned Element = 0; Element != Vector->getNumElements(); ++Element)
      Result = B.CreateInsertElement(Result, asType(B, Ask(), B.getInt1Ty()), Element);
  } else {
    Result = asType(B, Ask(), I.getType());
  }
  for (auto It = AtStart ? At->getParent()->begin() : std::next(Previous); It != Before; ++It)
    Added.insert(&*It);
  I.replaceAllUsesWith(Result);
}

void Deleter::replaceUnknown(CallBase &Call, unsigned Id) {
  IRBuilder<> B(&Call);
  if (S.mayFree(Call))
    Added.insert(B.CreateCall(runnerFunction(M, RunnerCall::MayFree)));
  Added.insert(B.CreateCall(runnerFunction(M, RunnerCall::Unknown), {B.getInt32(Id)}));
}

/// Branches that are dead go where the way to the function's end is shortest; what they skip is dead.
void Deleter::simplifyBranches(Function &F) {
  DenseMap<BasicBlock *, unsigned> Distance; // larger is nearer to an end
  SmallPtrSet<BasicBlock *, 32> Visited;
  unsigned Order = 0;
  for (bool Returns : {false, true}) // returns last: they are the nearer ends
    for (BasicBlock &BB : F)
      if (succ_empty(&BB) && isa<ReturnInst>(BB.getTerminator()) == Returns)
        for (BasicBlock *Block : inverse_post_order_ext(&BB, Visited))
          Distance[Block] = ++Order;
  for (BasicBlock &BB : F) {
    Instruction *End = BB.getTerminator();
    if (End->getNumSuccessors() < 2 || keeps(*End))
      continue;
    BasicBlock *Preferred = nullptr;
    for (BasicBlock *Next : successors(&BB))
      if (!Preferred || Distance.lookup(Next) > Distance.lookup(Preferred))
        Preferred = Next;
    bool Kept = false;
    for (BasicBlock *Next : successors(&BB)) {
      if (Next == Preferred && !Kept)
        Kept = true;
      else
        Next->removePredecessor(&BB, /*KeepOneInputPHIs=*/true);
    }
    BranchInst *Straight = BranchInst::Create(Preferred, &BB);
    Straight->setDebugLoc(End->getDebugLoc());
    Added.insert(Straight);
    End->eraseFromParent();
  }
}

void Deleter::deleteInstructions(Function &F) {
  SmallVector<Instruction *, 64> Dead;
  for (Instruction &I : instructions(F)) {
    if (auto *Return = dyn_cast<ReturnInst>(&I)) {
      if (Return->getReturnValue() && !S.isReturnLive(&F))
        Return->setOperand(0, Constant::getNullValue(Return->getReturnValue()->getType()));
      continue;
    }
    if (I.isTerminator() || keeps(I))
      continue;
    Dead.push_back(&I);
  }
  SmallPtrSet<Instruction *, 32> DeadSet(Dead.begin(), Dead.end());
  for (Instruction *I : Dead) {
    // A live call passes dead arguments to parameters that nobody reads.
    if (!I->getType()->isVoidTy())
      for (Use &U : make_early_inc_range(I->uses()))
        if (!DeadSet.contains(cast<Instruction>(U.getUser())))
          U.set(Constant::getNullValue(I->getType()));
    I->dropAllReferences();
  }
  for (Instruction *I : Dead)
    I->eraseFromParent();
}

void Deleter::run() {
  Proposer Proposing(S);
  SmallVector<Instruction *, 16> All(S.decisions());
  All.append(S.ofArguments().begin(), S.ofArguments().end());
  SmallVector<Proposal, 8> Proposals;
  for (Instruction *I : All)
    Proposals.push_back(I->getType()->isIntOrIntVectorTy(1) ? Proposing.propose(*I) : Proposal());
  SmallVector<Instruction *, 16> Replaced;
  for (auto [Id, I] : enumerate(All)) {
    replaceDecision(*I, Id, Proposals[Id], Id >= S.decisions().size());
    if (const auto *Call = dyn_cast<CallBase>(I); !Call || !S.executes(*Call))
      Replaced.push_back(I);
  }
  for (auto [Id, Call] : enumerate(S.unknownCalls()))
    replaceUnknown(*Call, Id);
  // What was replaced has no users left; it goes first, so that its operands are not held.
  for (CallBase *Call : S.unknownCalls()) {
    if (!Call->getType()->isVoidTy())
      Call->replaceAllUsesWith(Constant::getNullValue(Call->getType()));
    if (!is_contained(Replaced, Call))
      Replaced.push_back(Call);
  }
  for (Instruction *I : Replaced)
    I->eraseFromParent();
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    simplifyBranches(F);
    deleteInstructions(F);
    removeUnreachableBlocks(F);
  }
}

void deleteDead(Module &M, const Slice &S) { Deleter(M, S).run(); }

} // namespace memshape
