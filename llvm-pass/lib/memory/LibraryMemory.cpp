// Memory of closed libraries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library that is called for real, and whose allocations follow from sizes alone (Summary::OnlyHeadersMatter), works
// on headers and contents. Headers are its own classes, as their layouts say, and objects that hold pointers: what the
// library writes there is real, for it was really called. Everything else that it reaches is contents: data, which no
// skeleton computes.
//
//     cv::Mat image(ny, nx, CV_32F, in)      image, on the stack:  rows, cols, ... | data | ... | size | step
//                                                                                   |            |
//                                            contents: in, or a block of the library            header: image itself

#include "libraries/Summaries.h"
#include "memory/ModRefIndex.h"
#include "memory/PointsTo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace memshape {

namespace {

/// A pointer that a library keeps in an object of its own class.
struct LibraryPointer {
  int64_t Offset;
  enum { ToContents, ToHeader, ToOwn } Where;
};

} // namespace

/// Pointers of library classes in T, at Start. True when there is such a class.
static bool libraryPointers(Type *T, int64_t Start, const DataLayout &DL, SmallVectorImpl<LibraryPointer> &Out) {
  if (auto *Array = dyn_cast<ArrayType>(T)) {
    const uint64_t ManyElements = 64;
    uint64_t Stride = DL.getTypeAllocSize(Array->getElementType());
    bool Any = false;
    for (uint64_t I = 0; I != std::min(Array->getNumElements(), ManyElements); ++I)
      Any |= libraryPointers(Array->getElementType(), Start + int64_t(I * Stride), DL, Out);
    return Any;
  }
  auto *S = dyn_cast<StructType>(T);
  if (!S)
    return false;
  bool Any = false;
  if (const ClassLayout *Known = S->hasName() ? classLayout(S->getName()) : nullptr) {
    for (unsigned At : Known->Contents)
      Out.push_back({Start + At, LibraryPointer::ToContents});
    for (unsigned At : Known->Headers)
      Out.push_back({Start + At, LibraryPointer::ToHeader});
    for (unsigned At : Known->Own)
      Out.push_back({Start + At, LibraryPointer::ToOwn});
    Any = true;
  }
  const StructLayout *Layout = DL.getStructLayout(S);
  for (unsigned I = 0; I != S->getNumElements(); ++I)
    Any |= libraryPointers(S->getElementType(I), Start + int64_t(Layout->getElementOffset(I).getFixedValue()), DL, Out);
  return Any;
}

/// The type of an object that has one: a variable, or a parameter that stands for its caller's.
static Type *typeOf(const Value *Origin) {
  if (const auto *A = dyn_cast_or_null<AllocaInst>(Origin))
    return A->getAllocatedType();
  if (const auto *G = dyn_cast_or_null<GlobalVariable>(Origin))
    return G->getValueType();
  if (const auto *A = dyn_cast_or_null<Argument>(Origin))
    return A->getParamStructRetType();
  return nullptr;
}

/// The objects that stand for the library's own memory. False where they were there.
bool PointsTo::openLibrary() {
  if (!Contents.empty())
    return false;
  unsigned Data = objectFor(ObjectKind::Library, nullptr), State = objectFor(ObjectKind::Library, nullptr);
  Objects[Data].IsData = true;
  Objects[State].IsHeader = true;
  Contents = {Place::anywhere(Data)};
  Headers = {Place::anywhere(State)};
  return true;
}

/// A library call reaches object Id. True when that changes what pointers in headers and contents can mean.
bool PointsTo::giveToLibrary(unsigned Id) {
  Object &O = Objects[Id];
  if (Id == 0 || O.Kind == ObjectKind::Function || O.Kind == ObjectKind::Library || O.IsHeader)
    return false;
  SmallVector<LibraryPointer, 8> Pointers;
  Type *T = typeOf(O.Origin);
  if (T && libraryPointers(T, 0, DL, Pointers)) {
    O.IsHeader = true;
    return true;
  }
  if (O.Kind != ObjectKind::Tensor && !Memories[Id].Cells.empty()) {
    O.IsHeader = true;
    escapeObject(Id);
    return true;
  }
  if (O.Kind == ObjectKind::Heap) {
    Waiting.insert(Id);
    return false;
  }
  return add(Contents, {Place::anywhere(Id)});
}

/// Blocks that hold no headers are contents.
void PointsTo::giveWaiting() {
  bool Changed = false;
  for (unsigned Id : Waiting)
    if (!Objects[Id].IsHeader)
      Changed |= add(Contents, {Place::anywhere(Id)});
  Waiting.clear();
  if (Changed)
    visitReaders();
}

/// By its summary S a library only reads extents behind argument N.
static bool areExtents(const Summary &S, unsigned N) { return N < 64 && (S.ExtentArguments >> N & 1); }

/// A member function of a library's class is called on a block: that is an array of such objects, as std::vector has
/// it. True when that was not known.
bool PointsTo::learnElements(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  StructType *Class = Callee ? classOf(*Callee) : nullptr;
  if (!Class || Call.arg_empty())
    return false;
  unsigned This = Call.paramHasAttr(0, Attribute::StructRet) ? 1 : 0;
  uint64_t Bytes = DL.getTypeAllocSize(Class);
  // Without the padding at its end, where the class lets others use that.
  uint64_t Known = This < Call.arg_size() ? Call.getParamDereferenceableBytes(This) : 0;
  const uint64_t WidestAlignment = 16;
  if (!Known || Known > Bytes || Known + WidestAlignment <= Bytes)
    return false;
  bool Changed = false;
  for (Place T : targets(Call.getArgOperand(This))) {
    Object &O = Objects[T.Object];
    bool IsElement = T.Offset >= 0 && T.Offset % int64_t(Bytes) == 0 && T.Stride % int64_t(Bytes) == 0;
    if (O.Kind != ObjectKind::Heap || O.IsHeader || !IsElement)
      continue;
    O.Elements = Class;
    O.IsHeader = Changed = true;
  }
  return Changed;
}

/// Call goes through a vtable of a library: by the summary of what stands there, where all agree.
Summary PointsTo::virtualSummary(const CallBase &Call) const {
  const auto *Slot = dyn_cast<LoadInst>(Call.getCalledOperand());
  Summary Found;
  for (Place T : Slot ? targets(Slot->getPointerOperand()) : PlaceSet()) {
    const auto *Table = dyn_cast_or_null<GlobalVariable>(Objects[T.Object].Origin);
    if (!Table || !Table->isDeclaration() || !T.isFixed())
      return {};
    const Summary S = summaryOfVirtual(*Table, T.Offset);
    const bool First = Found.How == Treatment::Unknown;
    if (S.How == Treatment::Unknown ||
        (!First && (S.How != Found.How || S.ResultIsFresh != Found.ResultIsFresh ||
                    S.ReadArguments != Found.ReadArguments || S.WrittenArguments != Found.WrittenArguments)))
      return {};
    Found = S;
  }
  return Found;
}

Summary PointsTo::summaryFor(const CallBase &Call) const {
  if (const auto *Callee = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCastsAndAliases()))
    return Callee->isDeclaration() && !Callee->isIntrinsic() ? summaryOf(*Callee) : Summary();
  if (Summary S = virtualSummary(Call); S.How != Treatment::Unknown)
    return S;
  PlaceSet Callees = targets(Call.getCalledOperand());
  if (Callees.empty() || Callees != Headers)
    return {};
  Summary Virtual;
  Virtual.How = Treatment::Perform;
  Virtual.OnlyHeadersMatter = Virtual.ResultIsData = true;
  return Virtual;
}

void PointsTo::visitLibraryCall(const CallBase &Call) {
  bool Changed = openLibrary();
  Changed |= learnElements(Call);
  const Summary S = summaryFor(Call);
  for (const Use &U : Call.args())
    if (U->getType()->isPointerTy() && !areExtents(S, U.getOperandNo()))
      for (unsigned Id : reachable(U.get())) {
        Memories[Id].Readers.insert(&Call); // it reaches more when more is stored there
        Changed |= giveToLibrary(Id);
      }
  if (Changed)
    visitReaders();
  if (!carriesPointers(Call.getType()))
    return;
  addTo(&Call, Contents);
  addTo(&Call, Headers);
  for (const Use &U : Call.args()) // many return what they were given
    if (!areExtents(S, U.getOperandNo()))
      for (Place T : targets(U.get()))
        addTo(&Call, {Place::anywhere(T.Object)});
}

/// Pointers that a library may have left at From. True when Into grows.
bool PointsToGraph::addLibraryPointers(PlaceSet &Into, Place From, uint64_t Bytes) const {
  const Object &O = Objects[From.Object];
  const uint64_t PointerBytes = 8;
  if (O.Kind == ObjectKind::Library)
    return add(Into, O.IsData ? Contents : Headers);
  if (O.IsHeader) {
    SmallVector<LibraryPointer, 8> Pointers;
    if (Type *T = O.Elements ? O.Elements : typeOf(O.Origin))
      libraryPointers(T, 0, DL, Pointers);
    int64_t Stride = O.Elements ? int64_t(DL.getTypeAllocSize(O.Elements)) : 0;
    bool Changed = false;
    for (LibraryPointer P : Pointers)
      if (From.overlaps(Bytes, {From.Object, P.Offset, Stride}, PointerBytes)) {
        Changed |= add(Into, P.Where == LibraryPointer::ToContents ? Contents : Headers);
        if (P.Where == LibraryPointer::ToHeader)
          Changed |= add(Into, {Place::anywhere(From.Object)});
      }
    return Changed;
  }
  return is_contained(Contents, Place::anywhere(From.Object)) && !O.IsData && add(Into, Contents);
}

/// Parameters of Callee include arrays of a type that its library uses for extents.
static bool takesExtents(const Function *Callee) {
  const ArrayRef<std::string> Types = Callee ? summaryOf(*Callee).ExtentTypes : ArrayRef<std::string>();
  const std::string Name = Types.empty() ? "" : demangle(Callee->getName().str());
  return any_of(Types, [&](const std::string &T) {
    return StringRef(Name).contains(T + " const*") || StringRef(Name).contains(T + "*");
  });
}

void ModRefIndex::collectLibraryCall(CallBase &Call) {
  const DataLayout &DL = Call.getModule()->getDataLayout();
  bool Extents = takesExtents(Call.getCalledFunction());
  const Summary S = Memory.summaryFor(Call);
  for (unsigned N = 0; N != Call.arg_size(); ++N) {
    const Value *Argument = Call.getArgOperand(N);
    if (!Argument->getType()->isPointerTy() || isa<ConstantPointerNull>(Argument))
      continue;
    if (areExtents(S, N)) {
      All.push_back({&Call, Argument, 0, true, false, false, false, 0, ModRef::Extents});
      continue;
    }
    All.push_back({&Call, Argument, 0, true, true, true, false, 0, ModRef::Headers});
    All.push_back({&Call, Argument, 0, false, true, true, true, 0, ModRef::Contents});
    All.push_back({&Call, Argument, 0, true, false, true, false, 0, ModRef::Variables});
    // References and `this` lead to an object of a known size; it says what to do.
    uint64_t Bytes = Call.getParamDereferenceableBytes(N);
    if (Type *T = Call.getParamByValType(N))
      Bytes = DL.getTypeStoreSize(T);
    if (Bytes || Extents)
      All.push_back({&Call, Argument, Bytes, true, true, true, true, 0, ModRef::Direct});
  }
}

/// The objects that T reaches, of the part that it is about.
SmallVector<unsigned, 8> ModRefIndex::reached(const ModRef &T) const {
  SmallVector<unsigned, 8> Result;
  bool SharesUnknown = false;
  if (T.Part == ModRef::Direct) {
    for (Place At : Memory.targets(T.Pointer))
      if (!Memory.object(At.Object).IsHeader && !is_contained(Result, At.Object))
        Result.push_back(At.Object);
    return Result;
  }
  for (unsigned Id : Memory.reachable(T.Pointer)) {
    const PointsTo::Object &O = Memory.object(Id);
    SharesUnknown |= O.Escapes;
    bool IsVariable = O.Kind == PointsTo::ObjectKind::Stack || O.Kind == PointsTo::ObjectKind::Global;
    bool OfPart = T.Part == ModRef::Headers     ? O.IsHeader
                  : T.Part == ModRef::Variables ? !O.IsHeader && IsVariable
                                                : !O.IsHeader && Id;
    if (T.Part == ModRef::All || OfPart)
      Result.push_back(Id);
  }
  if (T.Part != ModRef::Contents)
    return Result;
  for (Place At : Memory.libraryContents())
    if (!Memory.object(At.Object).IsHeader && !is_contained(Result, At.Object))
      Result.push_back(At.Object);
  if (SharesUnknown)
    Result.push_back(0);
  return Result;
}

} // namespace memshape
