// Which objects a pointer can reach.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory/PointsTo.h"
#include "libraries/reader/Known.h"
#include "operators/CallersFunction.h"
#include "operators/VariableMarks.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace memshape {

PointsTo::PointsTo(Module &M, Function &Root, uint64_t Budget) : PointsToGraph(M.getDataLayout()) {
  const unsigned MaxIterations = 3;
  for (unsigned Iteration = 0; Iteration == 0 || (Iteration != MaxIterations && isComplete() && learnParts(M));
       ++Iteration) {
    clear();
    Callers.clear();
    Written.clear();
    Differences.clear();
    solve(M, Root, Budget);
    Taken += Steps;
  }
  if (isComplete())
    markChanged(M, Root);
}

/// What a variable leads to is data where other code may write to it: the unit hands out pointers that the variable
/// keeps, or the operator hands out the block, by returning it, or by storing it where a caller looks.
void PointsTo::markChanged(const Module &M, const Function &Root) {
  SmallSetVector<unsigned, 8> Out;
  const auto HandOut = [&](const Value *V) {
    for (const Place T : targets(V))
      Out.insert(T.Object);
  };
  for (const BasicBlock &BB : Root)
    if (const auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()); Return && Return->getReturnValue())
      HandOut(Return->getReturnValue());
  for (const Argument &A : Root.args())
    HandOut(&A);
  for (unsigned Id = 0; Id != Objects.size(); ++Id)
    if (Objects[Id].Escapes || Objects[Id].IsData)
      Out.insert(Id);
  addReachable(Out);
  for (const GlobalVariable &G : M.globals())
    if (!G.isConstant() && G.hasInitializer())
      for (const unsigned Id : reachable(&G))
        Objects[Id].IsData |=
            Objects[Id].Kind == ObjectKind::Heap && (G.hasMetadata(LeadingMetadata) || Out.contains(Id));
}

/// All variables whose values hold V are constants.
static bool isOfConstants(const User &V) {
  return all_of(V.users(), [](const User *Holder) {
    const auto *G = dyn_cast<GlobalVariable>(Holder);
    return (G && G->isConstant()) || (isa<ConstantAggregate>(Holder) && isOfConstants(*Holder));
  });
}

/// Whoever calls F names it, or finds it in a table of constants, as a virtual function.
static bool isOnlyCalledOrListed(const Function &F) {
  return !F.use_empty() && all_of(F.uses(), [](const Use &U) {
    if (const auto *Call = dyn_cast<CallBase>(U.getUser()))
      return Call->isCallee(&U);
    if (const auto *G = dyn_cast<GlobalVariable>(U.getUser()))
      return G->isConstant();
    return isa<ConstantAggregate>(U.getUser()) && isOfConstants(*U.getUser());
  });
}

void PointsTo::solve(Module &M, Function &Root, uint64_t Budget) {
  objectFor(ObjectKind::Unknown, nullptr);
  Objects[0].Escapes = true;
  addGlobals(M);
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Callee = Call->getCalledFunction(); Callee && !Callee->isDeclaration())
          Callers[Callee].insert(Call);
    }
  for (Function &F : M)
    if (&F == &Root || !isOnlyCalledOrListed(F))
      reach(F);
  for (Argument &A : Root.args())
    if (A.getType()->isPointerTy()) {
      // A result slot belongs to the operator; everything else behind a pointer is the caller's data.
      unsigned Id = objectFor(A.hasStructRetAttr() ? ObjectKind::Stack : ObjectKind::Tensor, &A);
      Objects[Id].IsData = !A.hasStructRetAttr();
      addTo(&A, {{Id, 0}});
    }
  while (true) {
    // In rounds, so that an object has changed as a whole before its readers look again.
    while (!Work.empty() && Steps < Budget)
      for (const Instruction *I : Work.takeVector()) {
        ++Steps;
        if (isReached(*I->getFunction()))
          visit(*I);
      }
    if (!Work.empty())
      return;
    // Not before both sides are known: a set never shrinks again.
    for (const Instruction *I : Differences)
      if (!isDistance(*I))
        addArithmetic(*I);
    if (Work.empty())
      giveWaiting();
    if (Work.empty() && Postponed && !Settled) {
      Settled = true;
      visitReaders();
    }
    if (Work.empty())
      return;
  }
}

SmallVector<Function *, 2> PointsTo::callees(const CallBase &Call, bool &Complete) const {
  SmallVector<Function *, 2> Result;
  Complete = true;
  auto Consider = [&](const Function *F) {
    if (F->isDeclaration())
      Complete &= knownRole(F->getName()) == Role::Terminate; // as that of a class without objects of its own
    else if (F->arg_size() == Call.arg_size() || (F->isVarArg() && F->arg_size() <= Call.arg_size()))
      Result.push_back(const_cast<Function *>(F));
  };
  if (const auto *Direct = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases())) {
    Consider(Direct);
    return Result;
  }
  bool Known = false;
  for (Place T : targets(Call.getCalledOperand())) {
    const auto *F = dyn_cast_or_null<Function>(Objects[T.Object].Origin);
    Known |= F != nullptr;
    if (F)
      Consider(F);
    else if (T.Object == 0 || Objects[T.Object].Kind == ObjectKind::Library ||
             (Objects[T.Object].Kind == ObjectKind::Global && Objects[T.Object].IsData) ||
             isCallersFunction(Objects[T.Object].Origin))
      Complete = false; // the rest is data, which nobody calls beside what is known
  }
  Complete &= Known;
  return Result;
}

bool PointsTo::isDeadCall(const CallBase &Call) const {
  return Call.isIndirectCall() && targets(Call.getCalledOperand()).empty();
}

const Argument *PointsTo::callersFunction(const CallBase &Call) const {
  const Argument *Found = nullptr;
  if (Call.isIndirectCall())
    for (Place T : targets(Call.getCalledOperand())) {
      if (!isCallersFunction(Objects[T.Object].Origin))
        return nullptr;
      Found = cast<Argument>(Objects[T.Object].Origin);
    }
  return Found;
}

const GlobalVariable *listenerOf(const CallBase &Call) {
  const auto *Read = dyn_cast<LoadInst>(Call.getCalledOperand());
  return Read && Call.use_empty() ? dyn_cast<GlobalVariable>(getUnderlyingObject(Read->getPointerOperand())) : nullptr;
}

bool isVirtual(const CallBase &Call) {
  const auto *Entry = dyn_cast<LoadInst>(Call.getCalledOperand());
  const auto *Table = Entry ? dyn_cast<LoadInst>(getUnderlyingObject(Entry->getPointerOperand())) : nullptr;
  return Table && is_contained(Call.args(), Table->getPointerOperand());
}

bool PointsTo::requestsNothing(const CallBase &Call) const {
  const Type *Result = Call.getType();
  if (Result->isPtrOrPtrVectorTy() || Result->isAggregateType() || !Call.isIndirectCall())
    return false;
  if (callersFunction(Call) || listenerOf(Call))
    return true;
  bool Complete = true; // where it may be one of ours, which may request anything, it need not be the program's
  return !isVirtual(Call) && !isDeadCall(Call) && callees(Call, Complete).empty() && !Complete;
}

AccessType PointsTo::typeAfter(AccessType T, const MemTransferInst &Copy) const {
  const auto [At, IsNew] = AfterCopies.try_emplace({&Copy, T});
  if (!IsNew)
    return At->second;
  const auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  const AccessType Moved = afterCopy(T, Copy, Length ? Length->getZExtValue() : 0);
  // Where pointers lie beside numbers, as in a container, nobody looks at a number's bytes.
  const bool HoldsPointers = any_of(targets(Copy.getRawDest()),
                                    [&](Place To) { return !Memories[To.Object].Cells.empty() || To.Object == 0; });
  return At->second = Moved && !HoldsPointers ? asNumber(Moved, Copy.getContext()) : Moved;
}

} // namespace memshape
