// Where the parts of an object end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory/Layout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace memshape {

/// Clang's name for the type that stands for a union.
static bool isUnion(const Type *T) {
  const auto *S = dyn_cast<StructType>(T);
  return S && S->hasName() && S->getName().starts_with("union.");
}

Extent partOf(Type *T, int64_t Offset, const DataLayout &DL) {
  if (Offset <= 0 || isUnion(T) || !T->isSized() || DL.getTypeAllocSize(T).isScalable())
    return {};
  int64_t Start = 0;            // of the part of type T that Offset lies in
  bool BeforeAggregate = false; // another array or structure follows that part
  while (true) {
    int64_t End = Start + int64_t(DL.getTypeAllocSize(T).getFixedValue());
    if (Offset >= End)
      return {};
    if (auto *Array = dyn_cast<ArrayType>(T)) {
      // A walk may take any stride: through the elements, or through one member of each. From the middle it may have
      // come from the next member, b[i - 1].
      if (Array->getNumElements() != 1)
        return Offset == Start || !BeforeAggregate ? Extent{Start, End} : Extent();
      T = Array->getElementType();
      continue;
    }
    auto *Struct = dyn_cast<StructType>(T);
    if (!Struct)
      return {};
    const StructLayout *Layout = DL.getStructLayout(Struct);
    unsigned Index = Layout->getElementContainingOffset(uint64_t(Offset - Start));
    Type *Member = Struct->getElementType(Index);
    int64_t MemberStart = Start + int64_t(Layout->getElementOffset(Index).getFixedValue());
    int64_t MemberEnd = MemberStart + int64_t(DL.getTypeAllocSize(Member).getFixedValue());
    // Members of one type in a row are indexed by people too: (&v.x)[i].
    if (isUnion(Member) || !Member->isAggregateType() || Offset >= MemberEnd)
      return {};
    if (Offset == MemberStart && MemberStart != Start)
      return {MemberStart, MemberEnd};
    if (Index + 1 != Struct->getNumElements())
      BeforeAggregate = Struct->getElementType(Index + 1)->isAggregateType();
    Start = MemberStart;
    T = Member;
  }
}

/// T with bytes in the place of unions; T itself where it has none.
static Type *withoutUnions(Type *T, const DataLayout &DL) {
  LLVMContext &C = T->getContext();
  auto Bytes = [&](uint64_t N) { return ArrayType::get(Type::getInt8Ty(C), N); };
  if (isUnion(T))
    return Bytes(DL.getTypeAllocSize(T).getFixedValue());
  if (auto *Array = dyn_cast<ArrayType>(T)) {
    Type *Element = withoutUnions(Array->getElementType(), DL);
    return Element == Array->getElementType() ? T : ArrayType::get(Element, Array->getNumElements());
  }
  auto *Struct = dyn_cast<StructType>(T);
  if (!Struct || DL.getTypeAllocSize(T).isScalable())
    return T;
  const StructLayout *Layout = DL.getStructLayout(Struct);
  SmallVector<Type *, 16> Members; // packed, with the padding written out
  uint64_t At = 0;
  bool Changed = false;
  for (auto [Index, Old] : enumerate(Struct->elements())) {
    uint64_t Offset = Layout->getElementOffset(Index).getFixedValue();
    if (Offset != At)
      Members.push_back(Bytes(Offset - At));
    Type *New = withoutUnions(Old, DL);
    Changed |= New != Old;
    Members.push_back(New);
    At = Offset + DL.getTypeAllocSize(Old).getFixedValue();
  }
  if (!Changed)
    return T;
  if (uint64_t Size = Layout->getSizeInBytes().getFixedValue(); Size > At)
    Members.push_back(Bytes(Size - At));
  return StructType::get(C, Members, /*isPacked=*/true);
}

void hideUnions(Function &F) {
  const DataLayout &DL = F.getParent()->getDataLayout();
  for (Instruction &I : instructions(F))
    if (auto *Variable = dyn_cast<AllocaInst>(&I))
      Variable->setAllocatedType(withoutUnions(Variable->getAllocatedType(), DL));
}

} // namespace memshape
