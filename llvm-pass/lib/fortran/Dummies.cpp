// What lies behind the arguments of a Fortran procedure.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "fortran/Dummies.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MD5.h"

using namespace llvm;

namespace memshape {

namespace {

/// Layout of a descriptor, as flang's ISO_Fortran_binding.h has it.
constexpr uint64_t ElementBytesAt = 8, VersionAt = 16, RankAt = 20, TypeAt = 21, AttributeAt = 22, ExtraAt = 23,
                   DimensionsAt = 24, DimensionBytes = 24, AddendumBytes = 16, MostDimensions = 15;
constexpr uint64_t Version = 20240719;
enum Attribute : uint64_t { Plain = 0, Pointer = 1, Allocatable = 2 };
constexpr unsigned PointerBits = 64;
constexpr uint64_t HasAddendum = 1; // in the byte called extra

/// Codes of types in descriptors.
enum TypeCode : uint64_t {
  Integer8 = 7,
  Half = 25,
  Float = 27,
  Double,
  X87,
  Quad = 31,
  ToComplex = 7,
  Bool = 39,
  Text,
  Struct = 42
};

/// Collects what the arguments of one procedure are.
class Reading {
public:
  explicit Reading(const Function &F) : F(F) {}
  std::optional<PassedArguments> read();

private:
  struct Dummy {
    const DILocalVariable *Variable = nullptr;
    bool ByValue = false;
  };

  void findVariables();
  PassedArgument argument(const Argument &A, const Dummy &D);
  PassedArgument ofReference(const std::string &Name, const DIType *T);
  PassedArgument undescribed(const Argument &A);
  PassedArgument parameter(ParameterFact Fact) { return {PassedArgument::Parameter, Made.add(std::move(Fact))}; }
  void put(unsigned Block, ArgumentCell Cell) { Made.Blocks[Block].Cells.push_back(std::move(Cell)); }
  void putFixed(unsigned Block, uint64_t Offset, unsigned Bits, uint64_t Value) {
    put(Block, {ArgumentCell::Fixed, Offset, Bits, 0, Value});
  }
  bool putValue(unsigned Block, uint64_t Offset, const std::string &Name, const DIType *T);
  void putMembers(unsigned Block, uint64_t Offset, const std::string &Name, const DICompositeType &T);
  void putDescriptor(unsigned Block, uint64_t Offset, const std::string &Name, const DICompositeType &T, bool IsMember);
  void putHead(unsigned Block, uint64_t Offset, const DIType *Element, uint64_t Rank, uint64_t Attribute);

  const Function &F;
  PassedArguments Made;
  SmallVector<Dummy, 8> Described;
  SmallVector<std::string, 2> Lengths; ///< of texts, which come behind all other arguments
};

} // namespace

/// T without names that are given to it.
static const DIType *plain(const DIType *T) {
  while (const auto *D = dyn_cast_or_null<DIDerivedType>(T)) {
    if (D->getTag() != dwarf::DW_TAG_typedef && D->getTag() != dwarf::DW_TAG_member)
      break;
    T = D->getBaseType();
  }
  return T;
}

static const DICompositeType *structure(const DIType *T) {
  const auto *C = dyn_cast_or_null<DICompositeType>(plain(T));
  return C && C->getTag() == dwarf::DW_TAG_structure_type ? C : nullptr;
}

/// An array that is passed by a descriptor.
static const DICompositeType *described(const DIType *T) {
  const auto *C = dyn_cast_or_null<DICompositeType>(plain(T));
  return C && C->getTag() == dwarf::DW_TAG_array_type && C->getRawDataLocation() ? C : nullptr;
}

/// A polymorphic object, or a scalar that is a pointer or allocatable.
static const DIDerivedType *describedScalar(const DIType *T) {
  const auto *D = dyn_cast_or_null<DIDerivedType>(plain(T));
  return D && D->getTag() == dwarf::DW_TAG_pointer_type && D->getBaseType() && !isa<DISubroutineType>(D->getBaseType())
             ? D
             : nullptr;
}

/// Whether an object of T, or behind it, holds descriptors or pointers.
static bool leadsOn(const DIType *T) {
  if (described(T))
    return true;
  T = plain(T);
  if (const DICompositeType *Object = structure(T))
    return any_of(Object->getElements(), [](const DINode *Each) { return leadsOn(dyn_cast<DIType>(Each)); });
  const auto *Array = dyn_cast_or_null<DICompositeType>(T);
  return (Array && leadsOn(Array->getBaseType())) || (T && T->getTag() == dwarf::DW_TAG_pointer_type);
}

static uint64_t typeCode(const DIType *T) {
  T = plain(T);
  if (isa_and_nonnull<DIStringType>(T))
    return Text;
  const auto *Basic = dyn_cast_or_null<DIBasicType>(T);
  if (!Basic)
    return Struct;
  const uint64_t Bits = Basic->getSizeInBits();
  auto Real = [](uint64_t Bits) -> uint64_t {
    return Bits == 16 ? Half : Bits == 32 ? Float : Bits == 64 ? Double : Bits == 80 ? X87 : Quad;
  };
  switch (Basic->getEncoding()) {
  case dwarf::DW_ATE_float: return Real(Bits);
  case dwarf::DW_ATE_complex_float: return Real(Bits / 2) + ToComplex;
  case dwarf::DW_ATE_boolean: return Bits == 8 ? uint64_t(Bool) : Integer8 + Log2_64(Bits / 8);
  default: return Integer8 + Log2_64(std::max<uint64_t>(Bits, 8) / 8);
  }
}

/// A number that can be a symbol or a setting.
static std::optional<ParameterFact> number(const std::string &Name, const DIType *T) {
  const auto *Basic = dyn_cast_or_null<DIBasicType>(plain(T));
  const unsigned Bits = Basic ? unsigned(Basic->getSizeInBits()) : 0;
  if (!Basic || Bits > 64)
    return std::nullopt;
  switch (Basic->getEncoding()) {
  case dwarf::DW_ATE_signed:
  case dwarf::DW_ATE_unsigned:
    return ParameterFact{Name, ParameterRole::Shape, Bits, Basic->getEncoding() == dwarf::DW_ATE_signed};
  case dwarf::DW_ATE_boolean: return ParameterFact{Name, ParameterRole::Setting, 1, false};
  case dwarf::DW_ATE_float:
    if (Bits == 32 || Bits == 64)
      return ParameterFact{Name, ParameterRole::Setting, Bits, false};
    return std::nullopt;
  default: return std::nullopt;
  }
}

/// The argument that Where holds from the beginning: itself, or what is stored there of one that is passed by value.
static const Argument *argumentAt(const Value *Where) {
  if (const auto *Slot = dyn_cast_or_null<AllocaInst>(Where))
    for (const User *U : Slot->users())
      if (const auto *Store = dyn_cast<StoreInst>(U); Store && Store->getPointerOperand() == Slot)
        if (const auto *A = dyn_cast<Argument>(Store->getValueOperand()))
          return A;
  return dyn_cast_or_null<Argument>(Where);
}

void Reading::findVariables() {
  Described.resize(F.arg_size());
  int Leading = -1; // arguments in front of the source's
  SmallVector<const DILocalVariable *, 4> Values;
  for (const Instruction &I : instructions(F))
    for (const DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange())) {
      const DILocalVariable *V = Record.getVariable();
      if (V->getScope() != F.getSubprogram() || V->isArtificial())
        continue;
      const Value *Where = Record.getVariableLocationOp(0);
      if (const Argument *A = argumentAt(Where)) {
        // A selector of `select type` and `associate` has the same place.
        if (Dummy &D = Described[A->getArgNo()]; !D.Variable || V->getArg())
          D = {V, A != Where};
        if (V->getArg())
          Leading = int(A->getArgNo()) + 1 - int(V->getArg());
      } else if (V->getArg()) {
        Values.push_back(V);
      }
    }
  for (const DILocalVariable *V : Values) {
    const unsigned At = unsigned(std::max(Leading, 0)) + V->getArg() - 1;
    if (At < Described.size() && !Described[At].Variable && !isa<DIStringType>(V->getType()))
      Described[At] = {V, true};
    else if (At < Described.size() && !Described[At].Variable)
      Described[At] = {V, false}; // a text
  }
}

void Reading::putHead(unsigned Block, uint64_t Offset, const DIType *Element, uint64_t Rank, uint64_t Attribute) {
  const uint64_t Bytes = plain(Element) ? plain(Element)->getSizeInBits() / 8 : 0;
  Made.Blocks[Block].Descriptors.push_back({Offset, Rank});
  putFixed(Block, Offset + ElementBytesAt, 64, Bytes);
  putFixed(Block, Offset + VersionAt, 32, Version);
  putFixed(Block, Offset + RankAt, 8, Rank);
  putFixed(Block, Offset + TypeAt, 8, typeCode(Element));
  putFixed(Block, Offset + AttributeAt, 8, Attribute);
  putFixed(Block, Offset + ExtraAt, 8, structure(Element) ? HasAddendum : 0);
}

void Reading::putDescriptor(unsigned Block, uint64_t Offset, const std::string &Name, const DICompositeType &T,
                            bool IsMember) {
  const DIType *Element = T.getBaseType();
  const uint64_t Rank = T.getElements().size();
  const uint64_t Kind = T.getRawAllocated() ? Allocatable : T.getRawAssociated() ? Pointer : Plain;
  putHead(Block, Offset, Element, Rank, Kind);
  // What a procedure allocates for its caller is not allocated before; a member of an object is there.
  std::optional<unsigned> There;
  if (Kind == Allocatable)
    There = Made.add({Name + ".allocated", ParameterRole::Setting, 1, false, IsMember ? "1" : "0"});
  const ParameterFact Elements = leadsOn(Element)
                                     ? ParameterFact{Name + "(:)", ParameterRole::Object, PointerBits, false}
                                     : ParameterFact{Name, ParameterRole::Tensor, 0, false};
  put(Block, {ArgumentCell::Number, Offset, 0, Made.add(Elements), 0, {}, There});
  SmallVector<unsigned, 4> Extents;
  for (uint64_t I = 0; I != Rank; ++I) {
    const uint64_t At = Offset + DimensionsAt + I * DimensionBytes;
    const std::string Default = Kind == Allocatable && !IsMember ? "0" : "";
    const unsigned Extent =
        Made.add({Name + ".shape[" + std::to_string(I) + "]", ParameterRole::Shape, 64, true, Default});
    putFixed(Block, At, 64, 1);
    put(Block, {ArgumentCell::Number, At + 8, 64, Extent, 0, {}, There});
    put(Block, {ArgumentCell::Stride, At + 16, 64, 0, plain(Element)->getSizeInBits() / 8, Extents});
    Extents.push_back(Extent);
  }
}

bool Reading::putValue(unsigned Block, uint64_t Offset, const std::string &Name, const DIType *T) {
  std::optional<ParameterFact> Fact = number(Name, T);
  if (!Fact)
    return false;
  put(Block, {ArgumentCell::Number, Offset, unsigned(plain(T)->getSizeInBits()), Made.add(*Fact)});
  return true;
}

void Reading::putMembers(unsigned Block, uint64_t Offset, const std::string &Name, const DICompositeType &T) {
  for (const DINode *Each : T.getElements()) {
    const auto *Member = dyn_cast<DIDerivedType>(Each);
    if (!Member)
      continue;
    const uint64_t At = Offset + Member->getOffsetInBits() / 8;
    const std::string Full = Name + "." + Member->getName().str();
    if (const DICompositeType *Array = described(Member))
      putDescriptor(Block, At, Full, *Array, /*IsMember=*/true);
    else if (const DICompositeType *Inner = structure(Member))
      putMembers(Block, At, Full, *Inner);
    else if (leadsOn(Member))
      put(Block, {ArgumentCell::Number, At, 0, Made.add({Full, ParameterRole::Object, PointerBits, false})});
    else
      putValue(Block, At, Full, Member);
  }
}

PassedArgument Reading::ofReference(const std::string &Name, const DIType *T) {
  const ParameterFact Tensor{Name, ParameterRole::Tensor, 0, false};
  if (const DICompositeType *Array = described(T)) {
    const uint64_t Rank = Array->getElements().size();
    const unsigned Block = Made.addBlock(DimensionsAt + Rank * DimensionBytes + AddendumBytes);
    putDescriptor(Block, 0, Name, *Array, /*IsMember=*/false);
    return {PassedArgument::Block, Block};
  }
  if (const DIDerivedType *Scalar = describedScalar(T)) {
    const unsigned Block = Made.addBlock(DimensionsAt + AddendumBytes);
    putHead(Block, 0, Scalar->getBaseType(), 0, Pointer);
    const PassedArgument Target = ofReference(Name, Scalar->getBaseType());
    put(Block,
        {Target.What == PassedArgument::Block ? ArgumentCell::AddressOf : ArgumentCell::Number, 0, 0, Target.Of});
    return {PassedArgument::Block, Block};
  }
  if (const DICompositeType *Object = structure(T)) {
    const unsigned Block = Made.addBlock(Object->getSizeInBits() / 8);
    putMembers(Block, 0, Name, *Object);
    return {PassedArgument::Block, Block};
  }
  if (number(Name, T)) {
    const unsigned Block = Made.addBlock(T->getSizeInBits() / 8);
    putValue(Block, 0, Name, T);
    return {PassedArgument::Block, Block};
  }
  if (const auto *Characters = dyn_cast_or_null<DIStringType>(plain(T)))
    Lengths.push_back(Characters->getSizeInBits() ? std::to_string(Characters->getSizeInBits() / 8) : Name + ".len");
  if (const auto *D = dyn_cast_or_null<DIDerivedType>(T); D && D->getTag() == dwarf::DW_TAG_pointer_type)
    return parameter({Name, ParameterRole::Function, 0, false});
  return parameter(Tensor);
}

/// A result that the caller has room for, or the length of a text.
PassedArgument Reading::undescribed(const Argument &A) {
  if (A.getType()->isPointerTy())
    return {PassedArgument::Block, Made.addBlock(DimensionsAt + MostDimensions * DimensionBytes + AddendumBytes)};
  if (Lengths.empty())
    return parameter({"result.len", ParameterRole::Shape, 64, true});
  const std::string Name = Lengths.front();
  Lengths.erase(Lengths.begin());
  if (uint64_t Known = 0; to_integer(Name, Known))
    return {PassedArgument::Constant, 0, Known};
  return parameter({Name, ParameterRole::Shape, 64, true});
}

/// The procedure reads and writes no more than one number there. Release 19 says of types that it cannot describe that
/// they are integers.
static bool holdsNumber(const Argument &A, const DIType *T) {
  const uint64_t Bits = T->getSizeInBits();
  return all_of(A.users(), [&](const User *U) {
    if (const auto *Load = dyn_cast<LoadInst>(U))
      return Load->getType()->getPrimitiveSizeInBits() == Bits;
    if (const auto *Store = dyn_cast<StoreInst>(U); Store && Store->getPointerOperand() == &A)
      return Store->getValueOperand()->getType()->getPrimitiveSizeInBits() == Bits;
    return !isa<GetElementPtrInst, MemIntrinsic>(U);
  });
}

PassedArgument Reading::argument(const Argument &A, const Dummy &D) {
  if (!D.Variable)
    return undescribed(A);
  const std::string Name = D.Variable->getName().str();
  if (!D.ByValue && number(Name, D.Variable->getType()) && !holdsNumber(A, D.Variable->getType()))
    return parameter({Name, ParameterRole::Tensor, 0, false});
  if (!D.ByValue)
    return ofReference(Name, D.Variable->getType());
  ParameterFact Fact{Name, ParameterRole::Object, 0, false};
  if (A.getType()->isPointerTy())
    Fact.Role = ParameterRole::Tensor; // what c_loc returns
  else if (std::optional<ParameterFact> Number = number(Name, D.Variable->getType()))
    Fact = *Number;
  return parameter(Fact);
}

std::optional<PassedArguments> Reading::read() {
  findVariables();
  if (none_of(Described, [](const Dummy &D) { return D.Variable; }) && F.arg_size())
    return std::nullopt;
  for (const Argument &A : F.args())
    Made.Arguments.push_back(argument(A, Described[A.getArgNo()]));
  return std::move(Made);
}

bool isFortran(const Module &M) { return M.getSourceFileName() == "FIRModule"; }

bool isNamedByContents(const GlobalVariable &G) {
  const auto *Data =
      G.isConstant() && G.hasInitializer() ? dyn_cast<ConstantDataSequential>(G.getInitializer()) : nullptr;
  StringRef Name = G.getName();
  if (!Data || !Data->isString() || !Name.consume_front("_QQcl"))
    return false;
  const StringRef Text = Data->getAsString();
  MD5 Sum;
  Sum.update(Text);
  MD5::MD5Result Result;
  Sum.final(Result);
  Name.consume_front("X");
  return Name.equals_insensitive(toHex(Text)) || Name.equals_insensitive(Result.digest().str());
}

std::string displayNameOf(const Function &F) {
  StringRef Rest = F.getName();
  std::string Name;
  if (!Rest.consume_front("_Q")) {
    // A procedure outside of modules, or one with a name for C.
    if (const DISubprogram *Where = F.getSubprogram())
      return Where->getName().str();
    Rest.consume_back("_");
    return Rest.str();
  }
  while (!Rest.empty()) { // capitals say of what a name is: a module, a procedure, what it is within
    Rest = Rest.drop_front();
    const StringRef Part = Rest.take_until(isUpper);
    Name += (Name.empty() ? "" : "::") + Part.str();
    Rest = Rest.drop_front(Part.size());
  }
  return Name;
}

bool isProgram(const Function &F) { return F.getName() == "_QQmain"; }

std::optional<PassedArguments> dummiesOf(const Function &F) {
  return F.getSubprogram() ? Reading(F).read() : std::nullopt;
}

} // namespace memshape
