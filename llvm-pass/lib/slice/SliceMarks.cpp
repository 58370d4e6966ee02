// What of the marks of writes a slice keeps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mark is kept where what it says can be computed from what the slice has anyway, by arithmetic alone, and where it
// stands outside loops that the slice could do without.

#include "runner-calls/RunnerCalls.h"
#include "slice/Slice.h"
#include "llvm/Analysis/IteratedDominanceFrontier.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

Slice::~Slice() = default;

Slice::LoopsOf &Slice::loopsOf(Function &F) {
  std::unique_ptr<LoopsOf> &Known = Loops[&F];
  if (!Known)
    Known = std::make_unique<LoopsOf>(F);
  return *Known;
}

/// The innermost loop around Mark allocates or frees, if there is one, so that each of its iterations has to be made;
/// and Mark is met no more often than that, than iterations of a loop inside it, or than data is asked for.
bool Slice::standsAmongHeapCalls(const CallBase &Mark) {
  LoopsOf &Known = loopsOf(*const_cast<Function *>(Mark.getFunction()));
  const Loop *L = Known.LI.getLoopFor(Mark.getParent());
  if (!L)
    return true;
  const auto [At, New] = Known.Contents.try_emplace(L);
  auto &[HeapCalls, Asks] = At->second;
  for (const BasicBlock *BB : New ? L->blocks() : ArrayRef<BasicBlock *>())
    for (const Instruction &I : *BB) {
      Asks |= How == FollowData || Decisions.contains(const_cast<Instruction *>(&I));
      if (const auto *Call = dyn_cast<CallBase>(&I); Call && Live.contains(Call) && isHeapCall(runnerCall(*Call)))
        HeapCalls.insert(BB);
    }
  return (Asks && !HeapCalls.empty()) || any_of(HeapCalls, [&](const BasicBlock *BB) {
           return Known.LI.getLoopFor(BB) != L || Known.DT.dominates(BB, Mark.getParent());
         });
}

/// Before data is known: marks are followed as everything else is, but for those that would keep loops alive.
void Slice::followMarks() {
  for (CallBase *Mark : Marks)
    if (Callers.lookup(Mark->getFunction()).empty() && standsAmongHeapCalls(*Mark))
      markExecuted(Mark);
    else
      LostMarks.push_back(Mark);
  followAll();
}

/// V can be computed in the slice, with the instructions in New beside it: what is data is read, and not computed from
/// what is there. FixedOnly: from arguments alone.
bool Slice::canHave(const Value *V, SmallPtrSetImpl<const Instruction *> &New, bool FixedOnly) {
  constexpr unsigned Most = 60;
  if (const auto *A = dyn_cast<Argument>(V))
    return Callers.lookup(A->getParent()).empty() || LiveArguments.contains(A);
  const auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return !isa<BasicBlock>(V);
  if (New.contains(I))
    return true;
  if (Live.contains(I) && !FixedOnly) {
    const auto *Call = dyn_cast<CallBase>(I);
    return !Call || isa<IntrinsicInst>(Call) || runnerCall(*Call) != RunnerCall::None || NeededResults.contains(Call);
  }
  // What a loop hands from iteration to iteration would keep it alive.
  if (isa<PHINode>(I) && (FixedOnly || Loops[I->getFunction()]->LI.isLoopHeader(I->getParent())))
    return false;
  if (New.size() == Most || isa<AllocaInst>(I) || I->isTerminator() || (FixedOnly && Flow.isData(I)))
    return false;
  if (isa<CallBase>(I) ? !isa<IntrinsicInst>(I) || I->mayReadOrWriteMemory() : I->mayReadOrWriteMemory()) {
    // What it reads is there if all that may have written it is.
    if (!isa<LoadInst>(I) || FixedOnly || cast<LoadInst>(I)->isVolatile() || Flow.isData(I))
      return false;
    bool Known = true;
    for (const ModRef &Access : Accesses.of(I))
      Accesses.forWritersOf(
          Access, [&](const Instruction *Writer) { return Live.contains(Writer) && isa<StoreInst>(Writer); },
          [&](const ModRef &) { Known = false; });
    if (!Known)
      return false;
  }
  New.insert(I);
  return all_of(I->operands(), [&](const Use &U) { return canHave(U.get(), New, FixedOnly); });
}

bool Slice::keepMark(CallBase &Mark) {
  Function &F = *Mark.getFunction();
  auto At = Controls.find(&F);
  // In a function that calls itself they would take longer than all the rest.
  if (At == Controls.end() || !Callers.lookup(&F).empty() || !standsAmongHeapCalls(Mark))
    return false;
  SmallPtrSet<const Instruction *, 16> New;
  for (const Use &U : Mark.args())
    if (!canHave(U.get(), New, /*FixedOnly=*/false))
      return false;
  // What decides whether it is met has to be there too.
  ReverseIDFCalculator Calculator(At->second->PDT);
  SmallPtrSet<BasicBlock *, 4> Here = {Mark.getParent()};
  for (const Instruction *I : New)
    if (isa<PHINode>(I))
      for (const BasicBlock *From : predecessors(I->getParent()))
        Here.insert(const_cast<BasicBlock *>(From));
  Calculator.setDefiningBlocks(Here);
  SmallVector<BasicBlock *, 16> Frontier;
  Calculator.calculate(Frontier);
  const LoopInfo &LI = Loops[&F]->LI;
  for (BasicBlock *BB : Frontier) {
    const Instruction *End = BB->getTerminator();
    if (Live.contains(End))
      continue;
    const auto *Branch = dyn_cast<BranchInst>(End);
    const Loop *L = LI.getLoopFor(BB);
    // A branch that is new must not tell apart what different answers to decisions led to.
    SmallPtrSet<const Instruction *, 16> Guard;
    if (!Branch || !Branch->isConditional() || (L && L->isLoopExiting(BB)) ||
        !canHave(Branch->getCondition(), Guard, /*FixedOnly=*/!Decisions.empty()) ||
        any_of(Guard, [](const Instruction *I) { return isa<PHINode>(I); }))
      return false;
    New.insert(Guard.begin(), Guard.end());
    New.insert(Branch);
  }
  New.insert(&Mark);
  for (const Instruction *I : New)
    if (Live.insert(I).second)
      ForMarks.insert(I);
  return true;
}

/// I is in the slice, and writes what outlives calls.
bool Slice::changesLasting(const Instruction &I, const DenseSet<unsigned> &Lasting) {
  return Live.contains(&I) && any_of(Accesses.of(&I), [&](const ModRef &Access) {
           return Access.Writes &&
                  any_of(Accesses.objectsOf(Access), [&](unsigned Id) { return Lasting.contains(Id); });
         });
}

/// Those behind which a slice comes that changes what outlives calls.
void Slice::keepEnds(Module &M) {
  if (Ends.empty())
    return;
  DenseSet<unsigned> Lasting;
  for (unsigned Id = 0; Id != Memory.objectCount(); ++Id)
    if (const auto *G = dyn_cast_or_null<GlobalVariable>(Memory.object(Id).Origin);
        G && !G->isConstant() && G->hasInitializer())
      for (unsigned Reached : Memory.reachable(G))
        Lasting.insert(Reached);
  SmallPtrSet<const BasicBlock *, 32> Behind;
  SmallVector<const BasicBlock *, 32> Work;
  for (const Function &F : M)
    for (const BasicBlock &BB : F)
      if (any_of(BB, [&](const Instruction &I) { return changesLasting(I, Lasting); }) && Behind.insert(&BB).second)
        Work.push_back(&BB);
  while (!Work.empty())
    for (const BasicBlock *Next : successors(Work.pop_back_val()))
      if (Behind.insert(Next).second)
        Work.push_back(Next);
  for (CallBase *End : Ends)
    if (const auto At = Controls.find(End->getFunction()); At != Controls.end() &&
                                                           At->second->Running.contains(End->getParent()) &&
                                                           Behind.contains(End->getParent()) && Live.insert(End).second)
      ForMarks.insert(End);
}

void Slice::keepMarks() {
  for (CallBase *Mark : Marks)
    if (!keepMark(*Mark))
      LostMarks.push_back(Mark);
}

} // namespace memshape
