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

bool Slice::isKnownAnyway(const Value *V, Spared &Rest) {
  if (isa<Constant>(V))
    return true;
  if (const auto *A = dyn_cast<Argument>(V))
    return LiveArguments.contains(A) || all_of(Callers.lookup(A->getParent()), [&](const CallBase *Caller) {
             return Rest.take() && A->getArgNo() < Caller->arg_size() &&
                    isKnownAnyway(Caller->getArgOperand(A->getArgNo()), Rest);
           });
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Flow.isData(I) || Flow.isVerdict(I))
    return false;
  if (Live.contains(I))
    return !isa<CallBase>(I) || NeededResults.contains(cast<CallBase>(I)) ||
           runnerCall(*cast<CallBase>(I)) != RunnerCall::None;
  if (!Rest.take())
    return false;
  if (const auto *Load = dyn_cast<LoadInst>(I)) {
    // What the process has of a variable that is defined elsewhere, a skeleton need not have.
    if (const auto *G = dyn_cast<GlobalVariable>(getUnderlyingObject(Load->getPointerOperand()));
        G && G->isDeclaration())
      return false;
    // A counter that is kept from call to call stands on itself.
    bool Known = true;
    if (Rest.Loads.insert(Load).second)
      for (const ModRef &Access : Accesses.of(I))
        Accesses.forWritersOf(
            Access, [&](const Instruction *Writer) { return Live.contains(Writer) && !isa<MemTransferInst>(Writer); },
            [&](const ModRef &Writer) { Known = Known && isStoredAnyway(*Writer.By, Rest); });
    if (!Known)
      return false;
  } else if (const auto *Call = dyn_cast<CallBase>(I)) {
    // Arithmetic, of a library as well, which runs as it is.
    if (Call->mayReadOrWriteMemory() || !Call->willReturn() || !Call->doesNotThrow())
      return false;
  } else if (const auto *Phi = dyn_cast<PHINode>(I)) {
    if (loopsOf(*const_cast<Function *>(Phi->getFunction())).LI.isLoopHeader(Phi->getParent()) ||
        !all_of(Phi->blocks(), [&](BasicBlock *From) { return isReachedAnyway(*From, Rest); }))
      return false;
  } else if (!isa<BinaryOperator>(I) && !isa<CmpInst>(I) && !isa<CastInst>(I) && !isa<SelectInst>(I) &&
             !isa<FreezeInst>(I) && !isa<GetElementPtrInst>(I) && !isa<ExtractValueInst>(I)) {
    return false;
  }
  return areOperandsKnownAnyway(*I, Rest);
}

bool Slice::areOperandsKnownAnyway(const Instruction &I, Spared &Rest) {
  return all_of(I.operands(),
                [&](const Use &U) { return !isa<Instruction, Argument>(U.get()) || isKnownAnyway(U.get(), Rest); });
}

bool Slice::isStoredAnyway(Instruction &Writer, Spared &Rest) {
  return (isa<StoreInst>(Writer) || isa<MemSetInst>(Writer)) && areOperandsKnownAnyway(Writer, Rest) &&
         isReachedAnyway(*Writer.getParent(), Rest);
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
bool Slice::isReachedAnyway(BasicBlock &BB, Spared &Rest) {
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
        !isKnownAnyway(End->getOperand(0), Rest))
      return false;
  }
  return IsLive || all_of(Callers.lookup(&F),
                          [&](CallBase *Caller) { return Rest.take() && isReachedAnyway(*Caller->getParent(), Rest); });
}

/// Keeps the tests that cost nothing. True if there were any.
bool Slice::keepChecks() {
  bool Kept = false;
  for (CallBase *&Check : Checks) {
    Spared Rest;
    if (!Check || !isKnownAnyway(Check->getArgOperand(0), Rest) || !isReachedAnyway(*Check->getParent(), Rest))
      continue;
    markExecuted(Check);
    Check = nullptr;
    Kept = true;
  }
  return Kept;
}

} // namespace memshape
