// Extents of what an operator returns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An extent is told where nothing but shape and settings decides it: a slice from it alone, which comes to no decision.
// So it costs no decision that allocations do not ask for, and is the same whatever these are answered. Nor may it cost
// time: no loop and no call is executed for it alone, and no variable read that outlives the call. What an argument has
// at the return is told only where no symbol has to be given for that alone.

#include "runner-calls/RunnerCalls.h"
#include "skeleton/Stages.h"
#include "slice/Slice.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

static SmallVector<CallBase *, 8> resultCalls(Module &M) {
  SmallVector<CallBase *, 8> Calls;
  if (Function *Tell = M.getFunction(ResultName))
    for (User *Each : Tell->users())
      if (auto *Call = dyn_cast<CallBase>(Each); Call && Call->getCalledFunction() == Tell)
        Calls.push_back(Call);
  return Calls;
}

/// Without them the slice is that of allocations alone.
static void takeOut(ArrayRef<CallBase *> Calls, SmallVectorImpl<Instruction *> &Places) {
  for (CallBase *Call : Calls) {
    Instruction *Behind = Call->getNextNode();
    while (is_contained(Calls, Behind))
      Behind = Behind->getNextNode();
    Places.push_back(Behind);
  }
  for (CallBase *Call : Calls)
    Call->removeFromParent();
}

/// Extents keeps something that takes time, or that an earlier call has left, and that Heap does without.
static bool costs(Module &M, const Slice &Extents, const Slice &Heap) {
  for (Function &F : M) {
    std::optional<DominatorTree> DT;
    std::optional<LoopInfo> Loops;
    for (Instruction &I : instructions(F)) {
      if (!Extents.isLive(&I) || Heap.isLive(&I))
        continue;
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (!isa<IntrinsicInst>(Call) && runnerCall(*Call) == RunnerCall::None)
          return true;
      if (const auto *Load = dyn_cast<LoadInst>(&I)) {
        const auto *Variable = dyn_cast<GlobalVariable>(getUnderlyingObject(Load->getPointerOperand()));
        if (Variable && !Variable->isConstant())
          return true;
      }
      if (!I.isTerminator())
        continue;
      if (!Loops) {
        DT.emplace(F);
        Loops.emplace(*DT);
      }
      if (const Loop *Around = Loops->getLoopFor(I.getParent()); Around && Around->isLoopExiting(I.getParent()))
        return true;
    }
  }
  return false;
}

/// The symbols of arguments are parameters; those of what is returned are not.
static bool isOfArgument(const Operator &Op, const std::string &Symbol) {
  return any_of(Op.Fact.Parameters, [&](const ParameterFact &P) { return P.Name == Symbol; });
}

bool isOptional(const ParameterFact &P, const Argument &A, const Slice &S) {
  return (P.Role == ParameterRole::Shape || P.Role == ParameterRole::Setting) && StringRef(P.Name).contains('.') &&
         S.isLive(&A) && !S.isOwn(&A);
}

/// Extents wants a symbol that Heap does without.
static bool asksMore(const SkeletonState &State, const Slice &Extents, const Slice &Heap) {
  return any_of(enumerate(State.Op.Fact.Parameters), [&](const auto &Each) {
    const Argument *A = State.Root->getArg(State.Op.argumentOf(Each.index())->getArgNo());
    return Extents.isLive(A) && (!Heap.isLive(A) || isOptional(Each.value(), *A, Heap));
  });
}

bool dropResults(Module &M, SkeletonState &) {
  for (CallBase *Call : resultCalls(M))
    Call->eraseFromParent();
  return true;
}

static void describeDecided(const Instruction &Decision, SkeletonResult &Result) {
  Result.IsDecided = true;
  Result.Place = displayPlace(Decision.getDebugLoc());
  const bool IsBranch = Decision.getType()->isIntOrIntVectorTy(1);
  Result.Condition = conditionText(IsBranch ? innermostPlace(Decision.getDebugLoc()) : Result.Place);
}

void settleResults(Module &M, const PointsTo &Memory, ModRefIndex &Accesses, const DataFlow &Flow,
                   SkeletonState &State) {
  std::vector<SkeletonResult> &Results = State.Facts.Results;
  for (const std::string &Symbol : State.Op.Fact.Results)
    Results.push_back({Symbol});
  auto NumberOf = [](const CallBase &Call) { return cast<ConstantInt>(Call.getArgOperand(0))->getZExtValue(); };
  SmallVector<CallBase *, 8> Calls = resultCalls(M);
  for (const CallBase *Call : Calls)
    if (!isa<ConstantInt>(Call->getArgOperand(0)) || NumberOf(*Call) >= Results.size()) {
      dropResults(M, State);
      return;
    }
  if (Calls.empty())
    return;
  std::optional<Slice> Extents(std::in_place, M, Memory, Accesses, Flow, Slice::CutData, Calls);
  SmallVector<Instruction *, 8> Places;
  takeOut(Calls, Places);
  Slice Heap(M, Memory, Accesses, Flow, Slice::CutData);
  Heap.separateArguments(M);
  for (auto [Call, Behind] : zip(Calls, Places))
    Call->insertBefore(Behind->getIterator());
  if (Extents->decisions().empty() && !costs(M, *Extents, Heap) && !asksMore(State, *Extents, Heap))
    return;
  SmallPtrSet<CallBase *, 8> Dropped;
  for (CallBase *Call : Calls) {
    Extents.emplace(M, Memory, Accesses, Flow, Slice::CutData, Call);
    if (!Extents->decisions().empty())
      describeDecided(*Extents->decisions().front(), Results[NumberOf(*Call)]);
    else if (!costs(M, *Extents, Heap) &&
             (!isOfArgument(State.Op, Results[NumberOf(*Call)].Symbol) || !asksMore(State, *Extents, Heap)))
      continue;
    Dropped.insert(Call);
  }
  // Where one place cannot tell an extent, others must not.
  for (CallBase *Call : Calls)
    if (any_of(Dropped, [&](const CallBase *Each) { return NumberOf(*Each) == NumberOf(*Call); }))
      Dropped.insert(Call);
  for (CallBase *Call : Calls)
    if (Dropped.contains(Call))
      Call->eraseFromParent();
}

} // namespace memshape
