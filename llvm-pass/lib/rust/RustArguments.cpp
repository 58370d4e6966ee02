// What lies behind the arguments of a Rust function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rust/RustArguments.h"
#include "operators/Compiler.h"
#include "operators/HeldPointers.h"
#include "operators/SourceParameters.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace memshape {

namespace {

class Reading {
public:
  explicit Reading(const Function &F) : F(F) {}
  std::optional<PassedArguments> read(const OperatorFact &Fact);

private:
  /// A place in the memory behind an argument, and what the source calls it.
  struct Place {
    unsigned Block;
    uint64_t Offset;
    std::string Name;
    bool MayChange; ///< a vector there may grow or go
  };

  std::optional<PassedArgument> object(const std::string &Name, const DIType *T);
  bool members(const Place &At, const DICompositeType &T);
  bool member(const Place &At, const DIType *T);
  bool vector(const Place &At, const DICompositeType &T);
  bool slice(const Place &At, const DICompositeType &T);
  bool number(const Place &At, const DIBasicType &T);

  void put(const Place &At, ArgumentCell Cell) { Made.Blocks[At.Block].Cells.push_back(std::move(Cell)); }

  const Function &F;
  PassedArguments Made;
};

} // namespace

static uint64_t bytesOf(const DIType &T) { return T.getSizeInBits() / 8; }

static const DICompositeType *structure(const DIType *T) {
  const auto *C = dyn_cast_or_null<DICompositeType>(T);
  return C && C->getTag() == dwarf::DW_TAG_structure_type ? C : nullptr;
}

/// The member of that name; null where there is none.
static const DIDerivedType *memberOf(const DICompositeType &T, StringRef Name) {
  for (const DINode *Each : T.getElements())
    if (const auto *Member = dyn_cast<DIDerivedType>(Each); Member && Member->getName() == Name)
      return Member;
  return nullptr;
}

/// The first number, or the first pointer, in an object of type T, and how far from its beginning.
static std::optional<uint64_t> offsetOf(const DIType *T, bool IsPointer) {
  if (const auto *C = structure(T)) {
    for (const DINode *Each : C->getElements())
      if (const auto *Member = dyn_cast<DIDerivedType>(Each); Member && Member->getTag() == dwarf::DW_TAG_member)
        if (const std::optional<uint64_t> Inner = offsetOf(Member->getBaseType(), IsPointer))
          return Member->getOffsetInBits() / 8 + *Inner;
    return std::nullopt;
  }
  const bool Is = IsPointer ? T && T->getTag() == dwarf::DW_TAG_pointer_type : isa_and_nonnull<DIBasicType>(T);
  return Is && T->getSizeInBits() == 64 ? std::optional<uint64_t>(0) : std::nullopt;
}

/// What T is generic over.
static const DIType *genericArgument(const DICompositeType &T, StringRef Name) {
  for (const DITemplateParameter *Each : T.getTemplateParams())
    if (Each && Each->getName() == Name)
      return Each->getType();
  return nullptr;
}

/// { capacity, pointer, length } of elements that hold numbers alone, from the global allocator.
bool Reading::vector(const Place &At, const DICompositeType &T) {
  const DIDerivedType *Buffer = memberOf(T, "buf"), *Length = memberOf(T, "len");
  const DIType *Element = genericArgument(T, "T"), *Allocator = genericArgument(T, "A");
  if (!Buffer || !Length || !Element || !bytesOf(*Element) || holdsPointers(Element) || !Allocator ||
      Allocator->getName() != "Global")
    return false;
  const std::optional<uint64_t> Pointer = offsetOf(Buffer->getBaseType(), true),
                                Capacity = offsetOf(Buffer->getBaseType(), false);
  if (!Pointer || !Capacity)
    return false;
  const uint64_t Begin = At.Offset + Buffer->getOffsetInBits() / 8;
  const unsigned Size = Made.add({At.Name + ".size", ParameterRole::Shape, 64, false});
  const unsigned Spare = Made.add({At.Name + ".spare", ParameterRole::Shape, 64, false, "0"});
  put(At, {ArgumentCell::Number, At.Offset + Length->getOffsetInBits() / 8, 64, Size});
  put(At, {ArgumentCell::Sum, Begin + *Capacity, 64, 0, 0, {Size, Spare}});
  if (At.MayChange) {
    put(At, {ArgumentCell::Owned, Begin + *Pointer, 0, unsigned(Made.Built.size()), bytesOf(*Element), {Size, Spare}});
    Made.Built.push_back({At.Name, T.getName().str()});
  } else {
    put(At, {ArgumentCell::Number, Begin + *Pointer, 0, Made.add({At.Name, ParameterRole::Tensor, 0, false})});
  }
  return true;
}

/// { pointer, length }, which nobody frees.
bool Reading::slice(const Place &At, const DICompositeType &T) {
  const DIDerivedType *Data = memberOf(T, "data_ptr"), *Length = memberOf(T, "length");
  const auto *Pointer = Data ? dyn_cast_or_null<DIDerivedType>(Data->getBaseType()) : nullptr;
  if (!Length || !Pointer || holdsPointers(Pointer->getBaseType()))
    return false;
  put(At, {ArgumentCell::Number, At.Offset + Data->getOffsetInBits() / 8, 0,
           Made.add({At.Name, ParameterRole::Tensor, 0, false})});
  put(At, {ArgumentCell::Number, At.Offset + Length->getOffsetInBits() / 8, 64,
           Made.add({At.Name + ".size", ParameterRole::Shape, 64, false})});
  return true;
}

/// False for what is no symbol and no setting.
bool Reading::number(const Place &At, const DIBasicType &T) {
  const unsigned Bits = unsigned(T.getSizeInBits());
  ParameterFact Fact{At.Name, ParameterRole::Setting, Bits, false};
  switch (T.getEncoding()) {
  case dwarf::DW_ATE_signed:
  case dwarf::DW_ATE_unsigned:
    Fact.Role = ParameterRole::Shape;
    Fact.Signed = T.getEncoding() == dwarf::DW_ATE_signed;
    break;
  case dwarf::DW_ATE_boolean: Fact.Bits = 1; break;
  case dwarf::DW_ATE_float:
    if (Bits == 32 || Bits == 64)
      break;
    return false;
  default: return false;
  }
  if (Bits > 64)
    return false;
  put(At, {ArgumentCell::Number, At.Offset, Bits, Made.add(Fact)});
  return true;
}

bool Reading::member(const Place &At, const DIType *T) {
  if (!T || !bytesOf(*T))
    return T;
  if (const auto *Basic = dyn_cast<DIBasicType>(T); Basic && number(At, *Basic))
    return true;
  if (const DICompositeType *Inner = structure(T); Inner && members(At, *Inner))
    return true;
  return !holdsPointers(T); // it is data
}

bool Reading::members(const Place &At, const DICompositeType &T) {
  if (T.getName().starts_with("Vec<"))
    return vector(At, T);
  if (memberOf(T, "data_ptr"))
    return slice(At, T);
  const size_t Parameters = Made.Parameters.size(), Cells = Made.Blocks[At.Block].Cells.size(),
               Built = Made.Built.size();
  for (const DINode *Each : T.getElements()) {
    const auto *Member = dyn_cast<DIDerivedType>(Each);
    StringRef Field = Member ? Member->getName() : "";
    Field.consume_front("__"); // of tuples
    const bool IsText = T.getName() == "String" && Field == "vec";
    if (!Member || Member->getTag() != dwarf::DW_TAG_member ||
        !member({At.Block, At.Offset + Member->getOffsetInBits() / 8, IsText ? At.Name : At.Name + "." + Field.str(),
                 At.MayChange},
                Member->getBaseType())) {
      Made.Parameters.resize(Parameters);
      Made.Blocks[At.Block].Cells.resize(Cells);
      Made.Built.resize(Built);
      return false;
    }
  }
  return true;
}

/// A reference to a structure, or one that is passed by its address and given away.
std::optional<PassedArgument> Reading::object(const std::string &Name, const DIType *T) {
  bool MayChange = true;
  if (const auto *Reference = dyn_cast_or_null<DIDerivedType>(T)) {
    if (Reference->getTag() != dwarf::DW_TAG_pointer_type || !Reference->getName().starts_with("&"))
      return std::nullopt;
    MayChange = Reference->getName().starts_with("&mut ");
    T = Reference->getBaseType();
  }
  const DICompositeType *Object = structure(T);
  if (!Object || !bytesOf(*Object))
    return std::nullopt;
  const unsigned Block = Made.addBlock(bytesOf(*Object));
  if (members({Block, 0, Name, MayChange}, *Object) && !Made.Blocks[Block].Cells.empty())
    return PassedArgument{PassedArgument::Block, Block};
  Made.Blocks.pop_back();
  return std::nullopt;
}

std::optional<PassedArguments> Reading::read(const OperatorFact &Fact) {
  const auto Types = sourceParameters(F);
  const unsigned Leading = unsigned(F.arg_size() - Fact.Parameters.size());
  bool LeadsOn = false;
  for (const Argument &A : F.args()) {
    if (A.getArgNo() < Leading) { // where the result goes
      const Type *Result = A.getParamStructRetType();
      if (!Result)
        return std::nullopt;
      const uint64_t Bytes = F.getDataLayout().getTypeAllocSize(A.getParamStructRetType());
      Made.Arguments.push_back({PassedArgument::Block, Made.addBlock(Bytes)});
      continue;
    }
    const unsigned Number = A.getArgNo() - Leading;
    const std::optional<PassedArgument> Found =
        A.getType()->isPointerTy() ? object(Types[Number].first, Types[Number].second) : std::nullopt;
    LeadsOn |= Found.has_value();
    Made.Arguments.push_back(Found ? *Found
                                   : PassedArgument{PassedArgument::Parameter, Made.add(Fact.Parameters[Number])});
  }
  return LeadsOn ? std::optional(std::move(Made)) : std::nullopt;
}

std::optional<PassedArguments> passedByRust(const Function &F, const OperatorFact &Fact) {
  if (!F.getSubprogram() || !StringRef(compilerOf(F)).starts_with("rustc ") ||
      sourceParameters(F).size() != Fact.Parameters.size())
    return std::nullopt;
  return Reading(F).read(Fact);
}

} // namespace memshape
