// Calls that allocate and free.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/Allocators.h"
#include "libraries/reader/Known.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace memshape {

/// What LLVM itself knows of F, by the attributes that its table of library functions, a front end or the source gave
/// it.
static std::optional<KnownAllocator> declaredByAttributes(const Function &F) {
  const Attribute Kind = F.getFnAttribute(Attribute::AllocKind);
  const Attribute Sizes = F.getFnAttribute(Attribute::AllocSize);
  if (!Kind.isValid())
    return std::nullopt;
  auto Has = [&](AllocFnKind K) { return (Kind.getAllocKind() & K) != AllocFnKind::Unknown; };
  auto Argument = [&](Attribute::AttrKind Marked) {
    for (const llvm::Argument &A : F.args())
      if (A.hasAttribute(Marked))
        return int(A.getArgNo());
    return -1;
  };
  KnownAllocator A;
  A.Kind = Has(AllocFnKind::Free)      ? AllocationKind::Release
           : Has(AllocFnKind::Realloc) ? AllocationKind::Reallocate
                                       : AllocationKind::Allocate;
  if (A.Kind != AllocationKind::Allocate)
    A.Block = Argument(Attribute::AllocatedPointer);
  if (A.Kind != AllocationKind::Release && Sizes.isValid()) {
    auto [Size, Count] = Sizes.getAllocSizeArgs();
    A.Size = int(Size);
    A.Count = Count ? int(*Count) : -1;
    A.Alignment = Argument(Attribute::AllocAlign);
  }
  A.Zeroed = Has(AllocFnKind::Zeroed);
  if ((A.Kind != AllocationKind::Release && A.Size < 0) || (A.Kind != AllocationKind::Allocate && A.Block < 0))
    return std::nullopt;
  return A;
}

/// The call, taken apart where D says; nothing where the function of that name has another signature.
static std::optional<AllocationCall> takenApart(CallBase &Call, const KnownAllocator &D) {
  auto Operand = [&](int I, bool IsPointer) -> Value * {
    Value *V = I >= 0 && unsigned(I) < Call.arg_size() ? Call.getArgOperand(I) : nullptr;
    return V && (IsPointer ? V->getType()->isPointerTy() : V->getType()->isIntegerTy()) ? V : nullptr;
  };
  AllocationCall A;
  A.Kind = D.Kind;
  A.In = D.In;
  A.Size = Operand(D.Size, false);
  A.Count = Operand(D.Count, false);
  A.Alignment = Operand(D.Alignment, false);
  A.Block = Operand(D.Block, true);
  A.Zeroed = D.Zeroed;
  A.ZeroBecomesOne = D.ZeroBecomesOne;
  A.RoundsToAlignment = D.RoundsToAlignment;
  bool Returns = Call.getType()->isPointerTy() || D.Kind == AllocationKind::Store || D.Kind == AllocationKind::Release;
  if (bool(A.Size) != (D.Size >= 0) || bool(A.Block) != (D.Block >= 0) || bool(A.Count) != (D.Count >= 0) ||
      bool(A.Alignment) != (D.Alignment >= 0) || !Returns)
    return std::nullopt;
  if (D.Pages)
    A.Alignment = ConstantInt::get(A.Size->getType(), 4096);
  if (D.ElementBytes != 1)
    A.Count = ConstantInt::get(A.Size->getType(), D.ElementBytes);
  return A;
}

std::optional<AllocationCall> allocationCall(CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || Callee->isIntrinsic())
    return std::nullopt;
  const KnownAllocator *Known = knownAllocator(Callee->getName());
  if (Known && (!Known->Predicted || Known->Inside || Known->In == Space::Stack))
    return std::nullopt;
  std::optional<KnownAllocator> Declared = Known ? std::nullopt : declaredByAttributes(*Callee);
  if (!Known && !Declared)
    return std::nullopt;
  std::optional<AllocationCall> A = takenApart(Call, Known ? *Known : *Declared);
  if (A)
    A->Name = Known ? StringRef(Known->Label) : Callee->getName();
  return A;
}

std::optional<Space> spaceOfUnsizedAllocation(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  const KnownAllocator *Known = Callee && Callee->isDeclaration() ? knownAllocator(Callee->getName()) : nullptr;
  const bool Takes = Known && !Known->Predicted && !Known->Inside && Known->Kind != AllocationKind::Release;
  return Takes ? std::optional(Known->In) : std::nullopt;
}

} // namespace memshape
