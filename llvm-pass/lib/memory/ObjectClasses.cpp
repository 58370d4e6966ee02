// What an object's virtual functions tell.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dynamic_cast<Grid *>(shape): the pointer to virtual functions in the object names its class, the class its base.
//
//   object          vtable of Grid            type of Grid             type of Shape
//   +--------+      offset to the top  0      kind: one base           kind: none
//   | table  |--+   type -------------------> name                     name
//   | ...    |  +-> functions ...             base -----------------> ...
//
// Where each class on the way has one base, at offset 0, a cast that succeeds changes no pointer. And a virtual function
// is called on objects in whose table it stands, and on no others.

#include "libraries/reader/Known.h"
#include "memory/PointsTo.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace memshape {

bool isDynamicCast(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  const unsigned Parameters = 4;
  return Callee && Callee->isDeclaration() && Call.arg_size() == Parameters &&
         knownRole(Callee->getName()) == Role::DynamicCast;
}

/// The pointer that stands at Offset in constant G; null where that is not known.
static const Constant *pointerAt(const GlobalVariable &G, int64_t Offset, const DataLayout &DL) {
  if (!G.isConstant() || !G.hasInitializer() || Offset < 0)
    return nullptr;
  return ConstantFoldLoadFromConst(const_cast<Constant *>(G.getInitializer()), PointerType::getUnqual(G.getContext()),
                                   APInt(64, uint64_t(Offset)), DL);
}

static const GlobalVariable *variableAt(const GlobalVariable &G, int64_t Offset, const DataLayout &DL) {
  const Constant *C = pointerAt(G, Offset, DL);
  return C ? dyn_cast<GlobalVariable>(getUnderlyingObject(C)) : nullptr;
}

/// How many pointers the type information in G is: two for a class without bases, three for one with one public base at
/// offset 0, 0 for others, which have numbers, too.
static unsigned pointersOnly(const GlobalVariable &G) {
  const auto *S = dyn_cast<StructType>(G.getValueType());
  const bool Only = S && G.hasInitializer() && all_of(S->elements(), [](const Type *T) { return T->isPointerTy(); });
  return Only ? S->getNumElements() : 0;
}

/// Whether objects with the virtual functions at Functions in Table are, as a whole, of class Wanted. Nothing where the
/// module does not tell, and for classes with several bases.
static std::optional<bool> isOfClass(const GlobalVariable &Table, int64_t Functions, const Value *Wanted,
                                     const DataLayout &DL) {
  const int64_t PointerBytes = 8;
  const Constant *Top = pointerAt(Table, Functions - 2 * PointerBytes, DL);
  if (!Top || !Top->isNullValue())
    return std::nullopt;
  const GlobalVariable *Class = variableAt(Table, Functions - PointerBytes, DL);
  const unsigned MostBases = 64;
  for (unsigned I = 0; Class && I != MostBases; ++I) {
    if (Class == Wanted)
      return true;
    const unsigned Pointers = pointersOnly(*Class);
    if (Pointers == 2)
      return false;
    if (Pointers != 3)
      return std::nullopt;
    Class = variableAt(*Class, 2 * PointerBytes, DL);
  }
  return std::nullopt;
}

/// Looks at each table of virtual functions that the object at T can have; false where none is known.
static bool forClassesAt(const std::map<std::pair<Place, AccessType>, PlaceSet> &Cells, Place T,
                         function_ref<void(Place)> Look) {
  const uint64_t PointerBytes = 8;
  bool Known = false;
  for (const auto &[At, Tables] : Cells)
    if (isVTablePointer(At.second) && T.overlaps(PointerBytes, At.first, PointerBytes))
      for (Place Table : Tables) {
        Look(Table);
        Known = true;
      }
  return Known;
}

void PointsTo::visitDynamicCast(const CallBase &Call) {
  for (Place T : targets(Call.getArgOperand(0))) {
    Memories[T.Object].Readers.insert(&Call);
    bool Anywhere = T.Object == 0;
    const bool Known = forClassesAt(Memories[T.Object].Cells, T, [&](Place Functions) {
      const auto *Table = dyn_cast_or_null<GlobalVariable>(Objects[Functions.Object].Origin);
      const std::optional<bool> Is =
          Table && Functions.isFixed() ? isOfClass(*Table, Functions.Offset, Call.getArgOperand(2), DL) : std::nullopt;
      if (!Is)
        Anywhere = true;
      else if (*Is)
        addTo(&Call, {T});
    });
    Postponed |= !Known && !Settled;
    if (Anywhere || (!Known && Settled))
      addTo(&Call, {Place::anywhere(T.Object)});
  }
}

std::optional<bool> PointsTo::castSucceeds(const CallBase &Call) const {
  std::optional<bool> Result;
  bool Agree = true;
  for (Place T : targets(Call.getArgOperand(0))) {
    const bool Known = T.Object != 0 && forClassesAt(Memories[T.Object].Cells, T, [&](Place Functions) {
                         const auto *Table = dyn_cast_or_null<GlobalVariable>(Objects[Functions.Object].Origin);
                         const std::optional<bool> Is =
                             Table && Functions.isFixed()
                                 ? isOfClass(*Table, Functions.Offset, Call.getArgOperand(2), DL)
                                 : std::nullopt;
                         Agree &= Is && (!Result || *Is == *Result);
                         Result = Is;
                       });
    Agree &= Known;
  }
  return Agree ? Result : std::nullopt;
}

namespace {

/// A call of the function that stands Slot bytes behind the pointer in the object that is argument Receiver.
struct VirtualCall {
  unsigned Receiver;
  int64_t Slot;
};

} // namespace

static std::optional<VirtualCall> virtualCall(const CallBase &Call, const DataLayout &DL) {
  const auto *Function = dyn_cast<LoadInst>(Call.getCalledOperand());
  if (!Function)
    return std::nullopt;
  APInt Slot(64, 0);
  const auto *Table = dyn_cast<LoadInst>(
      Function->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, Slot, /*AllowNonInbounds=*/true));
  if (!Table || !isVTablePointer(accessType(*Table)))
    return std::nullopt;
  for (const Use &U : Call.args())
    if (U.get() == Table->getPointerOperand())
      return VirtualCall{U.getOperandNo(), Slot.getSExtValue()};
  return std::nullopt;
}

/// Callee may stand at Slot in a table that the object at T can have.
bool PointsTo::hasFunction(Place T, int64_t Slot, const Function &Callee) const {
  const uint64_t PointerBytes = 8;
  const Object &O = Objects[T.Object];
  if (T.Object == 0 || O.IsData || !Contents.empty())
    return true;
  bool Known = false;
  for (const auto &[At, Tables] : Memories[T.Object].Cells) {
    if (!T.overlaps(PointerBytes, At.first, PointerBytes) || !(isVTablePointer(At.second) || !At.second))
      continue;
    for (Place Table : Tables) {
      Known = true;
      const auto *G = dyn_cast_or_null<GlobalVariable>(Objects[Table.Object].Origin);
      if (!G || !G->isConstant() || !G->hasInitializer() || !Table.isFixed())
        return true;
      for (const auto &[Place, Functions] : Memories[Table.Object].Cells)
        if (Table.moved(Slot).overlaps(PointerBytes, Place.first, PointerBytes) &&
            any_of(Functions, [&](auto F) { return Objects[F.Object].Origin == &Callee; }))
          return true;
    }
  }
  Postponed |= !Known && !Settled;
  return !Known && Settled;
}

PlaceSet PointsTo::givenTo(const Function &Callee, const CallBase &Call, unsigned N) {
  PlaceSet All = targets(Call.getArgOperand(N));
  const std::optional<VirtualCall> Virtual = virtualCall(Call, DL);
  if (!Virtual || Virtual->Receiver != N)
    return All;
  for (Place T : All)
    Memories[T.Object].Readers.insert(&Call);
  erase_if(All, [&](Place T) { return !hasFunction(T, Virtual->Slot, Callee); });
  return All;
}

} // namespace memshape
