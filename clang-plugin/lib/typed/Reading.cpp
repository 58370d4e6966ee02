// Text that reads what an object is built from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "typed/Reading.h"
#include "libraries/reader/Object.h"
#include "naming/Operators.h"
#include "typed/Construction.h"
#include "typed/KeptParameters.h"
#include "typed/TypeKinds.h"

#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace memshape::ast {

namespace {

enum class Accessor { None, Member, Function };

/// What a class calls Name, its bases included.
Accessor accessorOf(const ASTContext &Context, const CXXRecordDecl &Class, const std::string &Name) {
  for (const NamedDecl *Each : Class.lookup(&Context.Idents.get(Name))) {
    Each = Each->getUnderlyingDecl();
    if (isa<FieldDecl>(Each))
      return Accessor::Member;
    if (isa<FunctionDecl>(Each) || isa<FunctionTemplateDecl>(Each))
      return Accessor::Function;
  }
  for (const CXXBaseSpecifier &Base : Class.bases())
    if (const CXXRecordDecl *Of = Base.getType()->getAsCXXRecordDecl(); Of && Of->getDefinition())
      if (const Accessor Found = accessorOf(Context, *Of->getDefinition(), Name); Found != Accessor::None)
        return Found;
  return Accessor::None;
}

/// A part's name behind that of what it is a part of: a.first, a[0], or the same name.
std::string joined(const std::string &Display, const std::string &Name) {
  return Name.empty() || Name.front() == '[' ? Display + Name : Display + "." + Name;
}

} // namespace

Reading::Reading(const ASTContext &Context, const Construction &For, bool MayLeadNowhere)
    : Context(Context), Makers(For.Makers), MayLeadNowhere(MayLeadNowhere) {
  for (const BuilderParameter &P : For.Parameters)
    Asked.insert(P.Fact.Name);
}

/// Whether what is asked for may lie in what is called Display: objects that lead to each other have no end.
bool Reading::isAsked(const std::string &Display) const {
  const auto First = Asked.lower_bound(Display);
  return First != Asked.end() && llvm::StringRef(*First).starts_with(Display);
}

void Reading::value(QualType Type, const std::string &Display, const std::string &Object) {
  constexpr unsigned Deepest = 8;
  if (!isAsked(Display))
    return;
  Type = Type.getCanonicalType().getUnqualifiedType();
  if (isSymbol(Type) || Type->isEnumeralType() || Type->isBooleanType() || Type->isRealFloatingType()) {
    Found.try_emplace(Display, Text{Condition, Object});
    return;
  }
  if (Type->isPointerType()) {
    Found.try_emplace(Display + ".present", Text{Condition, "!!" + Object});
    return behind(Type->getPointeeType(), Display, Object);
  }
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  if (!Record || Record->isUnion() || Depth == Deepest)
    return;
  ++Depth;
  const auto *Class = dyn_cast<CXXRecordDecl>(Record);
  const auto Maker = Makers.find(Display);
  if (const BuildModel *Entry = entryOf(Context, Type))
    fromEntry(*Entry, *Class, Display, Object);
  else if (Maker != Makers.end())
    fromMaker(*Maker->second, Display, Object);
  else if (!Class || !Class->isLambda())
    fromMembers(*Record, Display, Object);
  --Depth;
}

void Reading::valueWhere(const std::string &Holds, QualType Type, const std::string &Display,
                         const std::string &Object) {
  const std::string Outside = Condition;
  Condition += (Condition.empty() ? "(" : " && (") + Holds + ")";
  value(Type, Display, Object);
  Condition = Outside;
}

void Reading::behind(QualType Type, const std::string &Display, const std::string &Pointer) {
  const std::string Object = "(*(" + Pointer + "))", Outside = Condition;
  if (!MayLeadNowhere)
    return valueWhere(Pointer, Type, Display, Object);
  if (Type->isIncompleteType() || Type->isFunctionType())
    return;
  const size_t Known = Found.size(), Declared = Declarations.size();
  Condition = "memshape_there_" + std::to_string(Pointers++);
  Declarations += "const int " + Condition + " = " + (Outside.empty() ? "" : Outside + " && ") + "(" + Pointer +
                  ") && memshape_may_read && memshape_may_read(__builtin_addressof" + Object + ", sizeof" + Object +
                  ");\n";
  value(Type, Display, Object);
  if (Found.size() == Known)
    Declarations.resize(Declared);
  Condition = Outside;
}

void Reading::symbolOf(const BuildSymbol &Symbol, const CXXRecordDecl &Class, const std::string &Display,
                       const std::string &Object) {
  std::string Read = withWord(Symbol.Read, "$x", Object);
  const bool Said = !Read.empty();
  if (!Said) {
    const Accessor Kind = accessorOf(Context, Class, Symbol.Name);
    if (Kind == Accessor::None)
      return;
    Read = Object + "." + Symbol.Name + (Kind == Accessor::Function ? "()" : "");
  }
  const std::string Name = Display + "." + Symbol.Name;
  const TemplateArgument *Count = Symbol.Count >= 0 ? argumentOf(Class, unsigned(Symbol.Count)) : nullptr;
  if (!Count || Count->getKind() != TemplateArgument::Integral) {
    Found.try_emplace(Name, Text{Condition, Read});
    return;
  }
  for (int64_t I = 0; I < Count->getAsIntegral().getExtValue(); ++I) {
    const std::string Number = std::to_string(I), At = "[" + Number + "]";
    Found.try_emplace(Name + At, Text{Condition, Said ? withWord(Read, "$i", Number) : Read + At});
  }
}

void Reading::partOf(const BuildPart &Part, const CXXRecordDecl &Class, const std::string &Display,
                     const std::string &Object) {
  if (Part.Read.empty())
    return;
  SmallVector<QualType, 4> Types;
  const TemplateArgument *Pack = Part.Types >= 0 ? argumentOf(Class, unsigned(Part.Types)) : nullptr;
  const TemplateArgument *Count = Part.Count >= 0 ? argumentOf(Class, unsigned(Part.Count)) : nullptr;
  if (Pack && Pack->getKind() == TemplateArgument::Pack) {
    for (const TemplateArgument &Each : Pack->pack_elements())
      Types.push_back(Each.getKind() == TemplateArgument::Type ? Each.getAsType() : QualType());
  } else {
    const bool Counted = Count && Count->getKind() == TemplateArgument::Integral;
    const uint64_t Times = Counted ? std::min(Count->getAsIntegral().getZExtValue(), uint64_t(FewParts)) : 1;
    Types.assign(Times, typeArgumentOf(Class, Part.Type));
  }
  for (size_t I = 0; I != Types.size(); ++I) {
    const std::string Number = std::to_string(I);
    if (!Types[I].isNull())
      behind(Types[I], joined(Display, withWord(Part.Name, "$i", Number)),
             withWord(withWord(Part.Read, "$x", Object), "$i", Number));
  }
}

void Reading::fromEntry(const BuildModel &Entry, const CXXRecordDecl &Class, const std::string &Display,
                        const std::string &Object) {
  for (const BuildSymbol &Symbol : Entry.Symbols)
    symbolOf(Symbol, Class, Display, Object);
  for (const BuildPart &Part : Entry.Parts)
    partOf(Part, Class, Display, Object);
}

void Reading::fromMembers(const RecordDecl &Record, const std::string &Display, const std::string &Object) {
  for (const FieldDecl *Field : Record.fields()) {
    const std::string Name = Field->getNameAsString();
    const QualType Type = Field->getType().getCanonicalType();
    const RecordDecl *Unnamed = Name.empty() ? Type->getAsRecordDecl() : nullptr;
    if (Unnamed && !Unnamed->isUnion())
      fromMembers(*Unnamed, Display, Object);
    if (Name.empty() || Type->isReferenceType())
      continue;
    const std::string Inner = Display + "." + Name, At = Object + "." + Name;
    const ConstantArrayType *Array = Context.getAsConstantArrayType(Type);
    if (!Array)
      value(Type, Inner, At);
    else if (const uint64_t Count = Array->getSize().getZExtValue(); Count <= FewParts)
      for (uint64_t I = 0; I != Count; ++I)
        value(Array->getElementType(), Inner + "[" + std::to_string(I) + "]", At + "[" + std::to_string(I) + "]");
  }
}

void Reading::fromMaker(const FunctionDecl &Maker, const std::string &Display, const std::string &Object) {
  const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Maker);
  if (!Constructor)
    return;
  for (const auto &[Number, Member] : keptParameters(*Constructor)) {
    const ParmVarDecl *Parameter = Constructor->getParamDecl(Number);
    if (const std::string Name = llvm::StringRef(Parameter->getNameAsString()).trim('_').str(); !Name.empty())
      value(Parameter->getType().getNonReferenceType(), Display + "." + Name, Object + "." + Member);
  }
  for (const ConstantMember &Each : constantMembers(*Constructor)) {
    const std::string Name = Display + "." + Each.Name, Member = Object + "." + Each.Path;
    if (Each.What == ConstantMember::Holds::NullPointer || pointedClass(Each.Type))
      Found.try_emplace(Name + ".present", Text{Condition, "!!" + Member});
    if (Each.What == ConstantMember::Holds::Number)
      Found.try_emplace(Name, Text{Condition, Member});
    else if (Each.What == ConstantMember::Holds::Nothing)
      value(Each.Type, Name, Member);
  }
}

} // namespace memshape::ast
