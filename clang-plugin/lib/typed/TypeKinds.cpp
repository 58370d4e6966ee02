// Which types are numbers, symbols, plain data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "typed/TypeKinds.h"
#include "libraries/reader/Known.h"
#include "naming/Operators.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace memshape::ast {

bool isNumber(QualType Type) {
  return Type->isArithmeticType() || Type->isAnyComplexType() || Type->isEnumeralType() || Type->isVectorType();
}

bool isPlain(const ASTContext &Context, QualType Type) {
  Type = Context.getBaseElementType(Type).getCanonicalType();
  if (Type->isDependentType() || (Type->isIncompleteType() && !Type->isEnumeralType()))
    return false;
  if (isNumber(Type))
    return true;
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (!Record || !Record->getDefinition())
    return false;
  Record = Record->getDefinition();
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record)) {
    if (Class->isPolymorphic() || Class->getNumVBases() || !Class->hasTrivialDestructor() || Class->isLambda())
      return false;
    for (const CXXBaseSpecifier &Base : Class->bases())
      if (!isPlain(Context, Base.getType()))
        return false;
  }
  return llvm::all_of(Record->fields(), [&](const FieldDecl *F) { return isPlain(Context, F->getType()); });
}

bool isTensorPointer(const ASTContext &Context, QualType Type) {
  if (!Type->isPointerType())
    return false;
  while (Type->isPointerType())
    Type = Type->getPointeeType().getCanonicalType();
  return Type->isVoidType() || isPlain(Context, Type);
}

bool isPlainRecord(const ASTContext &Context, QualType Type) {
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (!Record || Record->isUnion() || !Record->getDefinition())
    return Record && !Record->isUnion();
  const auto *Class = dyn_cast<CXXRecordDecl>(Record->getDefinition());
  return !Class || (Class->isAggregate() && Type.isTriviallyCopyableType(Context));
}

/// As people write it: std::vector, not std::__cxx11::vector.
static std::string nameOf(const CXXRecordDecl &Class) {
  std::string Name = Class.getNameAsString();
  for (const DeclContext *At = Class.getDeclContext(); At && !At->isTranslationUnit(); At = At->getParent())
    if (const auto *Space = dyn_cast<NamespaceDecl>(At)) {
      if (!Space->isInline() && !Space->isAnonymousNamespace())
        Name = Space->getNameAsString() + "::" + Name;
    } else if (const auto *Outer = dyn_cast<CXXRecordDecl>(At)) {
      Name = Outer->getNameAsString() + "::" + Name;
    }
  return Name;
}

const TemplateArgument *argumentOf(const RecordDecl &Class, unsigned Number) {
  const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(&Class);
  return Special && Number < Special->getTemplateArgs().size() ? &Special->getTemplateArgs()[Number] : nullptr;
}

QualType typeArgumentOf(const RecordDecl &Class, int Number) {
  const TemplateArgument *Argument = Number < 0 ? nullptr : argumentOf(Class, unsigned(Number));
  return Argument && Argument->getKind() == TemplateArgument::Type ? Argument->getAsType().getCanonicalType()
                                                                   : QualType();
}

static bool hasArrow(const CXXRecordDecl &Class) {
  return llvm::any_of(Class.methods(),
                      [](const CXXMethodDecl *Each) { return Each->getOverloadedOperator() == OO_Arrow; }) ||
         llvm::any_of(Class.bases(), [](const CXXBaseSpecifier &Base) {
           const CXXRecordDecl *Inherited = Base.getType()->getAsCXXRecordDecl();
           return Inherited && Inherited->hasDefinition() && hasArrow(*Inherited->getDefinition());
         });
}

const CXXRecordDecl *pointedClass(QualType Type) {
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  const QualType Pointee = Class && Class->hasDefinition() ? typeArgumentOf(*Class, 0) : QualType();
  const bool Points = !Pointee.isNull() && hasArrow(*Class->getDefinition());
  return Points ? Pointee->getAsCXXRecordDecl() : nullptr;
}

bool isCopyable(QualType Type) {
  const CXXRecordDecl *Class = Type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition())
    return true;
  for (const CXXConstructorDecl *Each : Class->ctors())
    if (Each->isCopyConstructor() && !Each->isImplicit())
      return !Each->isDeleted() && (!Class->isInStdNamespace() || typeArgumentOf(*Class, 0).isNull() ||
                                    isCopyable(typeArgumentOf(*Class, 0)));
  return !Class->hasUserDeclaredMoveConstructor() && !Class->hasUserDeclaredMoveAssignment() &&
         llvm::all_of(Class->bases(), [](const CXXBaseSpecifier &Base) { return isCopyable(Base.getType()); }) &&
         llvm::all_of(Class->fields(), [](const FieldDecl *Field) { return isCopyable(Field->getType()); });
}

/// Null where the class has more integers than people want to name.
static const BuildModel *fewParts(const BuildModel *Entry, const CXXRecordDecl &Class) {
  for (const BuildPart &Part : Entry ? Entry->Parts : std::vector<BuildPart>())
    if (const TemplateArgument *Count = Part.Count < 0 ? nullptr : argumentOf(Class, unsigned(Part.Count)))
      if (Count->getKind() == TemplateArgument::Integral && Count->getAsIntegral() > FewParts)
        return nullptr;
  return Entry;
}

/// That of a class without a namespace, or of a structure of C, which may be known by its typedef alone.
static const BuildModel *plainEntry(QualType Type) {
  const RecordDecl *Record = Type->getAsRecordDecl();
  const TypedefNameDecl *Named = Record ? Record->getTypedefNameForAnonDecl() : nullptr;
  return Record ? knownBuild(Named ? Named->getName() : Record->getName()) : nullptr;
}

/// Calls Found with each public member of that name, those of bases included.
static bool anyPublicMember(const CXXRecordDecl &Class, llvm::StringRef Name,
                            llvm::function_ref<bool(const NamedDecl &)> Found) {
  for (const NamedDecl *Each : Class.lookup(&Class.getASTContext().Idents.get(Name)))
    if (Each->getAccess() == AS_public && Found(*Each->getUnderlyingDecl()))
      return true;
  return llvm::any_of(Class.bases(), [&](const CXXBaseSpecifier &Base) {
    const CXXRecordDecl *Of = Base.getType()->getAsCXXRecordDecl();
    return Base.getAccessSpecifier() == AS_public && Of && Of->hasDefinition() &&
           anyPublicMember(*Of->getDefinition(), Name, Found);
  });
}

/// A public member function without parameters, which returns what Returns accepts.
static bool hasAccessor(
    const CXXRecordDecl &Class, llvm::StringRef Name,
    llvm::function_ref<bool(QualType)> Returns = [](QualType) { return true; }) {
  return anyPublicMember(Class, Name, [&](const NamedDecl &Each) {
    const auto *Method = dyn_cast<CXXMethodDecl>(&Each);
    return Method && !Method->getNumParams() && Returns(Method->getReturnType().getCanonicalType());
  });
}

/// The named requirement ContiguousContainer, as far as it is needed here: data() and size() of elements that are the
/// first template argument, a range, and a constructor from a size_type.
static bool isContiguousContainer(const ASTContext &Context, const CXXRecordDecl &Class, QualType Element) {
  if (Class.isInStdNamespace() || Class.isAbstract() || Class.isAggregate())
    return false;
  const bool HoldsElements = anyPublicMember(Class, "value_type", [&](const NamedDecl &Each) {
    const auto *Named = dyn_cast<TypedefNameDecl>(&Each);
    return Named && Context.hasSameUnqualifiedType(Named->getUnderlyingType(), Element);
  });
  const bool FromSize = llvm::any_of(Class.ctors(), [](const CXXConstructorDecl *Each) {
    if (Each->getAccess() != AS_public || Each->isDeleted() || !Each->getNumParams() ||
        Each->getMinRequiredArguments() > 1)
      return false;
    const QualType Size = Each->getParamDecl(0)->getType();
    const auto *Named = Size->getAs<TypedefType>();
    return Named && isSymbol(Size.getCanonicalType()) && Named->getDecl()->getName() == "size_type";
  });
  auto IsPointer = [&](QualType Type) {
    return Type->isPointerType() && Context.hasSameUnqualifiedType(Type->getPointeeType(), Element);
  };
  return HoldsElements && FromSize && hasAccessor(Class, "data", IsPointer) && hasAccessor(Class, "size") &&
         hasAccessor(Class, "begin") && hasAccessor(Class, "end");
}

const BuildModel *entryOf(const ASTContext &Context, QualType Type) {
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  if (!Class || !isa<ClassTemplateSpecializationDecl>(Class))
    if (const BuildModel *Entry = plainEntry(Type); Entry || !Class)
      return Entry;
  const std::string Name = nameOf(*Class);
  const BuildModel *Usual = knownBuild(Name);
  QualType Element = typeArgumentOf(*Class, Usual && Usual->Element >= 0 ? Usual->Element : 0);
  if (Element.isNull())
    return Usual;
  const BuildModel *Special = nullptr;
  if (isNumber(Element))
    Special = knownBuild(Name + "<" + Element.getUnqualifiedType().getAsString(Context.getPrintingPolicy()) + ">");
  if (Special)
    return Special;
  if (Element->isArrayType() && Element->isIncompleteType())
    Special = knownBuild(Name + "/arrays");
  else if (isSymbol(Element))
    Special = fewParts(knownBuild(Name + "/integers"), *Class);
  else if (!isPlain(Context, Element))
    Special = knownBuild(Name + "/objects");
  if (!Special)
    Special = Usual;
  if (Special || !isContiguousContainer(Context, *Class, Element))
    return Special;
  return knownBuild(isPlain(Context, Element) ? "ContiguousContainer" : "ContiguousContainer/objects");
}

bool hasKeys(const ASTContext &Context, QualType Type) {
  const BuildModel *Entry = Type.isNull() ? nullptr : entryOf(Context, Type);
  return Entry && llvm::any_of(Entry->Parts, [](const BuildPart &Part) { return Part.Key >= 0; });
}

} // namespace memshape::ast
