// The type under which memory is accessed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memory/AccessType.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"

using namespace llvm;

namespace memshape {

/// The name of the type of pointers that the optimiser reads before it knows whether they are wanted: they have lost
/// their own.
static constexpr StringLiteral PointerName = "memshape.pointer";

/// A node of the trees that -new-struct-path-tbaa makes: (parent, bytes, name, members ...). Else (name, parent, 0); the
/// root is (name).
static bool hasSize(const MDNode *T) { return T->getNumOperands() >= 3 && isa_and_nonnull<MDNode>(T->getOperand(0)); }

AccessType accessType(const Instruction &I) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  if (!Tag && isa<LoadInst>(I) && I.getType()->isPointerTy())
    return MDNode::get(I.getContext(), MDString::get(I.getContext(), PointerName));
  // A tag is (base type, access type, offset).
  const auto *T = Tag && Tag->getNumOperands() >= 3 ? dyn_cast_or_null<MDNode>(Tag->getOperand(1)) : nullptr;
  // A structure as a whole: its bytes are of any of its members' types.
  return T && hasSize(T) && T->getNumOperands() > 3 ? nullptr : T;
}

static const MDNode *parentOf(const MDNode *T) {
  const unsigned At = hasSize(T) ? 0 : 1;
  return T->getNumOperands() <= At ? nullptr : dyn_cast_or_null<MDNode>(T->getOperand(At));
}

static const MDNode *rootOf(const MDNode *T) {
  while (const MDNode *Parent = parentOf(T))
    T = Parent;
  return T;
}

static StringRef nameOf(const MDNode *T) {
  const unsigned At = hasSize(T) ? 2 : 0;
  const auto *Name = At < T->getNumOperands() ? dyn_cast_or_null<MDString>(T->getOperand(At)) : nullptr;
  return Name ? Name->getString() : "";
}

bool isVTablePointer(AccessType T) { return T && nameOf(T) == "vtable pointer"; }

static bool isAncestor(const MDNode *Ancestor, const MDNode *T) {
  for (; T; T = parentOf(T))
    if (T == Ancestor)
      return true;
  return false;
}

/// T is a pointer's type, or nobody knows.
static bool mayBePointer(AccessType T) {
  for (; T; T = parentOf(T))
    if (StringRef Name = nameOf(T); Name == "any pointer" || Name == "vtable pointer" || Name == PointerName)
      return true;
  return false;
}

/// T is a type of C or C++, whose names are known here. A compiler of another language means by them what it likes.
static bool isOfC(AccessType T) {
  static constexpr StringLiteral Roots[] = {"Simple C/C++ TBAA", "Simple C++ TBAA"};
  return is_contained(Roots, nameOf(rootOf(T)));
}

/// Whether bytes written as T can be a pointer of a lost type: all but numbers with a point.
static bool canHoldPointer(AccessType T) {
  static constexpr StringLiteral Reals[] = {"float", "double", "long double"};
  return !isOfC(T) || !is_contained(Reals, nameOf(T));
}

/// The name of the type that bytes of all numbers have once they were copied.
static constexpr StringLiteral NumberName = "memshape.number";

bool mayBeOne(AccessType One, AccessType Other) {
  if (!One || !Other || isAncestor(One, Other) || isAncestor(Other, One))
    return true;
  if (nameOf(One) == PointerName)
    return canHoldPointer(Other);
  if (nameOf(Other) == PointerName)
    return canHoldPointer(One);
  if (nameOf(One) == NumberName)
    return !mayBePointer(Other);
  if (nameOf(Other) == NumberName)
    return !mayBePointer(One);
  // Units of two languages have trees of their own, and LLVM lets what is of two trees be one: the int of C is that of
  // C++, and of an INTEGER(4).
  return rootOf(One) != rootOf(Other);
}

AccessType afterCopy(AccessType T, const Instruction &Copy, uint64_t Bytes) {
  const uint64_t LargestScalar = 16;
  const bool OfStructure = Copy.hasMetadata(LLVMContext::MD_tbaa_struct);
  return Bytes && Bytes <= LargestScalar && !OfStructure ? nullptr : T;
}

AccessType asNumber(AccessType T, LLVMContext &C) {
  if (mayBePointer(T) || nameOf(T) == NumberName)
    return T;
  return isOfC(T) ? MDNode::get(C, MDString::get(C, NumberName)) : nullptr;
}

bool AccessTypes::add(AccessType T) {
  if (areAny() || is_contained(Types, T))
    return false;
  if (!T)
    Types.clear();
  Types.push_back(T);
  return true;
}

bool AccessTypes::mayBe(AccessType T) const {
  return any_of(Types, [T](AccessType Own) { return mayBeOne(Own, T); });
}

} // namespace memshape
