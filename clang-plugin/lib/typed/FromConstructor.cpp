// Objects that functions of their class make.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "naming/Makers.h"
#include "naming/MembersNamed.h"
#include "naming/Operators.h"
#include "typed/Construction.h"
#include "typed/KeptParameters.h"
#include "typed/TypeKinds.h"
#include "typed/UserLines.h"

#include "clang/AST/Decl.h"
#include "clang/AST/Mangle.h"
#include "llvm/Support/SaveAndRestore.h"

#include <tuple>

using namespace clang;

namespace memshape::ast {

namespace {

/// What the parameters of a function are; the first kind is the best.
enum class Takes { Integers, Numbers, Objects };

/// The number of parameters that have to be given; those behind have values of their own. Objects with one are left to
/// it.
unsigned givenParameters(const FunctionDecl &Function) {
  unsigned Given = 0;
  for (const ParmVarDecl *P : Function.parameters()) {
    const QualType Type = P->getType().getCanonicalType();
    if (P->hasDefaultArg() && !isNumber(Type))
      break;
    ++Given;
  }
  return Given;
}

Takes takes(const FunctionDecl &Function) {
  Takes Worst = Takes::Integers;
  for (unsigned I = 0; I != givenParameters(Function); ++I) {
    const QualType Type = Function.getParamDecl(I)->getType().getCanonicalType();
    Worst =
        std::max(Worst, isSymbol(Type)                                                               ? Takes::Integers
                        : isNumber(Type) && !Type->isAnyCharacterType() && !Type->isAnyComplexType() ? Takes::Numbers
                                                                                                     : Takes::Objects);
  }
  return Worst;
}

bool isForAll(const FunctionDecl &Function) {
  return Function.getAccess() == AS_public && !Function.isDeleted() && !Function.isVariadic() &&
         givenParameters(Function);
}

/// A static function makes objects of the class, as they are, behind a pointer or behind a smart pointer.
bool makes(const FunctionDecl &Function, const CXXRecordDecl &Class) {
  const QualType Result = Function.getReturnType().getCanonicalType();
  const CXXRecordDecl *Smart = pointedClass(Result);
  const CXXRecordDecl *Made =
      Smart ? Smart : (Result->isPointerType() ? Result->getPointeeType() : Result)->getAsCXXRecordDecl();
  return Made && declaresSameEntity(Made, &Class);
}

/// Of texts; numbers of one byte are data.
bool isLetter(QualType Type) {
  return Type->isAnyCharacterType() && !Type->isSpecificBuiltinType(BuiltinType::SChar) &&
         !Type->isSpecificBuiltinType(BuiltinType::UChar);
}

/// A text, which says where to read an object, or what it is called.
bool isText(const ParmVarDecl *P) {
  const QualType Type = P->getType().getNonReferenceType().getCanonicalType();
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(Type->getAsCXXRecordDecl());
  const QualType Element = Class                   ? typeArgumentOf(*Class, 0)
                           : Type->isPointerType() ? Type->getPointeeType()
                                                   : QualType();
  return !Element.isNull() && isLetter(Element);
}

/// Functions that make an object of the class, the best first: of the same kind, that with the fewest texts and then that
/// with the most parameters.
SmallVector<const FunctionDecl *, 8> makers(const CXXRecordDecl &Class) {
  SmallVector<const FunctionDecl *, 8> Found;
  for (const CXXConstructorDecl *Each : Class.ctors())
    if (isForAll(*Each) && !Each->isCopyOrMoveConstructor())
      Found.push_back(Each);
  for (const CXXMethodDecl *Each : Class.methods())
    if (Each->isStatic() && isForAll(*Each) && makes(*Each, Class))
      Found.push_back(Each);
  auto Rank = [](const FunctionDecl *Maker) {
    return std::make_tuple(takes(*Maker), !isa<CXXConstructorDecl>(Maker), llvm::count_if(Maker->parameters(), isText),
                           -int(givenParameters(*Maker)), Maker->getLocation());
  };
  llvm::sort(Found, [&](const FunctionDecl *A, const FunctionDecl *B) { return Rank(A) < Rank(B); });
  return Found;
}

} // namespace

bool Construction::fromCall(const FunctionDecl &Function, const std::string &Called, const std::string &Display,
                            std::string &Arguments) {
  const unsigned Given = givenParameters(Function);
  for (unsigned I = 0; I != Given; ++I) {
    const ParmVarDecl *P = Function.getParamDecl(I);
    std::string Name = llvm::StringRef(P->getNameAsString()).trim('_').str(), Value;
    if (Name.empty())
      Name = "size" + (Given > 1 ? std::to_string(I) : "");
    const size_t Had = Parameters.size();
    const bool MakesHandle = !isa<CXXMethodDecl>(Function) && P->getType()->isPointerType();
    if (MakesHandle && isLeftOut(*P))
      Value = "0";
    else if (const FunctionDecl *Inner = MakesHandle ? innerMakerOf(*P) : nullptr) {
      const std::string Made = fresh("handle");
      if (!make(*Inner, P->getType().getCanonicalType()->getPointeeType(), Display + "." + Name, Made))
        return false;
      Value = "&" + nameOf(Made);
    } else if (!value(P->getType(), Display + "." + Name, Value))
      return false;
    giveDefault(defaultOf(Context, *P), Had);
    Arguments += (Arguments.empty() ? "" : ", ") + Value;
  }
  Arguments = Called + "(" + Arguments + ")";
  return true;
}

/// Declares Object, of the class that the function returns or points to. Nothing is left of what cannot be built.
bool Construction::fromMaker(const FunctionDecl &Maker, const std::string &ClassName, QualType Made,
                             const std::string &Display, const std::string &Object, bool New) {
  const std::string Name = Names.of(Made);
  const Progress Before = progress();
  const bool Constructs = isa<CXXConstructorDecl>(Maker), Points = Maker.getReturnType()->isPointerType();
  std::string Call;
  // What the arguments were built from is gone when the object is made.
  const bool Encloses = takes(Maker) == Takes::Objects;
  const std::string Begin = Name + " " + (New || Points ? "&" : "") + Object +
                            (New && !Points ? " = *new " + Name
                             : Points       ? " = *"
                                            : "");
  if (Encloses) {
    ++Blocks;
    Statements += Begin + "([&]() -> " + Name + (Points ? " * {\n" : " {\n");
  }
  if (!fromCall(Maker, Constructs ? Name : ClassName + "::" + Maker.getNameAsString(), Display, Call)) {
    undo(Before);
    return false;
  }
  Statements += Encloses     ? "return " + Call + ";\n}());\n"
                : Constructs ? Begin + Call.substr(Name.size()) + ";\n"
                             : Begin + (Points ? Call : "(" + Call + ")") + ";\n";
  Blocks = Before.Blocks;
  return true;
}

/// A function's name for the linker as the text of a mark; "" where it has letters that mean something there.
static std::string symbolIn(const FunctionDecl &Function) {
  ASTNameGenerator Mangler(Function.getASTContext());
  std::string Name = symbolOf(Mangler, Function);
  return llvm::all_of(Name, [](char C) { return llvm::isAlnum(C) || C == '_'; }) ? Name : "";
}

bool Construction::make(const FunctionDecl &Maker, QualType Type, const std::string &Display,
                        const std::string &Object) {
  std::string Call;
  const size_t Had = Handles.size();
  if (!fromCall(Maker, calledAs(Maker), Display, Call))
    return false;
  Makers[Display] = &Maker;
  Handles.push_back({&Maker, Type->getAsRecordDecl()->getDefinition(), Display, behindPointer(Object, Call), Call});
  Statements += "if (!" + Object + "_made) __builtin_trap();\n"; // where it makes none, there is no call
  Statements += "memshape_made(\"" + symbolIn(Maker) + "\");\n";
  // What the maker was given, others may have changed since, too.
  const std::vector<Handle> Given(Handles.begin() + long(Had), Handles.end());
  return llvm::all_of(Given, [&](const Handle &Each) { return declareSince(Each); });
}

/// What others may have changed since Made was made is data.
bool Construction::declareSince(const Handle &Made) {
  const SinceMade Since = changedSinceMade(*Made.Record, *Made.Maker);
  const llvm::SaveAndRestore Hides(IsHidden, !Since.AnyContents);
  const auto IsAsMade = [&](const FieldDecl *Field) {
    return Since.AnyContents ? Field->getType()->isFunctionPointerType() && !llvm::is_contained(Since.Replaced, Field)
                             : !llvm::is_contained(Since.Changed, Field);
  };
  if (!llvm::all_of(Made.Record->fields(),
                    [&](const FieldDecl *Field) { return IsAsMade(Field) || declareMember(*Field, Made.Object); }))
    return false;
  for (const auto &[Field, Given] : Since.Handed) {
    std::string Functions;
    for (const auto &[Function, Argument] : Given)
      Functions += symbolIn(*Function) + ":" + std::to_string(Argument) + " ";
    const llvm::SaveAndRestore Handed(HandedTo, Functions);
    if (!Since.AnyContents && !declareMember(*Field, Made.Object))
      return false;
  }
  return llvm::all_of(Since.Replaced, [&](const FieldDecl *Field) {
    const bool Unset = llvm::is_contained(Since.Unset, Field);
    const QualType Type = Field->getType();
    return Unset && Type->isPointerType() && Type->getPointeeType()->getAsRecordDecl() == Made.Record
               ? declareNext(*Field, Made)
               : declareReplaced(*Field, Made.Display, Made.Object, Unset);
  });
}

/// A member that Maker leaves null and that leads to another object like Made: null, if a setting does not say that one is
/// there, which is then the last.
bool Construction::declareNext(const FieldDecl &Field, const Handle &Made) {
  if (Made.IsNext)
    return true;
  const std::string Name = Field.getNameAsString(), Display = Made.Display + "." + Name, Next = fresh("next");
  Statements += "if (" + presence(Display) + ") {\n";
  const bool Done =
      declareSince({Made.Maker, Made.Record, Display, behindPointer(Next, Made.Call), Made.Call, /*IsNext=*/true});
  Statements += Made.Object + "." + Name + " = " + Next + "_made;\n}\n";
  return Done;
}

bool Construction::fromFactory(const CXXRecordDecl &Class, QualType Type, const std::string &Display,
                               const std::string &Object, bool New) {
  const auto Found = makers(Class);
  if (llvm::any_of(Found, [](const FunctionDecl *Maker) { return isa<CXXConstructorDecl>(Maker); }))
    return false;
  const QualType Pointee = typeArgumentOf(*Type->getAsCXXRecordDecl(), 0).getUnqualifiedType();
  for (const FunctionDecl *Maker : Found)
    if (Context.hasSameUnqualifiedType(Maker->getReturnType(), Type) &&
        fromMaker(*Maker, Names.of(Pointee), Type, Display, Object, New))
      return declareContents(Pointee, "(*" + Object + ")");
  Problem.clear();
  return false;
}

/// A container or a smart pointer that the constructor leaves empty: its extents are settings, and whether it is there.
/// What cannot be built is data.
void Construction::setContainer(const ConstantMember &Member, const std::string &Name, const std::string &Object) {
  const std::string Before = std::exchange(Statements, "");
  const size_t Had = Parameters.size();
  const bool IsPointer = pointedClass(Member.Type);
  std::string Value;
  if (IsPointer)
    presence(Name);
  ++Blocks;
  // A list of nodes within a list of nodes: what these lead to is a chain that ends.
  const std::vector<QualType> Outer = Open;
  llvm::erase(Open, Member.Type.getCanonicalType().getUnqualifiedType());
  const bool Done = value(Member.Type, Name, Value) && Parameters.size() > Had;
  Open = Outer;
  --Blocks;
  if (!Done) {
    Parameters.resize(Had);
    Statements = Before;
    Problem.clear();
    declareFilled(Object);
    return;
  }
  Statements = Before + "if (" + Parameters[Had].Name + ") {\n" + Statements + Object + " = " + Value + ";\n}\n";
  for (size_t I = Had; I != Parameters.size(); ++I) {
    ParameterFact &Fact = Parameters[I].Fact;
    if (Fact.Role == ParameterRole::Shape)
      Fact.Role = ParameterRole::Setting;
    if (Fact.Role == ParameterRole::Setting && Fact.Default.empty())
      Fact.Default = "0";
  }
}

/// An expression of a number that is 0 where the member is as if nobody had set it; "" where its class tells none.
static std::string extentOf(const ConstantMember &Member, const std::string &Object) {
  if (Member.Type->isRealFloatingType()) // the type of a number that is handed on may not hold it
    return "(" + Object + " != 0)";
  if (Member.What != ConstantMember::Holds::Nothing)
    return "(long long)(" + Object + ")";
  const CXXRecordDecl &Class = *Member.Type->getAsCXXRecordDecl();
  if (Class.hasMemberName(&Class.getASTContext().Idents.get("size")))
    return Object + ".size()";
  return llvm::any_of(Class.getDefinition()->getVisibleConversionFunctions(),
                      [](const NamedDecl *Each) {
                        const auto *To = dyn_cast<CXXConversionDecl>(Each->getUnderlyingDecl());
                        return To && To->getConversionType()->isBooleanType();
                      })
             ? "!!" + Object
             : "";
}

/// A member is data; of a function the caller's, of a pointer what it leads to.
void Construction::fillMember(QualType Type, const std::string &Name, const std::string &Object) {
  if (!Type->isPointerType())
    return declareFilled(Object);
  const std::string Written = Names.of(Type);
  Statements += Object + " = " +
                (Type->isFunctionPointerType() ? parameter({Name, ParameterRole::Function, 0, false}, Written)
                                               : "(" + Written + ")" + numbers()) +
                ";\n";
}

/// What the constructor gives every object, others may have set since: settings, which are as it leaves them if nobody
/// gives them, where the operator may name the member.
void Construction::setConstants(const CXXConstructorDecl &Constructor, const std::string &Display,
                                const std::string &Object) {
  const std::vector<ConstantMember> Constants = constantMembers(Constructor);
  if (Constants.empty())
    return;
  const MembersNamed Named(Operator);
  std::map<const ConstantMember *, std::string> Extents; // read before anything else happens
  for (const ConstantMember &Each : Constants)
    if (const std::string Text = Each.IfConstant ? extentOf(Each, Object + "." + Each.Path) : "";
        !Text.empty() && Named.mayName(*Each.Root)) {
      Extents[&Each] = fresh("left");
      Statements += "const long long " + Extents[&Each] + " = " + Text + ";\n";
    }
  for (const ConstantMember &Each : Constants) {
    if (!Named.mayName(*Each.Root))
      continue;
    const std::string Name = Display + "." + Each.Name, Member = Object + "." + Each.Path;
    const std::string Extent = Extents[&Each], Before = std::exchange(Statements, "");
    const size_t Had = Parameters.size();
    switch (Each.What) {
    case ConstantMember::Holds::Number:
      Statements += Member + " = " + setting(Each.Type, Name) + ";\n";
      giveDefault(Each.Value, Had);
      break;
    case ConstantMember::Holds::NullPointer: {
      Statements += "if (" + presence(Name) + ") ";
      fillMember(Each.Type, Name, Member);
      break;
    }
    case ConstantMember::Holds::Nothing: setContainer(Each, Name, Member); break;
    case ConstantMember::Holds::Data: fillMember(Each.Type, Name, Member); break;
    }
    const std::string Sets = std::exchange(Statements, Before);
    if (Extent.empty())
      Statements += Sets;
    else
      setIfConstant(Each, Name, Member, Extent, Had, Sets);
  }
}

/// The slicer says whether the constructor gives all objects one number, Extent: then Sets does what the setting says,
/// which is that number unless it is given.
void Construction::setIfConstant(const ConstantMember &Each, const std::string &Name, const std::string &Member,
                                 const std::string &Extent, size_t Had, const std::string &Sets) {
  const bool IsContainer = Each.What == ConstantMember::Holds::Nothing;
  const bool IsOneSize = IsContainer && Parameters.size() > Had && Parameters[Had].Fact.Name == Name + ".size";
  const bool IsSetting = Each.What == ConstantMember::Holds::Number || IsOneSize;
  const std::string Setting = IsOneSize ? Parameters[Had].Fact.Name : IsSetting ? Name : "-";
  Statements += "const int " + Extent + "_is = memshape_left(\"" + Setting + "\", " + Extent + ");\nif (" + Extent +
                "_is > 1) {\n";
  if (!IsContainer)
    fillMember(Each.Type, Name, Member);
  Statements += "} else if (" + Extent + "_is) {\nif (" + (IsSetting ? "0" : Extent) + ") {\n";
  if (Each.What == ConstantMember::Holds::Data)
    declareFilled(Member);
  Statements += "} else {\n" + Sets + "}\n}\n";
}

bool Construction::fromFunctions(const CXXRecordDecl &Class, QualType Type, const std::string &Display,
                                 const std::string &Object, bool New) {
  const std::string Name = Names.of(Type);
  std::string First;
  for (const FunctionDecl *Maker : makers(Class)) {
    const QualType Result = Maker->getReturnType().getCanonicalType().getUnqualifiedType();
    const bool Smart = pointedClass(Result) && !isa<CXXConstructorDecl>(Maker);
    const std::string Holder = Smart ? fresh("pointer") : Object;
    if (fromMaker(*Maker, Name, Smart ? Result : Type, Display, Holder, New)) {
      if (Smart)
        Statements += Name + " &" + Object + " = *" + Holder + ";\n";
      Makers[Display] = Maker;
      if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Maker))
        setConstants(*Constructor, Display, Object);
      return declareContents(Type, Object);
    }
    if (First.empty())
      First = std::exchange(Problem, "");
  }
  if (Class.hasDefaultConstructor() && First.empty() && isPlain(Context, Type)) {
    Statements += Name + " " + Object + ";\n";
    declareFilled(Object);
    return true;
  }
  const Progress Before = progress();
  if (!Class.isInStdNamespace() && !Context.getSourceManager().isInSystemHeader(Class.getLocation()) &&
      fromMembers(Class, Type, Display, Object, New))
    return true;
  undo(Before);
  Problem.clear();
  const bool Hidden = llvm::none_of(Class.decls(), [](const Decl *Each) {
    const auto *Template = dyn_cast<FunctionTemplateDecl>(Each);
    const auto *Constructor = dyn_cast<CXXConstructorDecl>(Template ? Template->getTemplatedDecl() : Each);
    return Constructor && Each->getAccess() == AS_public && !Constructor->isDeleted() &&
           !Constructor->isCopyOrMoveConstructor();
  });
  return fail(
      "nothing says how its type " + written(Type) + " is built from sizes: " +
      (Hidden          ? "its constructors are private, and no static function of it takes numbers alone"
       : First.empty() ? "it has no public constructor that takes integers alone"
                       : "it has no public constructor that takes integers alone, and of the best one " + First) +
      "; say it in a line MEMSHAPE_BUILD(" + Type.getAsString(Context.getPrintingPolicy()) + ", (int size), ...)");
}

} // namespace memshape::ast
