// What an instruction does to pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory/InlineAssembly.h"
#include "memory/PointsTo.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include <numeric>

using namespace llvm;

namespace memshape {

/// How far behind the start of a copy bytes end up, and with which stride.
struct Shift {
  int64_t By = 0, Step = 0; ///< bytes
  auto operator<=>(const Shift &) const = default;

  /// Of the bytes at From, where Bytes bytes at Source, 0 for an unknown number, are copied.
  static Shift of(Place From, Place Source, uint64_t Bytes) {
    if (From.isFixed() && Source.isFixed())
      return {From.Offset - Source.Offset};
    if (From.isAnywhere() || Source.isAnywhere())
      return {0, 1};
    const int64_t Step = std::gcd(From.Stride, Source.Stride);
    const int64_t By = (From.Offset - Source.Offset) % Step;
    return {By < 0 ? By + Step : By, Bytes && Step >= int64_t(Bytes) ? 0 : Step};
  }
};

void PointsTo::visitCopy(const Instruction &I, const Value *To, const Value *From, uint64_t Bytes) {
  const PlaceSet Destinations = targets(To);
  if (std::exchange(Written[&I], Destinations) != Destinations)
    Seen.erase(&I);
  // What all sources have, before anything is written: source and destination may be one object.
  std::map<std::pair<Shift, AccessType>, PlaceSet> Copied;
  for (const Place Source : targets(From)) {
    if (!read(I, Source))
      continue;
    const Place Range = Bytes ? Source : upwardsOf(Source);
    Steps += Memories[Source.Object].Cells.size();
    for (const auto &[At, Pointers] : Memories[Source.Object].Cells)
      if (Range.overlaps(Bytes, At.first, 8))
        add(Copied[{Shift::of(At.first, Source, Bytes), afterCopy(At.second, I, Bytes)}], Pointers);
  }
  for (const Place Destination : Destinations) {
    const Extent Within = Bytes && Destination.isFixed()
                              ? Extent{Destination.Offset, Destination.Offset + int64_t(Bytes)}
                              : partAt(Destination);
    for (const auto &[At, Pointers] : Copied)
      store({Destination.moved(At.first.By).stepped(At.first.Step, Within), At.second}, Pointers);
  }
}

void PointsTo::declareData(Place T) {
  Objects[T.Object].HoldsData = true;
  if (!is_contained({ObjectKind::Stack, ObjectKind::Heap}, Objects[T.Object].Kind) || T.Offset <= 0)
    if (!std::exchange(Objects[T.Object].IsData, true))
      pushReaders(Memories[T.Object]);
}

/// True where Call is one of the runner.
bool PointsTo::visitRunnerCall(const CallBase &Call) {
  switch (runnerCall(Call)) {
  case RunnerCall::Alloc: addTo(&Call, {{objectFor(ObjectKind::Heap, &Call), 0}}); return true;
  case RunnerCall::Realloc:
    // The new block has the contents of the old: it is the old object, or a fresh one when there was none.
    addTo(&Call, {{objectFor(ObjectKind::Heap, &Call), 0}});
    addTo(&Call, targets(Call.getArgOperand(0)));
    return true;
  case RunnerCall::Data:
    // Behind a header in the same variable or block, as in an object that holds its arrays itself, this is a write.
    for (Place T : targets(Call.getArgOperand(0)))
      declareData(T);
    if (marksAllBehind(Call))
      for (unsigned Id : reachable(Call.getArgOperand(0))) {
        read(Call, Place::anywhere(Id));
        if (Id && Objects[Id].Kind != ObjectKind::Function)
          declareData({Id, 0});
      }
    return true;
  case RunnerCall::None: return false;
  default: return true;
  }
}

void PointsTo::visitAssembly(const CallBase &Call, const InlineAsm &Asm) {
  if (!isEmptyAssembly(Asm.getAsmString()))
    for (const Use &U : Call.args())
      escape(U.get());
  if (carriesPointers(Call.getType()))
    for (const Use &U : Call.args()) // an empty statement hands its operands on
      addTo(&Call, targets(U.get()));
  if (lendsMemory(Call))
    for (Place T : targets(Call.getArgOperand(0)))
      Objects[T.Object].IsLent = true;
}

void PointsTo::visitIntrinsic(const IntrinsicInst &Call) {
  if (Call.getIntrinsicID() == Intrinsic::masked_load || Call.getIntrinsicID() == Intrinsic::masked_gather) {
    if (carriesPointers(Call.getType()))
      for (Place T : targets(Call.getArgOperand(0)))
        if (read(Call, T))
          addLoaded(&Call, {Place::anywhere(T.Object), nullptr}, 0);
  } else if (Call.getIntrinsicID() == Intrinsic::masked_store || Call.getIntrinsicID() == Intrinsic::masked_scatter) {
    for (Place T : targets(Call.getArgOperand(1)))
      store({Place::anywhere(T.Object), nullptr}, targets(Call.getArgOperand(0)));
  } else if (Call.getIntrinsicID() == Intrinsic::vastart || Call.getIntrinsicID() == Intrinsic::vacopy) {
    for (Place T : targets(Call.getArgOperand(0))) // the list refers to memory that nobody shows us
      store({upwardsOf(T), nullptr}, {Place::anywhere(0)});
  } else if (carriesPointers(Call.getType())) {
    for (const Use &U : Call.args()) // arithmetic: ptrmask, launder, min, max ...
      if (carriesPointers(U->getType()))
        for (Place T : targets(U.get()))
          addTo(&Call, {Place::anywhere(T.Object)});
  }
}

void PointsTo::visitCallees(const CallBase &Call) {
  bool Complete;
  for (Function *Callee : callees(Call, Complete)) {
    Callers[Callee].insert(&Call);
    reach(*Callee);
    for (Argument &A : Callee->args())
      if (carriesPointers(A.getType()))
        addTo(&A, givenTo(*Callee, Call, A.getArgNo()));
    for (const Use &U : drop_begin(Call.args(), Callee->arg_size()))
      if (carriesPointers(U->getType()))
        escape(U.get()); // into the list of variable arguments
    if (carriesPointers(Call.getType()))
      for (BasicBlock &BB : *Callee)
        if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()); Return && Return->getReturnValue())
          addTo(&Call, targets(Return->getReturnValue()));
  }
  if (!Complete)
    visitUnseenCall(Call);
}

void PointsTo::visitCall(const CallBase &Call) {
  if (visitRunnerCall(Call))
    return;
  if (const auto *Copy = dyn_cast<MemTransferInst>(&Call)) {
    const auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
    visitCopy(Call, Copy->getRawDest(), Copy->getRawSource(), Length ? Length->getZExtValue() : 0);
    return;
  }
  if (const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return visitAssembly(Call, *Asm);
  if (const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call))
    return visitIntrinsic(*Intrinsic);
  if (isDynamicCast(Call))
    return visitDynamicCast(Call);
  if (!isDeadCall(Call))
    visitCallees(Call);
}

void PointsTo::visitLoad(const LoadInst &Load) {
  if (!carriesPointers(Load.getType()))
    return;
  uint64_t Bytes = DL.getTypeStoreSize(Load.getType()).getKnownMinValue();
  for (Place T : targets(Load.getPointerOperand()))
    if (read(Load, T))
      addLoaded(&Load, {T, accessType(Load)}, Bytes);
}

void PointsTo::visitStore(const StoreInst &Store) {
  const Value *V = Store.getValueOperand();
  if (!carriesPointers(V->getType()))
    return;
  uint64_t Bytes = DL.getTypeStoreSize(V->getType()).getKnownMinValue();
  PlaceSet Pointers = targets(V);
  for (Place T : targets(Store.getPointerOperand()))
    for (uint64_t At = 0; At == 0 || (At < Bytes && T.Stride != 1); At += 8)
      store({T.moved(int64_t(At)), accessType(Store)}, Pointers);
}

void PointsTo::visitAtomic(const Instruction &I) {
  for (Place T : targets(I.getOperand(0))) {
    for (const Use &U : drop_begin(I.operands()))
      if (carriesPointers(U->getType()))
        store({T, accessType(I)}, targets(U.get()));
    if (carriesPointers(I.getType()) && read(I, T))
      addLoaded(&I, {T, accessType(I)}, 8);
  }
}

/// Casts, selects and moves keep offsets.
static bool keepsOffset(const Instruction &I) {
  return isa<CastInst>(I) || isa<SelectInst>(I) || isa<FreezeInst>(I) || isa<ExtractElementInst>(I) ||
         isa<InsertElementInst>(I) || isa<ShuffleVectorInst>(I) || isa<ExtractValueInst>(I) || isa<InsertValueInst>(I);
}

void PointsTo::visit(const Instruction &I) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return visitCall(*Call);
  if (isa<AllocaInst>(I)) {
    addTo(&I, {{objectFor(ObjectKind::Stack, &I), 0}});
    return;
  }
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return visitLoad(*Load);
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return visitStore(*Store);
  if (isa<ReturnInst>(I)) {
    for (const CallBase *Caller : Callers[I.getFunction()])
      Work.insert(Caller);
    return;
  }
  if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I))
    return visitAtomic(I);
  if (!carriesPointers(I.getType()))
    return;
  if (isa<LandingPadInst>(I)) { // an exception: whoever threw it
    addTo(&I, {Place::anywhere(0)});
    return;
  }
  if (const auto *Gep = dyn_cast<GetElementPtrInst>(&I))
    return visitIndex(*Gep);
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    return visitPhi(*Phi);
  if (isDifference(I)) {
    Differences.insert(&I);
    pushUsers(&I); // see distanceStep
    return;
  }
  if (isa<IntToPtrInst>(I) && isa<ConstantInt>(I.getOperand(0)))
    addTo(&I, {Place::anywhere(0)});
  if (!keepsOffset(I))
    return addArithmetic(I);
  for (const Use &U : I.operands())
    if (carriesPointers(U->getType()))
      addTo(&I, targets(U.get()));
}

} // namespace memshape
