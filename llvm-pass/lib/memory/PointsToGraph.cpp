// Objects, and the pointers stored in them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory/PointsToGraph.h"
#include "memory/Layout.h"
#include "operators/VariableMarks.h"
#include "runner-calls/RunnerCalls.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

#include "llvm/IR/InstIterator.h"

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

bool PointsToGraph::Object::mayOverlap() const {
  const auto *A = dyn_cast_or_null<Argument>(Origin);
  return (Kind == ObjectKind::Tensor && !(A && A->hasNoAliasAttr())) || (Kind == ObjectKind::Global && IsData) ||
         IsLent;
}

void PointsToGraph::clear() {
  Objects.clear();
  Memories.clear();
  Ids.clear();
  Sets.clear();
  Contents.clear();
  Headers.clear();
  Seen.clear();
  Reached.clear();
  Settled = Postponed = false;
  Steps = 0;
}

unsigned PointsToGraph::objectFor(ObjectKind Kind, const Value *Origin) {
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

void PointsToGraph::addGlobals(Module &M) {
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

void PointsToGraph::addInitializer(Place At, const Constant &C, const DataLayout &Layout) {
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

PlaceSet PointsToGraph::constantTargets(const Constant &C) const {
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

Extent PointsToGraph::partAt(Place T) const {
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

Place PointsToGraph::upwardsOf(Place T) const { return T.isFixed() ? T.stepped(1, partAt(T)) : T; }

bool PointsToGraph::add(PlaceSet &Into, const PlaceSet &From) const {
  bool Changed = false;
  if (!std::includes(Into.begin(), Into.end(), From.begin(), From.end()))
    for (Place T : From)
      Changed |= addPlace(Into, T);
  Steps += From.size() + (Changed ? Into.size() / 8 : 0);
  return Changed;
}

void PointsToGraph::reach(const Function &F) {
  if (Reached.insert(&F).second)
    for (const Instruction &I : instructions(F))
      Work.insert(&I);
}

void PointsToGraph::pushUsers(const Value *V) {
  for (const User *U : V->users())
    if (const auto *I = dyn_cast<Instruction>(U))
      Work.insert(I);
}

bool PointsToGraph::addTo(const Value *V, const PlaceSet &From) {
  if (From.empty() || !add(Sets[V], From))
    return false;
  pushUsers(V);
  return true;
}

PlaceSet PointsToGraph::targets(const Value *V) const {
  if (const auto *C = dyn_cast<Constant>(V))
    return constantTargets(*C);
  auto At = Sets.find(V);
  return At == Sets.end() ? PlaceSet() : At->second;
}

bool PointsToGraph::read(const Instruction &Reader, Place At) {
  Memory &M = Memories[At.Object];
  M.Readers.insert(&Reader);
  return std::exchange(Seen[&Reader][At], M.Version) != M.Version;
}

void PointsToGraph::pushReaders(Memory &M) {
  ++M.Version;
  for (const Instruction *Reader : M.Readers)
    Work.insert(Reader);
}

void PointsToGraph::store(Cell At, const PlaceSet &Pointers) {
  unsigned Id = At.first.Object;
  if (Pointers.empty() || Objects[Id].Kind == ObjectKind::Function)
    return;
  Memory &M = Memories[Id];
  const size_t ManyCells = 256;
  const Cell Anywhere = {Place::anywhere(Id), nullptr};
  bool Changed = false;
  if (M.Cells.size() == ManyCells && !M.Cells.count(At)) {
    PlaceSet All;
    for (const auto &[Old, There] : M.Cells)
      add(All, There);
    M.Cells = {{Anywhere, All}};
    M.IsOneCell = Changed = true;
  }
  if (!add(M.Cells[M.IsOneCell ? Anywhere : At], Pointers) && !Changed)
    return;
  pushReaders(M);
  if (Objects[Id].Escapes)
    for (Place T : Pointers)
      escapeObject(T.Object);
}

/// Nobody writes to it, whoever has its address.
static bool isConstant(const PointsToGraph::Object &O) {
  const auto *G = dyn_cast_or_null<GlobalVariable>(O.Origin);
  return G && G->isConstant() && G->hasDefinitiveInitializer();
}

static constexpr uint64_t PointerBytes = 8;

bool PointsToGraph::holdAddress(const Value *V, uint64_t Bytes, AccessType As) const {
  const auto IsKnown = [&](Place T) { // and no result of arithmetic
    return T.Object && Objects[T.Object].Kind != ObjectKind::Library && !T.isAnywhere();
  };
  return any_of(targets(V), [&](Place From) {
    return any_of(Memories[From.Object].Cells, [&](const auto &Stored) {
      const auto &[At, Pointers] = Stored;
      return From.overlaps(Bytes, At.first, PointerBytes) && mayBeOne(As, At.second) && any_of(Pointers, IsKnown);
    });
  });
}

bool PointsToGraph::load(PlaceSet &Into, Cell From, uint64_t Bytes) const {
  bool Changed = false, Known = false;
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
  if (O.Escapes && (!O.IsData || saysClass(O, From.second)) && !isConstant(O) && !(OfClass && (Known || !Settled)))
    Changed |= add(Into, {Place::anywhere(0)});
  if (!Contents.empty())
    Changed |= addLibraryPointers(Into, From.first, Bytes);
  return Changed;
}

bool saysClass(const PointsToGraph::Object &O, AccessType As) {
  return O.Kind == PointsToGraph::ObjectKind::Global && isVTablePointer(As);
}

void PointsToGraph::addLoaded(const Value *V, Cell From, uint64_t Bytes) {
  // A pointer among the caller's data (rows of an array of pointers) leads to more of the caller's data.
  // Likewise for a variable that others set: what it points to is theirs.
  unsigned Id = From.first.Object;
  ObjectKind Kind = Objects[Id].Kind;
  bool Row = Objects[Id].IsData && (Kind == ObjectKind::Tensor || Kind == ObjectKind::Global) &&
             !saysClass(Objects[Id], From.second) && V->getType()->isPtrOrPtrVectorTy() &&
             add(Sets[V], {Place::anywhere(Id)});
  if (load(Sets[V], From, Bytes) || Row)
    pushUsers(V);
}

void PointsToGraph::escapeObject(unsigned Id) {
  Object &O = Objects[Id];
  if (O.Kind == ObjectKind::Function)
    return reach(*cast<Function>(O.Origin));
  if (O.Escapes)
    return;
  O.Escapes = true;
  pushReaders(Memories[Id]);
  SmallVector<unsigned, 8> Next;
  for (const auto &[Offset, Pointers] : Memories[Id].Cells)
    for (Place T : Pointers)
      Next.push_back(T.Object);
  for (unsigned N : Next)
    escapeObject(N);
}

void PointsToGraph::escape(const Value *V) {
  for (Place T : targets(V))
    escapeObject(T.Object);
}

void PointsToGraph::addReachable(SmallSetVector<unsigned, 8> &From) const {
  for (unsigned I = 0; I < From.size(); ++I)
    for (const auto &[Offset, Pointers] : Memories[From[I]].Cells)
      for (Place T : Pointers)
        From.insert(T.Object);
}

DenseSet<unsigned> PointsToGraph::kept(bool OfThreads) const {
  DenseSet<unsigned> Kept;
  for (const Object &O : Objects)
    if (const auto *G = dyn_cast_or_null<GlobalVariable>(O.Origin);
        G && !G->isConstant() && (OfThreads || !G->hasMetadata(ThreadMetadata)))
      for (const unsigned Reached : reachable(G))
        Kept.insert(Reached);
  return Kept;
}

SmallSetVector<unsigned, 8> PointsToGraph::reachable(const Value *V) const {
  SmallSetVector<unsigned, 8> Result;
  for (Place T : targets(V))
    Result.insert(T.Object);
  addReachable(Result);
  return Result;
}

void PointsToGraph::visitReaders() {
  for (Memory &M : Memories)
    pushReaders(M);
}

} // namespace memshape
