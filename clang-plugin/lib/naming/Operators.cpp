// Which functions are operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "naming/Operators.h"
#include "naming/ArrayUse.h"
#include "naming/Definitions.h"
#include "naming/Makers.h"

#include "memshape/OperatorName.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"

#include <set>

using namespace clang;

namespace memshape::ast {

namespace {

/// Finds the operators among the functions that it considers.
class OperatorFinder {
public:
  OperatorFinder(ASTContext &Context, const OperatorNames &Names)
      : Context(Context), Names(Names), Mangler(Context), Best(Names.Names.size(), NameFit::None) {}

  void consider(const FunctionDecl &Function) {
    if (!Function.doesThisDeclarationHaveABody() || Function.isDependentContext() || Function.isDeleted() ||
        isa<CXXDestructorDecl, CXXDeductionGuideDecl>(Function) || Function.isInvalidDecl() ||
        !Seen.insert(Function.getCanonicalDecl()).second)
      return;
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Function);
        Constructor && (Constructor->isDefaulted() || Constructor->getParent()->getNumVBases()))
      return;
    Candidate Each{&Function, isMarked(Function) || isCaughtByStar(Function), {}};
    const bool Foreign = Context.getSourceManager().isInSystemHeader(Function.getLocation());
    const std::string Name = Names.Names.empty() ? "" : displayName(Function);
    for (std::size_t Index = 0; Index < Names.Names.size(); ++Index) {
      const NameFit Fit = fitOf(Name, Names.Names[Index]);
      Each.Fits.push_back(Foreign && Fit == NameFit::Last ? NameFit::None : Fit);
      Best[Index] = std::max(Best[Index], Each.Fits.back());
    }
    if (!Foreign && !Name.empty())
      Known.insert(Name);
    if (Each.Taken || llvm::any_of(Each.Fits, [](NameFit Fit) { return Fit != NameFit::None; }))
      Candidates.push_back(std::move(Each));
  }

  /// In the order in which they were considered.
  std::vector<Operator> found() {
    std::vector<Operator> Found;
    for (const Candidate &Each : Candidates) {
      bool Taken = Each.Taken;
      for (std::size_t Index = 0; Index < Each.Fits.size(); ++Index)
        Taken |= Each.Fits[Index] != NameFit::None && Each.Fits[Index] == Best[Index];
      if (Taken)
        Found.push_back({Each.Function, describe(*Each.Function)});
    }
    return Found;
  }

  /// Names that fit no function, though one of the unit is called much the same, and operators without code.
  std::vector<std::string> warnings(llvm::ArrayRef<Operator> Operators) const {
    std::vector<std::string> Texts;
    for (std::size_t Index = 0; Index < Best.size(); ++Index) {
      std::string Near;
      for (const std::string &Name : Known)
        if (Best[Index] == NameFit::None && isNear(Names.Names[Index], Name))
          Near += (Near.empty() ? "'" : ", '") + Name + "'";
      if (!Near.empty())
        Texts.push_back("this unit defines no function '" + Names.Names[Index] + "'; did you mean " + Near + "?");
    }
    const SourceManager &Sources = Context.getSourceManager();
    for (const Operator &Each : Operators)
      if (Sources.isInMainFile(Sources.getExpansionLoc(Each.Function->getLocation())) && !Each.Function->isUsed() &&
          !Context.DeclMustBeEmitted(Each.Function))
        Texts.push_back("'" + Each.Fact.Name + "' has no code in this unit, since nothing calls it here");
    return Texts;
  }

private:
  /// A function, and how each name that was given fits it.
  struct Candidate {
    const FunctionDecl *Function;
    bool Taken; ///< whatever names were given
    std::vector<NameFit> Fits;
  };

  /// What comes behind the last "::".
  static llvm::StringRef lastOf(llvm::StringRef Name) {
    return Name.rsplit("::").second.empty() ? Name : Name.rsplit("::").second;
  }

  /// The same but for scopes, case, and a letter or two.
  static bool isNear(const std::string &Given, const std::string &Name) {
    const std::string Short = operator_name::withoutArguments(operator_name::withoutSpaces(Name));
    const llvm::StringRef Wanted = lastOf(Given), Last = lastOf(Short);
    const unsigned Mistakes = Wanted.size() < 4 ? 1 : 2;
    return Wanted.equals_insensitive(Last) ||
           Wanted.edit_distance(Last, /*AllowReplacements=*/true, Mistakes) <= Mistakes;
  }

  static bool isMarked(const FunctionDecl &Function) {
    auto Marks = [](const FunctionDecl &F) {
      return llvm::any_of(F.specific_attrs<AnnotateAttr>(),
                          [](const AnnotateAttr *A) { return A->getAnnotation() == OperatorAnnotation; });
    };
    if (Marks(Function))
      return true;
    const FunctionDecl *Pattern = Function.getTemplateInstantiationPattern();
    return Pattern && Marks(*Pattern);
  }

  /// `*` takes functions that other translation units can call, and that take an integer or an object, if it is that of a
  /// member function; but no inline functions of headers.
  bool isCaughtByStar(const FunctionDecl &Function) const {
    if (!Names.Everything || Function.isMain() || Function.isImplicit() || isa<CXXConstructorDecl>(Function))
      return false;
    GVALinkage Linkage = Context.GetGVALinkageForFunction(&Function);
    if (Linkage != GVA_StrongExternal && Linkage != GVA_StrongODR)
      return false;
    if (Context.getSourceManager().isInSystemHeader(Function.getLocation()))
      return false;
    const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
    return (Method && Method->isInstance()) || llvm::any_of(Function.parameters(), [&](const ParmVarDecl *P) {
             const ParameterRole Role = describeParameter(Context, *P).Role;
             return Role == ParameterRole::Shape || Role == ParameterRole::Object;
           });
  }

  OperatorFact describe(const FunctionDecl &Function) {
    OperatorFact Fact;
    Fact.Name = displayName(Function);
    Fact.Symbol = symbolOf(Mangler, Function);
    Place Where = placeOf(Context, Function.getLocation());
    Fact.File = Where.File;
    Fact.Line = Where.Line;
    if (const auto *Method = dyn_cast<CXXMethodDecl>(&Function))
      Fact.HasThis = Method->isInstance();
    for (const ParmVarDecl *Parameter : Function.parameters())
      Fact.Parameters.push_back(describeParameter(Context, *Parameter));
    return Fact;
  }

  ASTContext &Context;
  const OperatorNames &Names;
  ASTNameGenerator Mangler;
  std::set<const Decl *> Seen;
  std::vector<Candidate> Candidates;
  std::vector<NameFit> Best;   ///< that each name has found
  std::set<std::string> Known; ///< names of functions that are not a system's
};

/// Types whose bytes are plain values: numbers, and arrays and records of numbers. Zero pages can stand for them.
bool isPlainData(const ASTContext &Context, QualType Type) {
  Type = Context.getBaseElementType(Type).getCanonicalType();
  if (Type->isIncompleteType() || Type->isDependentType())
    return false;
  if (Type->isArithmeticType() || Type->isAnyComplexType() || Type->isEnumeralType() || Type->isVectorType())
    return true;
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (!Record || !Type.isTriviallyCopyableType(Context))
    return false;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
    for (const CXXBaseSpecifier &Base : Class->bases())
      if (!isPlainData(Context, Base.getType()))
        return false;
  return llvm::all_of(Record->fields(), [&](const FieldDecl *F) { return isPlainData(Context, F->getType()); });
}

/// A class without members holds no data: it stands for what derives from it, or for its type alone.
bool isEmptyClass(QualType Type) {
  const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
  return Class && Class->hasDefinition() && Class->isEmpty();
}

/// Numbers that count are among the members: the structure is a header rather than data.
bool holdsIntegers(const ASTContext &Context, QualType Type) {
  Type = Context.getBaseElementType(Type).getCanonicalType();
  if (const RecordDecl *Record = Type->getAsRecordDecl())
    return !Record->isUnion() &&
           llvm::any_of(Record->fields(), [&](const FieldDecl *F) { return holdsIntegers(Context, F->getType()); });
  return isSymbol(Type);
}

/// A structure of numbers that is read, and no array of them: options, extents. Its members are symbols and settings.
bool isOneObject(const ParmVarDecl &Parameter, QualType Type) {
  const QualType Pointee = Type->getPointeeType();
  const RecordDecl *Record = Pointee->getAsRecordDecl();
  if (!Record || !Record->getDefinition() || Record->isUnion() || !Pointee.isConstQualified() ||
      Record->isInStdNamespace())
    return false;
  Record = Record->getDefinition();
  const auto *Class = dyn_cast<CXXRecordDecl>(Record);
  if (Class && (!Class->isAggregate() || Class->getNumBases()))
    return false;
  const bool Counts =
      llvm::any_of(Record->fields(), [](const FieldDecl *F) { return F->getType()->isIntegralOrEnumerationType(); });
  const bool Tunes =
      llvm::all_of(Record->fields(), [](const FieldDecl *F) { return F->getType()->isRealFloatingType(); }) &&
      readsMembers(Parameter);
  return (Counts || Tunes) && !isUsedAsArray(Parameter);
}

/// A pointer that a library hides behind a name of its own, to a structure that it never shows or keeps to itself: the
/// operator cannot look behind it.
bool isHandle(const ParmVarDecl &Parameter) {
  const QualType Type = Parameter.getType().getCanonicalType();
  const RecordDecl *Record = Type->isPointerType() ? Type->getPointeeType()->getAsRecordDecl() : nullptr;
  if (!Record)
    return false;
  const RecordDecl *Shown = Record->getDefinition();
  return Shown ? isPrivate(*Shown) : Parameter.getType()->getAs<TypedefType>() != nullptr;
}

} // namespace

bool isSymbol(QualType Type) {
  return Type->isIntegerType() && !Type->isBooleanType() && !Type->isEnumeralType() && !Type->isAnyCharacterType();
}

bool isPrivate(const RecordDecl &Record) {
  const auto *Class = dyn_cast<CXXRecordDecl>(&Record);
  return (!Class || Class->isCLike()) &&
         Record.getASTContext().getSourceManager().isInSystemHeader(Record.getLocation()) && !Record.field_empty() &&
         llvm::all_of(Record.fields(), [](const FieldDecl *F) { return F->getName().starts_with("_"); });
}

OperatorsOfUnit findOperators(ASTContext &Context, const OperatorNames &Names, bool OwnOnly) {
  OperatorFinder Finder(Context, Names);
  forEachDeclaration<FunctionDecl, FunctionTemplateDecl>(
      *Context.getTranslationUnitDecl(), [&](const FunctionDecl &Function) { Finder.consider(Function); }, OwnOnly);
  std::vector<Operator> Found = Finder.found();
  std::vector<std::string> Warnings = Finder.warnings(Found);
  return {std::move(Found), std::move(Warnings)};
}

std::string constantOf(const ASTContext &Context, const Expr *Value) {
  if (!Value || Value->isValueDependent() || Value->isTypeDependent())
    return "";
  Expr::EvalResult Result;
  if (!Value->EvaluateAsRValue(Result, Context) || Result.HasSideEffects)
    return "";
  llvm::SmallString<32> Text;
  if (Result.Val.isInt())
    Result.Val.getInt().toString(Text);
  else if (Result.Val.isFloat())
    Result.Val.getFloat().toString(Text);
  return Text.str().str();
}

std::string defaultOfPointer(QualType Type) {
  return Type->isVoidPointerType() && !Type->getPointeeType().isConstQualified() ? "0" : "";
}

std::string defaultOf(const ASTContext &Context, const ParmVarDecl &Parameter) {
  const bool Known =
      Parameter.hasDefaultArg() && !Parameter.hasUnparsedDefaultArg() && !Parameter.hasUninstantiatedDefaultArg();
  const Expr *Given = Known ? Parameter.getDefaultArg() : nullptr;
  if (const auto *Behind = dyn_cast_or_null<MaterializeTemporaryExpr>(Given)) // a reference to it
    Given = Behind->getSubExpr();
  return constantOf(Context, Given);
}

ParameterFact describeParameter(const ASTContext &Context, const ParmVarDecl &Parameter) {
  ParameterFact Fact;
  Fact.Name = Parameter.getNameAsString();
  QualType Type = Parameter.getType().getCanonicalType();
  if (Type->isBooleanType()) {
    Fact.Role = ParameterRole::Setting;
    Fact.Bits = 1;
  } else if (Type->isRealFloatingType()) {
    Fact.Role = ParameterRole::Setting;
    Fact.Bits = static_cast<unsigned>(Context.getTypeSize(Type));
  } else if (Type->isEnumeralType() && !Type->isIncompleteType()) {
    Fact.Role = ParameterRole::Setting;
    Fact.Bits = static_cast<unsigned>(Context.getTypeSize(Type));
    Fact.Signed = Type->hasSignedIntegerRepresentation();
  } else if (Type->isIntegerType() && !Type->isEnumeralType() && Context.getTypeSize(Type) <= 64) {
    Fact.Role = ParameterRole::Shape;
    Fact.Bits = static_cast<unsigned>(Context.getTypeSize(Type));
    Fact.Signed = Type->isSignedIntegerType();
  } else if (Type->isPointerType() || Type->isReferenceType()) {
    // Untyped memory is data too, and so are rows behind an array of pointers.
    QualType Pointee = Type->getPointeeType();
    while (Pointee->isPointerType())
      Pointee = Pointee->getPointeeType();
    if (Type->isFunctionPointerType() || Type->isFunctionReferenceType())
      Fact.Role = ParameterRole::Function;
    else if (isOneObject(Parameter, Type) || isNumberByAddress(Parameter) || makerOf(Parameter) ||
             (Type->isReferenceType() && Pointee->isRecordType() && isPlainData(Context, Pointee) &&
              (holdsIntegers(Context, Pointee) || isEmptyClass(Pointee))))
      Fact.Role = ParameterRole::Object;
    else if (Pointee->isVoidType() || isPlainData(Context, Pointee) || isHandle(Parameter))
      Fact.Role = ParameterRole::Tensor;
    if (Fact.Role == ParameterRole::Tensor)
      Fact.Default = defaultOfPointer(Type);
  }
  if (Fact.Role == ParameterRole::Shape || Fact.Role == ParameterRole::Setting)
    Fact.Default = defaultOf(Context, Parameter);
  if (Fact.Role == ParameterRole::Shape && llvm::StringRef(Fact.Default).starts_with("-"))
    Fact.Default.clear(); // no extent
  return Fact;
}

std::string symbolOf(ASTNameGenerator &Mangler, const FunctionDecl &Function) {
  return isa<CXXConstructorDecl>(Function) ? Mangler.getAllManglings(&Function).front() : Mangler.getName(&Function);
}

std::string displayName(const FunctionDecl &Function) {
  PrintingPolicy Policy = Function.getASTContext().getPrintingPolicy();
  Policy.SuppressUnwrittenScope = true;
  std::string Name;
  llvm::raw_string_ostream Stream(Name);
  Function.getNameForDiagnostic(Stream, Policy, /*Qualified=*/true);
  return Name;
}

Place placeOf(const ASTContext &Context, SourceLocation Location) {
  const SourceManager &Sources = Context.getSourceManager();
  PresumedLoc Presumed = Sources.getPresumedLoc(Sources.getExpansionLoc(Location));
  if (Presumed.isInvalid())
    return {};
  return {Presumed.getFilename(), Presumed.getLine(), Presumed.getColumn()};
}

} // namespace memshape::ast
