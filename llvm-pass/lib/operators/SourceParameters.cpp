// An operator as debug information tells it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operators/SourceParameters.h"
#include "operators/HeldPointers.h"
#include "operators/Operators.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"

using namespace llvm;

namespace memshape {

/// "h" and sixteen digits, the last part of the names that rustc gives without -C symbol-mangling-version=v0.
static bool isHash(StringRef Part) { return Part.size() == 17 && Part.consume_front("h") && all_of(Part, isHexDigit); }

/// With the parameters of functions of C++.
static StringRef withoutParameters(StringRef Name) {
  int Depth = 0;
  for (size_t I = 0; I < Name.size(); ++I) {
    Depth += Name[I] == '<' ? 1 : Name[I] == '>' ? -1 : 0;
    if (Name[I] == '(' && Depth == 0 && I && !Name.substr(I).starts_with("(anonymous"))
      return Name.take_front(I);
  }
  return Name;
}

std::string sourcePath(StringRef Symbol) {
  const std::string Readable = demangle(std::string_view(Symbol));
  const auto [Path, Last] = StringRef(Readable).rsplit("::");
  if (isHash(Last))
    return Path.str();
  return Symbol.starts_with("_Z") ? withoutParameters(Readable).str() : Readable;
}

std::string pathOf(const DISubprogram &Function) {
  std::string Path = Function.getName().str();
  for (const DIScope *Scope = Function.getScope(); isa_and_nonnull<DINamespace, DICompositeType>(Scope);
       Scope = Scope->getScope())
    if (!Scope->getName().empty())
      Path = (Scope->getName() + "::" + Path).str();
  return Path;
}

std::string operatorName(const Function &F) {
  const DISubprogram *SP = F.getSubprogram();
  std::string Path = sourcePath(F.getName());
  // A name that was not mangled is how callers know it.
  return SP && Path != F.getName() ? pathOf(*SP) : Path;
}

namespace {

/// A number or a pointer in an object.
struct Part {
  std::string Name; ///< of the field, without the object's
  const DIType *Type;
};

} // namespace

static const DIType *withoutQualifiers(const DIType *Type) {
  while (const auto *Derived = dyn_cast_or_null<DIDerivedType>(Type)) {
    if (!is_contained(
            {dwarf::DW_TAG_typedef, dwarf::DW_TAG_const_type, dwarf::DW_TAG_volatile_type, dwarf::DW_TAG_restrict_type},
            Derived->getTag()))
      break;
    Type = Derived->getBaseType();
  }
  return Type;
}

/// Appends the parts of an object of Type; false where it is not known how its parts are passed.
static bool addParts(const DIType *Type, const std::string &Name, SmallVectorImpl<Part> &Parts) {
  constexpr size_t Most = 3; // objects with more parts are passed by their address
  Type = withoutQualifiers(Type);
  if (!Type)
    return false;
  if (!Type->getSizeInBits() || Parts.size() >= Most)
    return true;
  const auto *Composite = dyn_cast<DICompositeType>(Type);
  if (!Composite || Composite->getTag() == dwarf::DW_TAG_enumeration_type ||
      Composite->getTag() == dwarf::DW_TAG_array_type) {
    Parts.push_back({Name, Type});
    return true;
  }
  if (Composite->getTag() != dwarf::DW_TAG_structure_type)
    return false;
  for (const DINode *Each : Composite->getElements()) {
    const auto *Member = dyn_cast<DIDerivedType>(Each);
    if (!Member || Member->getTag() != dwarf::DW_TAG_member)
      return false; // an enumeration with fields: it depends on its values how it is passed
    StringRef Field = Member->getName();
    Field.consume_front("__"); // of tuples
    if (!addParts(Member->getBaseType(), Name.empty() ? Field.str() : Name + "." + Field.str(), Parts))
      return false;
  }
  return true;
}

/// The parts of a parameter that are passed apart: a number, a pointer, or both parts of a pair. An object of more parts
/// is one pointer, with an empty name.
static std::optional<SmallVector<Part, 2>> partsOf(const DIType *Type) {
  constexpr uint64_t TwoRegisters = 128;
  SmallVector<Part, 2> Parts;
  if (!addParts(Type, "", Parts))
    return std::nullopt;
  if (Parts.size() > 2 || (Parts.size() == 2 && Type->getSizeInBits() > TwoRegisters))
    return SmallVector<Part, 2>{{"", Type}};
  return Parts;
}

/// A pointer and the number of elements behind it, as &[T], &mut [T], &str and Zig's []T are.
static bool isSlice(ArrayRef<Part> Parts) {
  return Parts.size() == 2 && withoutQualifiers(Parts[0].Type)->getTag() == dwarf::DW_TAG_pointer_type &&
         is_contained({"length", "len"}, StringRef(Parts[1].Name));
}

static bool isUnsigned(const DIType &Type) {
  const auto *Basic = dyn_cast<DIBasicType>(&Type);
  return Basic &&
         is_contained({dwarf::DW_ATE_unsigned, dwarf::DW_ATE_unsigned_char, dwarf::DW_ATE_UTF}, Basic->getEncoding());
}

/// Numbers that are no extents: truth values, characters and names of cases.
static bool isSetting(const DIType &Type) {
  const auto *Basic = dyn_cast<DIBasicType>(&Type);
  return Type.getTag() == dwarf::DW_TAG_enumeration_type ||
         (Basic && is_contained({dwarf::DW_ATE_boolean, dwarf::DW_ATE_UTF}, Basic->getEncoding()));
}

/// What the source says of the argument that has been described as Fact.
static void refine(ParameterFact &Fact, std::string Name, const DIType &Type) {
  Fact.Name = std::move(Name);
  if (Fact.Role != ParameterRole::Shape)
    return;
  Fact.Signed = !isUnsigned(Type);
  if (isSetting(Type))
    Fact.Role = ParameterRole::Setting;
  else if (isa<DICompositeType>(Type)) // several fields in one register, or which of its cases an enumeration is
    Fact = {Fact.Name};
}

/// The names of F's parameters in the source.
static SmallVector<std::string, 8> parameterNames(const DISubprogram &Function, size_t Count) {
  SmallVector<std::string, 8> Names(Count);
  for (const DINode *Each : Function.getRetainedNodes())
    if (const auto *Variable = dyn_cast<DILocalVariable>(Each))
      if (Variable->getArg() && Variable->getArg() <= Count)
        Names[Variable->getArg() - 1] = Variable->getName().str();
  return Names;
}

/// The parameters of Function as they are passed, each with its type; of Count arguments, so that one parameter may be
/// of a type whose parts are not known. Nothing where it does not follow from the source which argument is which.
static SourceParameterList passed(const DISubprogram &Function, size_t Count) {
  SourceParameterList Passed;
  const DISubroutineType *Type = Function.getType();
  if (!Type || Type->getTypeArray().size() < 1)
    return Passed;
  const size_t Written = Type->getTypeArray().size() - 1; // without the result
  const SmallVector<std::string, 8> Names = parameterNames(Function, Written);
  std::optional<size_t> Unknown;
  for (size_t I = 0; I != Written; ++I) {
    const DIType *Each = Type->getTypeArray()[I + 1];
    const std::optional<SmallVector<Part, 2>> Parts = Each ? partsOf(Each) : std::nullopt;
    if (Names[I].empty() || !Each || (!Parts && std::exchange(Unknown, Passed.size())))
      return {};
    if (!Parts) {
      Passed.emplace_back(Names[I], Each);
      continue;
    }
    const bool Slice = isSlice(*Parts);
    for (const Part &P : *Parts) {
      const bool Whole = Parts->size() == 1 || (Slice && &P == Parts->begin());
      Passed.emplace_back(Whole ? Names[I] : Names[I] + "." + (Slice ? "size" : P.Name), withoutQualifiers(P.Type));
    }
  }
  if (Unknown && Passed.size() + 1 == Count) {
    const auto Second = std::pair(Passed[*Unknown].first + ".1", Passed[*Unknown].second);
    Passed[*Unknown].first += ".0";
    Passed.insert(Passed.begin() + ptrdiff_t(*Unknown) + 1, Second);
  }
  if (Passed.size() != Count)
    Passed.clear();
  return Passed;
}

/// rustc numbers the two parts of what it passes in two registers: of a pointer and a number, a slice.
static void describeFromNames(MutableArrayRef<ParameterFact> Arguments) {
  for (size_t I = 0; I + 1 < Arguments.size(); ++I) {
    const StringRef First = Arguments[I].Name, Second = Arguments[I + 1].Name;
    if (Arguments[I].Role == ParameterRole::Tensor && Arguments[I + 1].Role == ParameterRole::Shape &&
        First.ends_with(".0") && Second.ends_with(".1") && First.drop_back(2) == Second.drop_back(2)) {
      Arguments[I].Name = First.drop_back(2).str();
      Arguments[I + 1].Name = Arguments[I].Name + ".size";
      Arguments[I + 1].Signed = false;
    }
  }
}

SourceParameterList sourceParameters(const Function &F) {
  const DISubprogram *SP = F.getSubprogram();
  const size_t Count = count_if(F.args(), [](const Argument &A) { return !A.hasStructRetAttr(); });
  return SP ? passed(*SP, Count) : SourceParameterList();
}

OperatorFact describeSource(const Function &F) {
  OperatorFact Fact = describeFunction(F);
  Fact.Name = operatorName(F);
  const size_t Count = Fact.Parameters.size();
  const SourceParameterList Passed = sourceParameters(F);
  for (auto [Each, Source] : zip(Fact.Parameters, Passed))
    refine(Each, Source.first, *Source.second);
  if (Passed.empty())
    describeFromNames(Fact.Parameters);
  for (size_t I = 0; I != Count; ++I) {
    const Argument &A = *F.getArg(unsigned(F.arg_size() - Count + I));
    if (Fact.Parameters[I].Role == ParameterRole::Tensor && mayLeadOn(A, Passed.empty() ? nullptr : Passed[I].second))
      Fact.Parameters[I] = {Fact.Parameters[I].Name};
  }
  return Fact;
}

} // namespace memshape
