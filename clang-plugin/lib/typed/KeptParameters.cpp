// Members that keep what a constructor gives them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "typed/KeptParameters.h"
#include "libraries/reader/Object.h"
#include "typed/TypeKinds.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

#include <optional>
#include <set>

using namespace clang;

namespace memshape::ast {

namespace {

/// Without what stands around one value: parentheses, braces, the end of a full expression.
const Expr *bareOnce(const Expr *E) {
  if (const auto *Parentheses = dyn_cast<ParenExpr>(E))
    return Parentheses->getSubExpr();
  if (const auto *List = dyn_cast<ParenListExpr>(E); List && List->getNumExprs() == 1)
    return List->getExpr(0);
  if (const auto *Braces = dyn_cast<InitListExpr>(E); Braces && Braces->getNumInits() == 1)
    return Braces->getInit(0);
  if (const auto *Whole = dyn_cast<FullExpr>(E))
    return Whole->getSubExpr();
  return E;
}

/// The same, and without conversions.
const Expr *bare(const Expr *E) {
  for (const Expr *Outer = nullptr; E && E != Outer;) {
    Outer = E;
    E = bareOnce(E->IgnoreParenCasts());
  }
  return E;
}

/// Every value of type From is one of type To.
bool holds(const ASTContext &Context, QualType To, QualType From) {
  To = To.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  From = From.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (To == From)
    return true;
  auto IsInteger = [](QualType Type) { return Type->isIntegralOrEnumerationType() && !Type->isDependentType(); };
  const bool Integers = IsInteger(To) && IsInteger(From) && !To->isBooleanType();
  const bool Reals = To->isRealFloatingType() && From->isRealFloatingType();
  return (Integers || Reals) && Context.getTypeSize(To) >= Context.getTypeSize(From);
}

/// The parameter of the constructor that the expression is, without a conversion that may change its value.
std::optional<unsigned> parameterOf(const ASTContext &Context, const Expr *E, QualType Wanted) {
  const auto *Reference = dyn_cast_or_null<DeclRefExpr>(bare(E));
  const auto *Parameter = Reference ? dyn_cast<ParmVarDecl>(Reference->getDecl()) : nullptr;
  if (!Parameter || !holds(Context, Wanted, Parameter->getType()))
    return std::nullopt;
  for (const Expr *At = E; At != Reference;) {
    if (const auto *Cast = dyn_cast<CastExpr>(At)) {
      if (!holds(Context, Cast->getType(), Parameter->getType()))
        return std::nullopt;
      At = Cast->getSubExpr();
    } else if (const Expr *Inner = bareOnce(At); Inner != At) {
      At = Inner;
    } else {
      return std::nullopt;
    }
  }
  return Parameter->getFunctionScopeIndex();
}

/// The member of the object itself that the expression is.
const FieldDecl *fieldOf(const Expr *E) {
  const auto *Member = dyn_cast_or_null<MemberExpr>(bare(E));
  return Member && isa<CXXThisExpr>(Member->getBase()->IgnoreParenCasts())
             ? dyn_cast<FieldDecl>(Member->getMemberDecl())
             : nullptr;
}

/// What a constructor may change: its own object's members, and variables. It looks into the members that it calls.
class Changes : public RecursiveASTVisitor<Changes> {
public:
  explicit Changes(const CXXConstructorDecl &Constructor) {
    for (const CXXCtorInitializer *Initializer : Constructor.inits())
      TraverseStmt(Initializer->getInit());
    TraverseStmt(Constructor.getBody());
  }

  /// How often; more than once where nothing tells.
  unsigned of(const ValueDecl &Each) const {
    const auto Known = Count.find(&Each);
    const bool IsMember = isa<FieldDecl>(Each);
    if (IsMember && !Each.getType().isConstQualified() && (Anything || Dependent.count(Each.getNameAsString())))
      return Many;
    return Known == Count.end() ? 0 : Known->second;
  }

  bool VisitBinaryOperator(BinaryOperator *Operation) {
    if (Operation->isAssignmentOp())
      add(Operation->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Operation) {
    if (Operation->isIncrementDecrementOp() || Operation->getOpcode() == UO_AddrOf)
      add(Operation->getSubExpr());
    return true;
  }
  bool VisitVarDecl(VarDecl *Variable) {
    if (Variable->getType()->isReferenceType() && Variable->hasInit())
      add(Variable->getInit());
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) {
    for (const Expr *Argument : Call->arguments())
      if (Argument->isGLValue() || Call->isTypeDependent())
        add(Argument);
    if (isa<UnresolvedMemberExpr, CXXDependentScopeMemberExpr>(Call->getCallee()->IgnoreParenCasts()))
      Anything = true;
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *Call) {
    const CXXMethodDecl *Method = Call->getMethodDecl();
    if (!Method || Method->isConst())
      return true;
    if (isa<CXXThisExpr>(Call->getImplicitObjectArgument()->IgnoreParenCasts()))
      lookInto(*Method);
    else
      add(Call->getImplicitObjectArgument());
    return true;
  }
  /// The object itself is handed on: neither a member of it nor a call of one.
  bool VisitCXXThisExpr(CXXThisExpr *) {
    ++Objects;
    return true;
  }
  bool VisitMemberExpr(MemberExpr *Member) {
    if (isa<CXXThisExpr>(Member->getBase()->IgnoreParenCasts()))
      --Objects;
    return true;
  }
  bool VisitCXXDependentScopeMemberExpr(CXXDependentScopeMemberExpr *Member) {
    if (!Member->isImplicitAccess() && isa<CXXThisExpr>(Member->getBase()->IgnoreParenCasts()))
      --Objects;
    return true;
  }
  bool handsObjectOn() const { return Objects > 0; }

  bool VisitReturnStmt(ReturnStmt *) { return Returns = true; }
  /// Not all statements of the body need be reached.
  bool mayReturnEarly() const { return Returns; }

private:
  static constexpr unsigned Many = ~0U;

  void add(const Expr *To) {
    const Expr *E = bare(To);
    if (const FieldDecl *Field = fieldOf(E))
      ++Count[Field];
    else if (const auto *Reference = dyn_cast_or_null<DeclRefExpr>(E))
      ++Count[Reference->getDecl()];
    else if (const auto *Member = dyn_cast_or_null<CXXDependentScopeMemberExpr>(E))
      Dependent.insert(Member->getMember().getAsString());
  }

  void lookInto(const CXXMethodDecl &Method) {
    const FunctionDecl *Body = nullptr;
    if (Method.isVirtual() || !Method.hasBody(Body))
      Anything = true;
    else if (Seen.insert(Body).second)
      TraverseStmt(Body->getBody());
  }

  std::map<const ValueDecl *, unsigned> Count;
  std::set<std::string> Dependent;
  std::set<const FunctionDecl *> Seen;
  int Objects = 0;
  bool Returns = false;
  bool Anything = false;
};

/// What the constructor of a base keeps, under the parameters that are handed on to it.
void addInherited(const CXXCtorInitializer &Initializer, std::map<unsigned, std::string> &Kept) {
  const auto *Made = dyn_cast_or_null<CXXConstructExpr>(bare(Initializer.getInit()));
  if (!Made)
    return;
  for (const auto &[Number, Member] : keptParameters(*Made->getConstructor()))
    if (Number < Made->getNumArgs())
      if (std::optional<unsigned> Own = parameterOf(Made->getConstructor()->getASTContext(), Made->getArg(Number),
                                                    Made->getConstructor()->getParamDecl(Number)->getType()))
        Kept.try_emplace(*Own, Member);
}

/// The constructor with its body, or that of the template that it comes from; null where neither is seen, and where the
/// body hands the object on.
const CXXConstructorDecl *definitionOf(const CXXConstructorDecl &Constructor) {
  const FunctionDecl *Body = nullptr;
  if (!Constructor.hasBody(Body)) {
    const FunctionDecl *Pattern = Constructor.getTemplateInstantiationPattern();
    if (!Pattern || !Pattern->hasBody(Body))
      return nullptr;
  }
  const auto *Defined = dyn_cast<CXXConstructorDecl>(Body);
  const bool HasBlock = Defined && isa_and_nonnull<CompoundStmt>(Defined->getBody());
  return HasBlock && !Changes(*Defined).handsObjectOn() ? Defined : nullptr;
}

/// What the class's own members are given for good: each by its initializer, or in one statement of the body.
std::vector<std::pair<const FieldDecl *, const Expr *>> valuesLeft(const CXXConstructorDecl &Defined) {
  std::vector<std::pair<const FieldDecl *, const Expr *>> Left;
  const auto &Block = cast<CompoundStmt>(*Defined.getBody());
  const Changes Changed(Defined);
  std::set<const FieldDecl *> Initialized;
  for (const CXXCtorInitializer *Initializer : Defined.inits())
    if (const FieldDecl *Field = Initializer->getMember()) {
      Initialized.insert(Field);
      if (!Changed.of(*Field))
        Left.emplace_back(Field, Initializer->getInit());
    }
  for (const FieldDecl *Field : Defined.getParent()->fields()) // a template's constructor does not list these
    if (Field->getInClassInitializer() && !Initialized.count(Field) && !Changed.of(*Field))
      Left.emplace_back(Field, Field->getInClassInitializer());
  for (const Stmt *Each : Block.body()) {
    const auto *Assigned = dyn_cast<BinaryOperator>(Each);
    const FieldDecl *Field = Assigned && Assigned->getOpcode() == BO_Assign ? fieldOf(Assigned->getLHS()) : nullptr;
    if (Field && Changed.of(*Field) == 1 && !Changed.mayReturnEarly())
      Left.emplace_back(Field, Assigned->getRHS());
  }
  return Left;
}

/// Numbers in Value, and pointers that are null, in structures whose members users set themselves, too. Numbers with a
/// point are data.
void addConstants(QualType Type, const std::string &Path, const APValue &Value, const FieldDecl &Root,
                  std::vector<ConstantMember> &Found) {
  constexpr unsigned ExactInDouble = 53; // as settings are
  if (Type.isConstQualified() || Type.isVolatileQualified())
    return;
  if (const auto *Class = Type->getAsCXXRecordDecl()) {
    if (Value.isStruct() && Class->isAggregate() && !Class->getNumBases() && !entryOf(Root.getASTContext(), Type))
      for (const FieldDecl *Field : Class->fields())
        if (!Field->getName().empty())
          addConstants(Field->getType(), Path + "." + Field->getNameAsString(),
                       Value.getStructField(Field->getFieldIndex()), Root, Found);
  } else if (Value.isInt() && Type->isIntegralOrEnumerationType()) {
    const llvm::APSInt &Number = Value.getInt();
    llvm::SmallString<32> Text;
    Number.toString(Text);
    const bool IsExact = (Number.isSigned() ? Number.getSignificantBits() : Number.getActiveBits()) <= ExactInDouble;
    Found.push_back(
        {IsExact ? ConstantMember::Holds::Number : ConstantMember::Holds::Data, Path, Type, &Root, Text.str().str()});
  } else if (Value.isFloat() && Type->isRealFloatingType()) {
    Found.push_back({ConstantMember::Holds::Data, Path, Type, &Root});
  } else if (Type->isPointerType() && Value.isLValue() && Value.isNullPointer()) {
    Found.push_back({ConstantMember::Holds::NullPointer, Path, Type, &Root});
  }
}

/// A container or a smart pointer of which nothing is said, or that it is empty.
bool isLeftEmpty(const ASTContext &Context, QualType Type, const Expr *Given) {
  const BuildModel *Entry = Type->isRecordType() ? entryOf(Context, Type) : nullptr;
  if (!Type->isRecordType() || (!pointedClass(Type) && (!Entry || (Entry->Symbols.empty() && Entry->Parts.empty()))))
    return false;
  const auto *Made = Given ? dyn_cast<CXXConstructExpr>(bare(Given)) : nullptr;
  return !Given || (Made && llvm::all_of(Made->arguments(), [](const Expr *E) { return isa<CXXDefaultArgExpr>(E); }));
}

/// An expression names neither a parameter nor the object.
class Free : public RecursiveASTVisitor<Free> {
public:
  static bool is(const Expr &Value) {
    Free All;
    return All.TraverseStmt(const_cast<Expr *>(&Value));
  }
  bool VisitDeclRefExpr(DeclRefExpr *Reference) { return !isa<ParmVarDecl>(Reference->getDecl()); }
  bool VisitCXXThisExpr(CXXThisExpr *) { return false; }
};

bool isAtomicNumber(QualType Type) {
  const auto *Class = dyn_cast_or_null<ClassTemplateSpecializationDecl>(Type->getAsCXXRecordDecl());
  return Class && Class->isInStdNamespace() && Class->getName() == "atomic" &&
         typeArgumentOf(*Class, 0)->isIntegralOrEnumerationType();
}

/// A member, made of Given if that is seen, to which a constant may be given where it is not.
void addIfConstant(const FieldDecl &Field, const Expr *Given, std::vector<ConstantMember> &Found) {
  const QualType Type = Field.getType();
  using Holds = ConstantMember::Holds;
  const std::string Name = Field.getNameAsString();
  if (Name.empty() || Field.isBitField() || Type.isConstQualified() || Type.isVolatileQualified())
    return;
  if (isLeftEmpty(Field.getASTContext(), Type, Given))
    Found.push_back({Holds::Nothing, Name, Type, &Field});
  else if (Type->isPointerType())
    Found.push_back({Holds::NullPointer, Name, Type, &Field});
  else if (Type->isIntegralOrEnumerationType())
    Found.push_back({Holds::Number, Name, Type, &Field, "0"});
  else if (Type->isRealFloatingType() || isAtomicNumber(Type))
    Found.push_back({Holds::Data, Name, Type, &Field});
  else
    return;
  Found.back().IfConstant = true;
}

/// The same of all members.
void addMembers(const CXXRecordDecl &Class, std::vector<ConstantMember> &Found) {
  for (const CXXBaseSpecifier &Base : Class.bases())
    if (const auto *Of = Base.getType()->getAsCXXRecordDecl(); Of && Of->hasDefinition() && !Base.isVirtual())
      addMembers(*Of->getDefinition(), Found);
  for (const FieldDecl *Field : Class.fields())
    addIfConstant(*Field, nullptr, Found);
}

/// Null where nothing is said.
const Expr *initializerOf(const CXXConstructorDecl &Defined, const FieldDecl &Field) {
  const auto *Found = llvm::find_if(Defined.inits(), [&](const auto *Each) { return Each->getMember() == &Field; });
  return Found == Defined.init_end() ? Field.getInClassInitializer() : (*Found)->getInit();
}

/// The constant members, without names.
std::vector<ConstantMember> constantsOf(const CXXConstructorDecl &Constructor) {
  std::vector<ConstantMember> Found;
  const CXXConstructorDecl *Defined = definitionOf(Constructor);
  const bool IsElsewhere =
      Defined ? Defined->isDelegatingConstructor() : !Constructor.isImplicit() && !Constructor.isDefaulted();
  if (IsElsewhere)
    addMembers(*Constructor.getParent(), Found);
  if (!Defined || IsElsewhere)
    return Found;
  const ASTContext &Context = Constructor.getASTContext();
  const CXXRecordDecl &Class = *Constructor.getParent();
  const Changes Changed(*Defined);
  for (const CXXCtorInitializer *Initializer : Defined->inits())
    if (const auto *Made = dyn_cast_or_null<CXXConstructExpr>(bare(Initializer->getInit()));
        Made && Initializer->isBaseInitializer())
      for (const ConstantMember &Each : constantsOf(*Made->getConstructor()))
        if (Class.lookup(Each.Root->getDeclName()).empty()) {
          Found.push_back(Each);
          if (Changed.of(*Each.Root) && !Each.IfConstant) // to another one, for all that is seen
            Found.back().IfConstant = true, Found.back().Value = "0";
        }
  const auto Values = valuesLeft(*Defined);
  for (const auto [Field, Source] : llvm::zip(Class.fields(), Defined->getParent()->fields())) { // of a template, too
    const auto Left = llvm::find_if(Values, [&](const auto &Each) { return Each.first == Source; });
    const Expr *Given = Left == Values.end() ? nullptr : Left->second;
    const std::string Name = Field->getNameAsString();
    const size_t Had = Found.size();
    Expr::EvalResult Result;
    if (Name.empty())
      continue;
    if (!Given && Changed.of(*Source))
      addIfConstant(*Field, initializerOf(*Defined, *Source), Found);
    else if (const QualType Type = Field->getType(); !Given && !Type.isConstQualified() && !Type->isRecordType()) {
      // Nothing is in it before others have set it.
      const bool Counts = Type->isIntegralOrEnumerationType() && !Field->isBitField();
      if (Counts || Type->isPointerType() || isPlain(Context, Type))
        Found.push_back({Counts ? ConstantMember::Holds::Number : ConstantMember::Holds::Data, Name, Type, Field});
    } else if (isLeftEmpty(Context, Field->getType(), Given)) {
      Found.push_back({ConstantMember::Holds::Nothing, Name, Field->getType(), Field});
    } else if (isLeftEmpty(Context, Field->getType(), nullptr) && !Given->isInstantiationDependent() &&
               Free::is(*Given)) { // as large in all objects
      addIfConstant(*Field, nullptr, Found);
    } else if (Given && !Given->isInstantiationDependent() && Given->EvaluateAsRValue(Result, Context) &&
               !Result.HasSideEffects) {
      addConstants(Field->getType(), Name, Result.Val, *Field, Found);
      if (Found.size() == Had && Field->getType()->isRecordType() && isPlain(Context, Field->getType()))
        Found.push_back({ConstantMember::Holds::Data, Name, Field->getType(), Field});
    }
  }
  return Found;
}

} // namespace

std::map<unsigned, std::string> keptParameters(const CXXConstructorDecl &Constructor) {
  std::map<unsigned, std::string> Kept;
  const CXXConstructorDecl *Defined = definitionOf(Constructor);
  if (!Defined)
    return Kept;
  const ASTContext &Context = Constructor.getASTContext();
  const Changes Changed(*Defined);
  for (const CXXCtorInitializer *Initializer : Defined->inits())
    if (Initializer->isDelegatingInitializer() || Initializer->isBaseInitializer())
      addInherited(*Initializer, Kept);
  std::map<unsigned, const FieldDecl *> Fields;
  for (const auto &[Field, Value] : valuesLeft(*Defined))
    if (const std::optional<unsigned> Number = parameterOf(Context, Value, Field->getType()))
      Fields.try_emplace(*Number, Field);
  for (const auto &[Number, Field] : Fields)
    if (!Changed.of(*Defined->getParamDecl(Number)) && Field->getIdentifier())
      Kept[Number] = Field->getNameAsString();
  return Kept;
}

std::vector<ConstantMember> constantMembers(const CXXConstructorDecl &Constructor) {
  std::set<std::string> Taken;
  for (const ParmVarDecl *P : Constructor.parameters())
    Taken.insert(P->getName().trim('_').str());
  std::vector<ConstantMember> Named;
  for (ConstantMember &Each : constantsOf(Constructor)) {
    for (llvm::StringRef Part : llvm::split(Each.Path, "."))
      Each.Name += (Each.Name.empty() ? "" : ".") + Part.trim('_').str();
    if (Taken.contains(Each.Name))
      Each.Name = Each.Path;
    if (Taken.insert(Each.Name).second)
      Named.push_back(std::move(Each));
  }
  return Named;
}

} // namespace memshape::ast
