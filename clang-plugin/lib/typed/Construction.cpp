// Text that builds one object from symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "typed/Construction.h"
#include "libraries/reader/Object.h"
#include "naming/Definitions.h"
#include "naming/Operators.h"
#include "typed/TypeKinds.h"
#include "typed/UserLines.h"

using namespace clang;

namespace memshape::ast {

std::string withWord(std::string Text, const std::string &Word, const std::string &Meaning) {
  for (size_t At = 0; (At = Text.find(Word, At)) != std::string::npos;) {
    const size_t End = At + Word.size();
    if (End < Text.size() && llvm::isAlnum(Text[End])) {
      At = End;
      continue;
    }
    Text.replace(At, Word.size(), Meaning);
    At += Meaning.size();
  }
  return Text;
}

std::string Construction::nameOf(const std::string &Object) const {
  const auto Found = BehindPointers.find(Object);
  return Found == BehindPointers.end() ? Object : Found->second;
}

std::string TypeNames::of(QualType Type) {
  Type = Type.getCanonicalType().getUnqualifiedType();
  for (size_t I = 0; I != Types.size(); ++I)
    if (Types[I] == Type)
      return name(I);
  Types.push_back(Type);
  return name(Types.size() - 1);
}

std::string Construction::parameter(ParameterFact Fact, const std::string &Type) {
  const bool IsDeclaredAgain = Fact.Role != ParameterRole::Shape && !Fact.Name.empty();
  for (const BuilderParameter &Each : Parameters)
    if (IsDeclaredAgain && Each.Fact.Name == Fact.Name && Each.Fact.Role == Fact.Role && Each.Type == Type)
      return Each.Name;
  const std::string Name = "memshape_parameter_" + std::to_string(Parameters.size());
  Parameters.push_back({std::move(Fact), Type, Name});
  return Name;
}

void Construction::giveDefault(std::string Value, size_t Had) {
  if (Parameters.size() != Had + 1)
    return;
  ParameterFact &Fact = Parameters.back().Fact;
  const bool Extent = Fact.Role == ParameterRole::Shape && !llvm::StringRef(Value).starts_with("-");
  if (Extent || Fact.Role == ParameterRole::Setting)
    Fact.Default = std::move(Value);
}

std::string Construction::symbol(QualType Type, const std::string &Display) {
  const unsigned Bits = std::min(unsigned(Context.getTypeSize(Type)), 64U);
  const ParameterFact Fact = {Display, ParameterRole::Shape, Bits, Type->isSignedIntegerType()};
  return "(" + Names.of(Type) + ")" + parameter(Fact, Context.getTypeSize(Type) > 64 ? "long long" : Names.of(Type));
}

std::string Construction::setting(QualType Type, const std::string &Display) {
  const unsigned Bits = Type->isBooleanType() ? 1 : unsigned(Context.getTypeSize(Type));
  const bool Signed = Type->hasSignedIntegerRepresentation();
  return parameter({Display, ParameterRole::Setting, Bits, Signed}, Names.of(Type));
}

std::string Construction::presence(const std::string &Display) {
  ParameterFact Present = {Display + ".present", ParameterRole::Setting, 1, false};
  Present.Default = "0";
  return parameter(std::move(Present), Names.of(Context.BoolTy));
}

/// A pointer to data of the caller.
std::string Construction::numbers() {
  return parameter({"", ParameterRole::Tensor, 0, false}, Names.of(Context.getPointerType(Context.CharTy)));
}

void Construction::undo(Progress To) {
  Statements = std::move(To.Statements);
  Parameters.resize(To.Parameters);
  Open.resize(To.Open);
  Chains.resize(To.Chains);
  Blocks = To.Blocks;
}

/// A structure with integers is a header rather than an element.
static bool holdsSizes(QualType Type) {
  const RecordDecl *Record = Type->getAsRecordDecl();
  Record = Record ? Record->getDefinition() : nullptr;
  return Record && !Record->isUnion() && llvm::any_of(Record->fields(), [](const FieldDecl *Field) {
           return isSymbol(Field->getType().getCanonicalType()) || holdsSizes(Field->getType().getCanonicalType());
         });
}

bool Construction::value(QualType Type, const std::string &Display, std::string &Expression) {
  Type = Type.getCanonicalType();
  if (Type->isReferenceType()) {
    const QualType Referred = Type->getPointeeType();
    std::string Behind;
    if (Referred->isFunctionType())
      return value(Context.getPointerType(Referred), Display, Expression);
    if (!value(Context.getPointerType(Referred), Display, Behind))
      return false;
    Expression = Type->isRValueReferenceType() ? "(" + Names.of(Referred) + " &&)*" + Behind : "*" + Behind;
    return true;
  }
  Type = Type.getUnqualifiedType();
  if (Type->isFunctionType())
    return value(Context.getPointerType(Type), Display, Expression);
  if (isSymbol(Type))
    return Expression = symbol(Type, Display), true;
  if (Type->isBooleanType() || Type->isEnumeralType() || Type->isRealFloatingType())
    return Expression = setting(Type, Display), true;
  if (isNumber(Type)) {
    Expression = "*(" + Names.of(Context.getPointerType(Type)) + ")" + numbers();
    return true;
  }
  if (Type->isFunctionPointerType() || Type->isBlockPointerType()) {
    Expression = parameter({Display, ParameterRole::Function, 0, false}, Names.of(Type));
    return true;
  }
  if (isTensorPointer(Context, Type) && !holdsSizes(Type->getPointeeType().getCanonicalType())) {
    Expression = parameter({Display, ParameterRole::Tensor, 0, false, defaultOfPointer(Type)}, Names.of(Type));
    return true;
  }
  const bool IsPointer = Type->isPointerType();
  const QualType Built = IsPointer ? Type->getPointeeType().getCanonicalType() : Type;
  if (IsPointer && llvm::is_contained(Open, Built.getUnqualifiedType()))
    return chain(Built.getUnqualifiedType(), Display, Expression);
  if (IsPointer && Built->isPointerType()) {
    // A row of pointers to objects: one of them, a block, since who is given its place may free it.
    const std::string Name = fresh("pointer");
    std::string Inner;
    ++Blocks;
    const bool Done = value(Built, Display, Inner);
    --Blocks;
    if (!Done)
      return false;
    Statements += Names.of(Built) + " " + Name + " = " + Inner + ";\n";
    return Expression = "(&" + Name + ")", true;
  }
  const std::string Name = fresh("value");
  if (!build(Built, Display, Name, /*New=*/IsPointer && Blocks))
    return false;
  const std::string Made = nameOf(Name);
  if (IsPointer)
    Expression = "(&" + Made + ")";
  else
    Expression = Context.getLangOpts().CPlusPlus ? "static_cast<" + Names.of(Type) + " &&>(" + Made + ")" : Made;
  return true;
}

/// What the user may write to have an object of a class derived from Class built: of one of the unit's, if it has one that
/// takes integers.
static std::string exampleFor(const CXXRecordDecl &Class, const PrintingPolicy &Policy) {
  std::string Parameters, Made;
  const auto IsNumber = [](const ParmVarDecl *Each) { return isSymbol(Each->getType().getCanonicalType()); };
  forEachDeclaration<FunctionDecl, FunctionTemplateDecl>(
      *Class.getASTContext().getTranslationUnitDecl(),
      [&](const FunctionDecl &Each) {
        const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Each);
        if (!Made.empty() || !Constructor || Constructor->param_empty() || Constructor->getAccess() != AS_public ||
            !llvm::all_of(Constructor->parameters(), IsNumber) || Constructor->getParent()->isDependentContext() ||
            Constructor->getParent()->isAbstract() || !Constructor->getParent()->isDerivedFrom(&Class))
          return;
        std::string Given;
        for (const ParmVarDecl *P : Constructor->parameters()) {
          const std::string Name =
              P->getName().empty() ? "n" + std::to_string(P->getFunctionScopeIndex()) : P->getNameAsString();
          Parameters += (Parameters.empty() ? "" : ", ") + P->getType().getAsString(Policy) + " " + Name;
          Given += (Given.empty() ? "" : ", ") + Name;
        }
        Made = "new " + Constructor->getParent()->getQualifiedNameAsString() + "(" + Given + ")";
      },
      /*OwnOnly=*/true);
  return "(" + (Made.empty() ? "int size" : Parameters) + "), " + (Made.empty() ? "new Derived(size)" : Made);
}

bool Construction::build(QualType Type, const std::string &Display, const std::string &Object, bool New) {
  Type = Type.getCanonicalType().getUnqualifiedType();
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (!Record)
    return fail("nothing says how its type " + written(Type) + " is built from sizes");
  if (!Record->getDefinition())
    return fail("its type " + written(Type) +
                " is declared only: include its definition, or give the operator another type");
  Record = Record->getDefinition();
  if (const FunctionDecl *Line = Lines.of(Type))
    return fromLine(*Line, Type, Display, Object, New);
  const auto *Class = dyn_cast<CXXRecordDecl>(Record);
  if (Class && Class->isAbstract())
    return fail("its type " + written(Type) +
                " is abstract: name an operator that takes a class which can be built, or say which one is meant: "
                "MEMSHAPE_BUILD(" +
                Type.getAsString(Context.getPrintingPolicy()) + " *, " +
                exampleFor(*Class, Context.getPrintingPolicy()) + ")");
  if (Record->isUnion())
    return fromFields(*Record, Type, Display, Object, New);
  if (pointedClass(Type))
    if (const QualType Own = typeArgumentOf(*Class, 0).getUnqualifiedType(); llvm::is_contained(Open, Own)) {
      std::string First;
      const std::string Name = Names.of(Type);
      if (!chain(Own, Display, First))
        return false;
      Statements += (New ? Name + " &" + Object + " = *new " + Name : Name + " " + Object) + "(" + First + ");\n";
      return true;
    }
  if (llvm::is_contained(Open, Type))
    return fail("its type " + written(Type) + " refers to itself: how long the chain is, nothing says");
  Open.push_back(Type);
  bool Done = false;
  if (const CXXRecordDecl *Pointed = pointedClass(Type);
      Pointed && Pointed->hasDefinition() && fromFactory(*Pointed, Type, Display, Object, New))
    Done = true;
  else if (const BuildModel *Entry = entryOf(Context, Type))
    Done = fromEntry(*Entry, *Record, Type, Display, Object, New);
  else if (Class && Class->isLambda())
    Done = fromCaptures(*Class, Type, Display, Object);
  else if (!Class || Class->isAggregate())
    Done = fromFields(*Record, Type, Display, Object, New);
  else
    Done = fromFunctions(*Class, Type, Display, Object, New);
  Open.pop_back();
  return Done;
}

} // namespace memshape::ast
