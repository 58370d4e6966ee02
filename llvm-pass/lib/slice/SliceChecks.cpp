// Tests that the slice gets for nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner-calls/RunnerCalls.h"
#include "slice/Slice.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

bool Slice::isKnownAnyway(const Value *V, unsigned &Room) {
  if (isa<Constant>(V))
    return true;
  if (const auto *A = dyn_cast<Argument>(V))
    return LiveArguments.contains(A) || all_of(Callers.lookup(A->getParent()), [&](const CallBase *Caller) {
             return Room && Room-- && A->getArgNo() < Caller->arg_size() &&
                    isKnownAnyway(Caller->getArgOperand(A->getArgNo()), Room);
           });
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Flow.isData(I) || Flow.isVerdict(I))
    return false;
  if (Live.contains(I))
    return !isa<CallBase>(I) || NeededResults.contains(cast<CallBase>(I)) ||
           runnerCall(*cast<CallBase>(I)) != RunnerCall::None;
  if (!Room)
    return false;
  --Room;
  if (const auto *Load = dyn_cast<LoadInst>(I)) {
    // What the process has of a variable that is defined elsewhere, a skeleton need not have.
    if (const auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(Load->getPointerOperand()));
        G && G->isDeclaration())
      return false;
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
  } else if (const auto *Phi = dyn_cast<PHINode>(I)) {
    if (loopsOf(*const_cast<Function *>(Phi->getFunction())).LI.isLoopHeader(Phi->getParent()) ||
        !all_of(Phi->blocks(), [&](BasicBlock *From) { return isReachedAnyway(*From, Room); }))
      return false;
  } else if (!isa<BinaryOperator>(I) && !isa<CmpInst>(I) && !isa<CastInst>(I) && !isa<SelectInst>(I) &&
             !isa<FreezeInst>(I) && !isa<GetElementPtrInst>(I) && !isa<ExtractValueInst>(I)) {
    return false;
  }
  return all_of(I->operands(),
                [&](const Use &U) { return !isa<Instruction, Argument>(U.get()) || isKnownAnyway(U.get(), Room); });
}

/// L leaves at the end of Last alone, once a number or a pointer that gets the same step each time has come to another
/// one. What else it does, a slice need not do, so that nothing is left of it.
static bool onlyCounts(const Loop &L, const BasicBlock &Last) {
  const auto *Branch = dyn_cast<BranchInst>(Last.getTerminator());
  const auto *Test = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (!Test || L.getExitingBlock() != &Last || !L.getLoopLatch())
    return false;
  const auto *Counter = dyn_cast<PHINode>(Test->getOperand(0));
  if (!Counter || Counter->getParent() != L.getHeader() || !L.isLoopInvariant(Test->getOperand(1)))
    return false;
  const auto *Step = dyn_cast<Instruction>(Counter->getIncomingValueForBlock(L.getLoopLatch()));
  return Step && (isa<GetElementPtrInst>(Step) || isa<BinaryOperator>(Step)) && Step->getOperand(0) == Counter &&
         all_of(drop_begin(Step->operands()), [&](const Use &U) { return L.isLoopInvariant(U.get()); });
}

/// Control comes to BB with the slice, or whether it does follows from what is known anyway. What a loop does that the
/// slice can do without is not known: it would have to be run.
bool Slice::isReachedAnyway(BasicBlock &BB, unsigned &Room) {
  Function &F = *BB.getParent();
  const auto At = Controls.find(&F);
  const bool IsLive = At != Controls.end();
  if (IsLive && At->second->Running.contains(&BB))
    return true;
  std::unique_ptr<PostDominatorTree> &Own = Unreached[&F];
  if (!IsLive && !Own)
    Own = std::make_unique<PostDominatorTree>(F);
  ReverseIDFCalculator Calculator(IsLive ? At->second->PDT : *Own);
  SmallPtrSet<BasicBlock *, 4> Here = {&BB};
  Calculator.setDefiningBlocks(Here);
  SmallVector<BasicBlock *, 16> Frontier;
  Calculator.calculate(Frontier);
  for (const BasicBlock *Fork : Frontier) {
    const Instruction *End = Fork->getTerminator();
    if (Live.contains(End))
      continue;
    const Loop *Around = loopsOf(F).LI.getLoopFor(Fork);
    if (Fork == &BB && Around && onlyCounts(*Around, BB) && !Flow.isVerdict(cast<Instruction>(End->getOperand(0))))
      continue; // control comes to its end as it comes to the loop
    if ((Around && Around->isLoopExiting(Fork)) || !(isa<BranchInst>(End) || isa<SwitchInst>(End)) ||
        !isKnownAnyway(End->getOperand(0), Room))
      return false;
  }
  return IsLive || all_of(Callers.lookup(&F), [&](CallBase *Caller) {
           return Room && Room-- && isReachedAnyway(*Caller->getParent(), Room);
         });
}

/// Keeps the tests that cost nothing. True if there were any.
bool Slice::keepChecks() {
  bool Kept = false;
  for (CallBase *&Check : Checks) {
    unsigned Room = 48;
    if (!Check || !isKnownAnyway(Check->getArgOperand(0), Room) || !isReachedAnyway(*Check->getParent(), Room))
      continue;
    markExecuted(Check);
    Check = nullptr;
    Kept = true;
  }
  return Kept;
}

} // namespace memshape
