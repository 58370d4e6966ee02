//===- PointsTo.cpp - Which objects a pointer can reach -------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "memory/PointsTo.h"
#include "Compat.h"
#include "libraries/Summaries.h"
#include "memory/InlineAssembly.h"
#include "memory/Layout.h"
#include "operators/CallersFunction.h"
#include "operators/VariableMarks.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;

namespace memshape {

bool carriesPointers(const Type *T) {
  if (T->isPointerTy() || (T->isIntegerTy() && T->getIntegerBitWidth() >= 64))
    return true;
  if (const auto *V = dyn_cast<VectorType>(T))
    return carriesPointers(V->getElementType());
  if (const auto *A = dyn_cast<ArrayType>(T))
    return carriesPointers(A->getElementType());
  if (const auto *S = dyn_cast<StructType>(T))
    return any_of(S->elements(), [](const Type *E) { return carriesPointers(E); });
  return false;
}

bool PointsTo::Object::mayOverlap() const {
  const auto *A = dyn_cast_or_null<Argument>(Origin);
  return (Kind == ObjectKind::Tensor && !(A && A->hasNoAliasAttr())) || (Kind == ObjectKind::Global && IsData);
}

PointsTo::PointsTo(Module &M, Function &Root, uint64_t Budget) : DL(M.getDataLayout()) {
  const unsigned MaxIterations = 3;
  for (unsigned Iteration = 0; Iteration == 0 || (Iteration != MaxIterations && isComplete() && learnParts(M));
       ++Iteration) {
    Objects.clear();
    Memories.clear();
    Ids.clear();
    Sets.clear();
    Callers.clear();
    Differences.clear();
    Contents.clear();
    Headers.clear();
    Settled = Postponed = false;
    Steps = 0;
    solve(M, Root, Budget);
    Taken += Steps;
  }
}

void PointsTo::solve(Module &M, Function &Root, uint64_t Budget) {
  objectFor(ObjectKind::Unknown, nullptr);
  Objects[0].Escapes = true;
  addGlobals(M);
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      Work.insert(&I);
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (Function *Callee = Call->getCalledFunction(); Callee && !Callee->isDeclaration())
          Callers[Callee].insert(Call);
    }
  for (Argument &A : Root.args())
    if (A.getType()->isPointerTy()) {
      // A result slot belongs to the operator; everything else behind a pointer is the caller's data.
      unsigned Id = objectFor(A.hasStructRetAttr() ? ObjectKind::Stack : ObjectKind::Tensor, &A);
      Objects[Id].IsData = !A.hasStructRetAttr();
      addTo(&A, {{Id, 0}});
    }
  while (true) {
    for (; !Work.empty() && Steps < Budget; ++Steps) {
      const Instruction *I = Work.pop_back_val();
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

unsigned PointsTo::objectFor(ObjectKind Kind, const Value *Origin) {
  if (Origin)
    if (auto At = Ids.find(Origin); At != Ids.end())
      return At->second;
  unsigned Id = Objects.size();
  Objects.push_back({Kind, Origin});
  Memories.emplace_back();
  if (Origin)
    Ids[Origin] = Id;
  return Id;
}

void PointsTo::addGlobals(Module &M) {
  for (Function &F : M)
    objectFor(ObjectKind::Function, &F);
  for (GlobalVariable &G : M.globals())
    objectFor(ObjectKind::Global, &G);
  for (GlobalVariable &G : M.globals()) {
    unsigned Id = Ids[&G];
    Objects[Id].IsData = G.hasMetadata(ForeignMetadata);
    if (G.hasInitializer())
      addInitializer({Id, 0}, *G.getInitializer(), DL);
    else
      escapeObject(Id);
  }
}

void PointsTo::addInitializer(Place At, const Constant &C, const DataLayout &Layout) {
  if (isa<ConstantData>(C))
    return;
  if (const auto *S = dyn_cast<ConstantStruct>(&C)) {
    const StructLayout *L = Layout.getStructLayout(S->getType());
    for (unsigned I = 0; I != S->getNumOperands(); ++I)
      addInitializer(At.moved(int64_t(L->getElementOffset(I).getFixedValue())), *S->getOperand(I), Layout);
  } else if (isa<ConstantArray>(C) || isa<ConstantVector>(C)) {
    int64_t Stride = Layout.getTypeAllocSize(C.getOperand(0)->getType()).getFixedValue();
    for (unsigned I = 0; I != C.getNumOperands(); ++I)
      addInitializer(At.moved(I * Stride), *cast<Constant>(C.getOperand(I)), Layout);
  } else {
    store({At, nullptr}, constantTargets(C));
  }
}

PlaceSet PointsTo::constantTargets(const Constant &C) const {
  if (isa<ConstantData>(C))
    return {};
  if (const auto *A = dyn_cast<GlobalAlias>(&C))
    return constantTargets(*A->getAliasee());
  if (isa<GlobalValue>(C)) {
    auto At = Ids.find(&C);
    return At == Ids.end() ? PlaceSet{Place::anywhere(0)} : PlaceSet{{At->second, 0}};
  }
  PlaceSet Result;
  if (const auto *Gep = dyn_cast<GEPOperator>(&C)) {
    APInt Offset(64, 0);
    bool Known = Gep->accumulateConstantOffset(DL, Offset);
    for (Place T : constantTargets(*cast<Constant>(Gep->getPointerOperand())))
      Result.push_back(Known ? T.moved(Offset.getSExtValue()) : Place::anywhere(T.Object));
  } else {
    for (const Use &U : C.operands())
      if (const auto *Part = dyn_cast<Constant>(U.get()))
        for (Place T : constantTargets(*Part))
          Result.push_back(isa<ConstantExpr>(C) && C.getNumOperands() > 1 ? Place::anywhere(T.Object) : T);
  }
  llvm::sort(Result);
  Result.erase(std::unique(Result.begin(), Result.end()), Result.end());
  return Result;
}

Extent PointsTo::partAt(Place T) const {
  const Value *Origin = Objects[T.Object].Origin;
  if (const auto *Variable = dyn_cast_or_null<AllocaInst>(Origin))
    return partOf(Variable->getAllocatedType(), T.Offset, DL);
  if (const auto *Global = dyn_cast_or_null<GlobalVariable>(Origin))
    return partOf(Global->getValueType(), T.Offset, DL);
  if (auto At = Parts.find(Origin); At != Parts.end() && T.isFixed())
    for (Extent Part : At->second)
      if (Part.Start <= T.Offset && T.Offset < Part.End)
        return Part;
  return {};
}

Place PointsTo::upwardsOf(Place T) const { return T.isFixed() ? T.stepped(1, partAt(T)) : T; }

bool PointsTo::add(PlaceSet &Into, const PlaceSet &From) const {
  bool Changed = false;
  for (Place T : From)
    Changed |= addPlace(Into, T);
  Steps += From.size() + (Changed ? Into.size() / 8 : 0);
  return Changed;
}

void PointsTo::pushUsers(const Value *V) {
  for (const User *U : V->users())
    if (const auto *I = dyn_cast<Instruction>(U))
      Work.insert(I);
}

bool PointsTo::addTo(const Value *V, const PlaceSet &From) {
  if (From.empty() || !add(Sets[V], From))
    return false;
  pushUsers(V);
  return true;
}

PlaceSet PointsTo::targets(const Value *V) const {
  if (const auto *C = dyn_cast<Constant>(V))
    return constantTargets(*C);
  auto At = Sets.find(V);
  return At == Sets.end() ? PlaceSet() : At->second;
}

void PointsTo::store(Cell At, const PlaceSet &Pointers) {
  unsigned Id = At.first.Object;
  if (Pointers.empty() || Objects[Id].Kind == ObjectKind::Function)
    return;
  Memory &M = Memories[Id];
  const size_t ManyCells = 256;
  if (M.Cells.size() >= ManyCells && !M.Cells.count(At))
    At = {Place::anywhere(Id), nullptr};
  if (!add(M.Cells[At], Pointers))
    return;
  for (const Instruction *Reader : M.Readers)
    Work.insert(Reader);
  if (Objects[Id].Escapes)
    for (Place T : Pointers)
      escapeObject(T.Object);
}

bool PointsTo::load(PlaceSet &Into, Cell From, uint64_t Bytes) const {
  bool Changed = false, Known = false;
  const uint64_t PointerBytes = 8;
  const Object &O = Objects[From.first.Object];
  Steps += Memories[From.first.Object].Cells.size();
  for (const auto &[At, Pointers] : Memories[From.first.Object].Cells)
    if (From.first.overlaps(Bytes, At.first, PointerBytes) && mayBeOne(From.second, At.second)) {
      Changed |= add(Into, Pointers);
      Known = true;
    }
  // What an object is never changes once it is there, whoever else writes to it.
  const bool OfClass = From.first.Object && isVTablePointer(From.second);
  Postponed |= OfClass && !Known && !Settled;
  if (O.Escapes && !O.IsData && !(OfClass && (Known || !Settled)))
    Changed |= add(Into, {Place::anywhere(0)});
  if (!Contents.empty())
    Changed |= addLibraryPointers(Into, From.first, Bytes);
  return Changed;
}

void PointsTo::addLoaded(const Value *V, Cell From, uint64_t Bytes) {
  // A pointer among the caller's data (rows of an array of pointers) leads to more of the caller's data.
  // Likewise for a variable that others set: what it points to is theirs.
  unsigned Id = From.first.Object;
  ObjectKind Kind = Objects[Id].Kind;
  bool Row = Objects[Id].IsData && (Kind == ObjectKind::Tensor || Kind == ObjectKind::Global) &&
             V->getType()->isPtrOrPtrVectorTy() && add(Sets[V], {Place::anywhere(Id)});
  if (load(Sets[V], From, Bytes) || Row)
    pushUsers(V);
}

void PointsTo::escapeObject(unsigned Id) {
  Object &O = Objects[Id];
  if (O.Escapes || O.Kind == ObjectKind::Function)
    return;
  O.Escapes = true;
  for (const Instruction *Reader : Memories[Id].Readers)
    Work.insert(Reader);
  SmallVector<unsigned, 8> Next;
  for (const auto &[Offset, Pointers] : Memories[Id].Cells)
    for (Place T : Pointers)
      Next.push_back(T.Object);
  for (unsigned N : Next)
    escapeObject(N);
}

void PointsTo::escape(const Value *V) {
  for (Place T : targets(V))
    escapeObject(T.Object);
}

/// Where bytes at From end up when Bytes bytes at Source, 0 for an unknown number, are copied to Destination, which is
/// in the part Within.
static Place copied(Place From, Place Source, Place Destination, uint64_t Bytes, Extent Within) {
  if (From.isFixed() && Source.isFixed())
    return Destination.moved(From.Offset - Source.Offset);
  if (Bytes && Destination.isFixed())
    Within = {Destination.Offset, Destination.Offset + int64_t(Bytes)};
  if (From.isAnywhere() || Source.isAnywhere())
    return Destination.stepped(1, Within);
  int64_t Step = std::gcd(From.Stride, Source.Stride);
  int64_t Shift = (From.Offset - Source.Offset) % Step;
  Place Result = Destination.moved(Shift < 0 ? Shift + Step : Shift);
  return Bytes && Step >= int64_t(Bytes) ? Result : Result.stepped(Step, Within);
}

void PointsTo::visitCopy(const Instruction &I, const Value *To, const Value *From, uint64_t Bytes) {
  for (Place Source : targets(From)) {
    Memories[Source.Object].Readers.insert(&I);
    Place Range = Bytes ? Source : upwardsOf(Source);
    // A copy of the cells: source and destination may be one object.
    std::map<Cell, PlaceSet> Copied;
    Steps += Memories[Source.Object].Cells.size();
    for (const auto &[At, Pointers] : Memories[Source.Object].Cells)
      if (Range.overlaps(Bytes, At.first, 8))
        Copied[At] = Pointers;
    for (Place Destination : targets(To))
      for (const auto &[At, Pointers] : Copied)
        store({copied(At.first, Source, Destination, Bytes, partAt(Destination)), afterCopy(At.second, I, Bytes)},
              Pointers);
  }
}

AccessType PointsTo::typeAfter(AccessType T, const MemTransferInst &Copy) const {
  const auto *Length = dyn_cast<ConstantInt>(Copy.getLength());
  const AccessType Moved = afterCopy(T, Copy, Length ? Length->getZExtValue() : 0);
  // Where pointers lie beside numbers, as in a container, nobody looks at a number's bytes.
  const bool HoldsPointers = any_of(targets(Copy.getRawDest()),
                                    [&](Place To) { return !Memories[To.Object].Cells.empty() || To.Object == 0; });
  return Moved && !HoldsPointers ? asNumber(Moved, Copy.getContext()) : Moved;
}

SmallVector<Function *, 2> PointsTo::callees(const CallBase &Call, bool &Complete) const {
  SmallVector<Function *, 2> Result;
  Complete = true;
  auto Consider = [&](const Function *F) {
    if (F->isDeclaration())
      Complete = false;
    else if (F->arg_size() == Call.arg_size() || (F->isVarArg() && F->arg_size() <= Call.arg_size()))
      Result.push_back(const_cast<Function *>(F));
  };
  if (const auto *Direct = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases())) {
    Consider(Direct);
    return Result;
  }
  PlaceSet Targets = targets(Call.getCalledOperand());
  if (Targets.empty())
    Complete = false;
  for (Place T : Targets) {
    const auto *F = dyn_cast_or_null<Function>(Objects[T.Object].Origin);
    if (F)
      Consider(F);
    else if (T.Object == 0 || Objects[T.Object].Kind == ObjectKind::Library ||
             (Objects[T.Object].Kind == ObjectKind::Global && Objects[T.Object].IsData) ||
             isCallersFunction(Objects[T.Object].Origin))
      Complete = false; // the rest is data, which nobody calls
  }
  return Result;
}

bool PointsTo::isDeadCall(const CallBase &Call) const {
  return Call.isIndirectCall() && targets(Call.getCalledOperand()).empty();
}

/// By its summary Call touches, now or later, what argument N points to. A function may keep what it is given for
/// another one; those behind a vtable are described as a whole.
static bool touches(const CallBase &Call, const Summary &S, unsigned N) {
  return !Call.isIndirectCall() || N >= 64 || S.ReadArguments >> N & 1 || S.WrittenArguments >> N & 1;
}

bool PointsTo::mayCallBack(const CallBase &Call, const Summary &S) const {
  auto IsOurs = [&](unsigned Id) {
    const auto *F = dyn_cast_or_null<Function>(Objects[Id].Origin);
    return F && !F->isDeclaration();
  };
  return any_of(Call.args(), [&](const Use &U) {
    if (!carriesPointers(U->getType()))
      return false;
    if (S.FollowsPointers && touches(Call, S, U.getOperandNo()) && any_of(reachable(U.get()), IsOurs))
      return true;
    return any_of(targets(U.get()), [&](Place T) { return IsOurs(T.Object); });
  });
}

SmallSetVector<unsigned, 8> PointsTo::reachable(const Value *V) const {
  SmallSetVector<unsigned, 8> Result;
  for (Place T : targets(V))
    Result.insert(T.Object);
  for (unsigned I = 0; I < Result.size(); ++I)
    for (const auto &[Offset, Pointers] : Memories[Result[I]].Cells)
      for (Place T : Pointers)
        Result.insert(T.Object);
  return Result;
}

void PointsTo::visitCall(const CallBase &Call) {
  switch (runnerCall(Call)) {
  case RunnerCall::Alloc:
    addTo(&Call, {{objectFor(ObjectKind::Heap, &Call), 0}});
    return;
  case RunnerCall::Realloc:
    // The new block has the contents of the old: it is the old object, or a fresh one when there was none.
    addTo(&Call, {{objectFor(ObjectKind::Heap, &Call), 0}});
    addTo(&Call, targets(Call.getArgOperand(0)));
    return;
  case RunnerCall::Data:
    for (Place T : targets(Call.getArgOperand(0)))
      Objects[T.Object].IsData = true;
    return;
  case RunnerCall::None:
    break;
  default:
    return;
  }
  if (const auto *Copy = dyn_cast<MemTransferInst>(&Call)) {
    const auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
    visitCopy(Call, Copy->getRawDest(), Copy->getRawSource(), Length ? Length->getZExtValue() : 0);
    return;
  }
  if (const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand())) {
    if (!isEmptyAssembly(Asm->getAsmString()))
      for (const Use &U : Call.args())
        escape(U.get());
    if (carriesPointers(Call.getType()))
      for (const Use &U : Call.args()) // an empty statement hands its operands on
        addTo(&Call, targets(U.get()));
    return;
  }
  if (isa<IntrinsicInst>(Call)) {
    if (Call.getIntrinsicID() == Intrinsic::masked_load || Call.getIntrinsicID() == Intrinsic::masked_gather) {
      if (carriesPointers(Call.getType()))
        for (Place T : targets(Call.getArgOperand(0))) {
          Memories[T.Object].Readers.insert(&Call);
          addLoaded(&Call, {Place::anywhere(T.Object), nullptr}, 0);
        }
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
    return;
  }
  if (isDeadCall(Call))
    return;
  bool Complete;
  for (Function *Callee : callees(Call, Complete)) {
    Callers[Callee].insert(&Call);
    for (Argument &A : Callee->args())
      if (carriesPointers(A.getType()))
        addTo(&A, targets(Call.getArgOperand(A.getArgNo())));
    for (const Use &U : drop_begin(Call.args(), Callee->arg_size()))
      if (carriesPointers(U->getType()))
        escape(U.get()); // into the list of variable arguments
    if (carriesPointers(Call.getType()))
      for (BasicBlock &BB : *Callee)
        if (auto *Return = dyn_cast<ReturnInst>(BB.getTerminator()); Return && Return->getReturnValue())
          addTo(&Call, targets(Return->getReturnValue()));
  }
  if (Complete)
    return;
  Summary S = summaryFor(Call);
  if (S.OnlyHeadersMatter)
    return visitLibraryCall(Call);
  if (S.LinkBytes)
    return visitLinks(Call);
  if (S.Holder)
    return visitHolders(Call, *S.Holder);
  Treatment How = S.How;
  if (How == Treatment::Compute || How == Treatment::Ask) {
    if (carriesPointers(Call.getType())) // a table of the library's
      addTo(&Call, {Place::anywhere(0)});
    return;
  }
  if (How != Treatment::Inspect && How != Treatment::Skip && S.FollowsPointers)
    for (const Use &U : Call.args())
      if (carriesPointers(U->getType()) && touches(Call, S, U.getOperandNo()))
        escape(U.get());
  if (S.LeavesInto >= 0 && unsigned(std::max(S.Leaves, S.LeavesInto)) < Call.arg_size())
    for (Place Cell : targets(Call.getArgOperand(S.Leaves)))
      for (Place T : targets(Call.getArgOperand(S.LeavesInto)))
        store({Cell, nullptr}, {Place::anywhere(T.Object)});
  if (S.ResultIsFresh) {
    addTo(&Call, {{objectFor(ObjectKind::Heap, &Call), 0}});
  } else if (S.ResultIsState) {
    const unsigned Id = objectFor(ObjectKind::Library, &Call);
    Objects[Id].IsData = true;
    addTo(&Call, {{Id, 0}});
  } else if (carriesPointers(Call.getType())) {
    addTo(&Call, {Place::anywhere(0)});
    for (const Use &U : Call.args()) // many return what they were given
      for (Place T : targets(U.get()))
        addTo(&Call, {Place::anywhere(T.Object)});
  }
}

void PointsTo::visit(const Instruction &I) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return visitCall(*Call);
  if (isa<AllocaInst>(I)) {
    addTo(&I, {{objectFor(ObjectKind::Stack, &I), 0}});
    return;
  }
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    if (!carriesPointers(I.getType()))
      return;
    uint64_t Bytes = DL.getTypeStoreSize(I.getType()).getKnownMinValue();
    for (Place T : targets(Load->getPointerOperand())) {
      Memories[T.Object].Readers.insert(&I);
      addLoaded(&I, {T, accessType(I)}, Bytes);
    }
    return;
  }
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    const Value *V = Store->getValueOperand();
    if (!carriesPointers(V->getType()))
      return;
    uint64_t Bytes = DL.getTypeStoreSize(V->getType()).getKnownMinValue();
    PlaceSet Pointers = targets(V);
    for (Place T : targets(Store->getPointerOperand()))
      for (uint64_t At = 0; At == 0 || (At < Bytes && T.Stride != 1); At += 8)
        store({T.moved(int64_t(At)), accessType(I)}, Pointers);
    return;
  }
  if (isa<ReturnInst>(I)) {
    for (const CallBase *Caller : Callers[I.getFunction()])
      Work.insert(Caller);
    return;
  }
  if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I)) {
    for (Place T : targets(I.getOperand(0))) {
      Memories[T.Object].Readers.insert(&I);
      for (const Use &U : drop_begin(I.operands()))
        if (carriesPointers(U->getType()))
          store({T, accessType(I)}, targets(U.get()));
      if (carriesPointers(I.getType()))
        addLoaded(&I, {T, accessType(I)}, 8);
    }
    return;
  }
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
  // Casts, selects and moves keep offsets.
  bool KeepsOffset = isa<CastInst>(I) || isa<SelectInst>(I) || isa<FreezeInst>(I) || isa<ExtractElementInst>(I) ||
                     isa<InsertElementInst>(I) || isa<ShuffleVectorInst>(I) || isa<ExtractValueInst>(I) ||
                     isa<InsertValueInst>(I);
  if (isa<IntToPtrInst>(I) && isa<ConstantInt>(I.getOperand(0)))
    addTo(&I, {Place::anywhere(0)});
  if (!KeepsOffset)
    return addArithmetic(I);
  for (const Use &U : I.operands())
    if (carriesPointers(U->getType()))
      addTo(&I, targets(U.get()));
}

} // namespace memshape
