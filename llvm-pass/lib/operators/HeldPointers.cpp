// Whether pointers lie behind an argument.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operators/HeldPointers.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace memshape {

/// Whether an object of Type, perhaps null, may hold a pointer.
static bool holdsPointers(const DIType *Type, SmallPtrSetImpl<const DIType *> &Seen) {
  if (!Type)
    return true;
  if (!Seen.insert(Type).second)
    return false;
  if (const auto *Derived = dyn_cast<DIDerivedType>(Type)) {
    const bool Passes = is_contained({dwarf::DW_TAG_member, dwarf::DW_TAG_typedef, dwarf::DW_TAG_const_type,
                                      dwarf::DW_TAG_volatile_type, dwarf::DW_TAG_restrict_type},
                                     Derived->getTag());
    return !Passes || (Derived->getBaseType() && holdsPointers(Derived->getBaseType(), Seen));
  }
  const auto *Composite = dyn_cast<DICompositeType>(Type);
  if (!Composite)
    return !isa<DIBasicType>(Type);
  if (Composite->getTag() == dwarf::DW_TAG_array_type)
    return holdsPointers(Composite->getBaseType(), Seen);
  return any_of(Composite->getElements(), [&](const DINode *Each) {
    const auto *Element = dyn_cast<DIType>(Each);
    return Element && holdsPointers(Element, Seen);
  });
}

bool holdsPointers(const DIType *Type) {
  SmallPtrSet<const DIType *, 16> Seen;
  return holdsPointers(Type, Seen);
}

/// The same of what lies behind an argument of Type: a pointer, or an object that is passed by its address.
static bool mayHoldPointers(const DIType *Type) {
  const auto *Pointer = dyn_cast_or_null<DIDerivedType>(Type);
  return holdsPointers(Pointer ? Pointer->getBaseType() : Type);
}

static bool hasPointer(const Type &T) {
  return T.isPtrOrPtrVectorTy() || any_of(T.subtypes(), [](const Type *Each) { return hasPointer(*Each); });
}

namespace {

/// What becomes of a pointer in a function and in those that it is handed to.
struct Uses {
  bool Reads = false;   ///< a pointer is read behind it, or it is called
  bool Escapes = false; ///< it is stored, or what lies behind it is copied: it is not known what is read there
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 16> Next;

  explicit Uses(const Argument &A) : Next({&A}) {
    while (!Next.empty())
      if (const Value *V = Next.pop_back_val(); Seen.insert(V).second)
        for (const Use &U : V->uses())
          follow(U);
  }
  void follow(const Use &U);
  void followCall(const CallBase &Call, const Use &U);
};

} // namespace

void Uses::followCall(const CallBase &Call, const Use &U) {
  if (Call.isCallee(&U)) {
    Reads = true;
  } else if (isa<MemTransferInst>(Call)) {
    Escapes |= U.getOperandNo() == 1;
  } else if (!isa<IntrinsicInst>(Call) && Call.isArgOperand(&U)) {
    const unsigned Number = Call.getArgOperandNo(&U);
    const Function *Callee = Call.getCalledFunction();
    if (Callee && !Callee->isDeclaration() && Number < Callee->arg_size())
      Next.push_back(Callee->getArg(Number));
    else
      Escapes |= !Call.doesNotCapture(Number);
  }
}

void Uses::follow(const Use &U) {
  const auto *I = dyn_cast<Instruction>(U.getUser());
  if (!I)
    Escapes = true;
  else if (isa<LoadInst>(I))
    Reads |= hasPointer(*I->getType());
  else if (isa<StoreInst>(I))
    Escapes |= U.getOperandNo() == 0;
  else if (const auto *Call = dyn_cast<CallBase>(I))
    followCall(*Call, U);
  else if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst, FreezeInst>(I))
    Next.push_back(I);
  else if (!isa<ICmpInst, ReturnInst, BinaryOperator>(I))
    Escapes = true;
}

bool mayLeadOn(const Argument &A, const DIType *Type) {
  const Uses Found(A);
  return Found.Reads || (Found.Escapes && mayHoldPointers(Type));
}

} // namespace memshape
