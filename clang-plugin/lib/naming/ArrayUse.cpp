// Which pointers lead to more than one object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "naming/ArrayUse.h"
#include "naming/Definitions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace memshape::ast {

namespace {

using Variables = llvm::SmallPtrSet<const VarDecl *, 8>;

bool isArrayIn(const VarDecl &Pointer, const FunctionDecl &Function, Variables &Seen);

/// Looks for arithmetic on one variable in a body.
class UseFinder : public RecursiveASTVisitor<UseFinder> {
public:
  UseFinder(const VarDecl &Pointer, const FunctionDecl &Function, Variables &Seen)
      : Pointer(Pointer), Function(Function), Seen(Seen) {}

  bool Found = false;

  bool VisitArraySubscriptExpr(ArraySubscriptExpr *E) {
    const Expr *Index = E->getIdx()->IgnoreParenImpCasts();
    const auto *First = dyn_cast<IntegerLiteral>(Index);
    return note(isPointer(E->getBase()) && !(First && First->getValue().isZero()));
  }
  bool VisitUnaryOperator(UnaryOperator *E) { return note(E->isIncrementDecrementOp() && isPointer(E->getSubExpr())); }
  bool VisitBinaryOperator(BinaryOperator *E) {
    const BinaryOperatorKind Kind = E->getOpcode();
    if (Kind == BO_Assign)
      return note(isPointer(E->getRHS()) && isAlias(E->getLHS()));
    const bool Adds = Kind == BO_Add || Kind == BO_Sub || Kind == BO_AddAssign || Kind == BO_SubAssign;
    return note(Adds && (isPointer(E->getLHS()) || isPointer(E->getRHS())));
  }
  bool VisitVarDecl(VarDecl *Other) {
    return note(Other->getInit() && Other->getType()->isPointerType() && isPointer(Other->getInit()) &&
                isArrayIn(*Other, Function, Seen));
  }
  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *Callee = E->getDirectCallee(), *Body = nullptr;
    if (!Callee || !Callee->hasBody(Body))
      return true;
    const unsigned Skipped = isa<CXXOperatorCallExpr>(E) && isa<CXXMethodDecl>(Callee) ? 1 : 0;
    for (unsigned I = Skipped; I < E->getNumArgs() && I - Skipped < Body->getNumParams(); ++I)
      if (isPointer(E->getArg(I)) && Body->getParamDecl(I - Skipped)->getType()->isPointerType() &&
          isArrayIn(*Body->getParamDecl(I - Skipped), *Body, Seen))
        return note(true);
    return true;
  }

private:
  bool note(bool IsArray) {
    Found |= IsArray;
    return !Found;
  }
  static const VarDecl *variableOf(const Expr *E) {
    const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
    return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  }
  bool isPointer(const Expr *E) const { return variableOf(E) == &Pointer; }
  bool isAlias(const Expr *E) {
    const VarDecl *Other = variableOf(E);
    return Other && Other->getType()->isPointerType() && isArrayIn(*Other, Function, Seen);
  }

  const VarDecl &Pointer;
  const FunctionDecl &Function;
  Variables &Seen;
};

bool isArrayIn(const VarDecl &Pointer, const FunctionDecl &Function, Variables &Seen) {
  if (!Seen.insert(&Pointer).second)
    return false;
  UseFinder Uses(Pointer, Function, Seen);
  Uses.TraverseStmt(Function.getBody());
  return Uses.Found;
}

/// Looks at each use of a parameter.
class ParameterUses : public RecursiveASTVisitor<ParameterUses> {
public:
  explicit ParameterUses(const ParmVarDecl &Parameter) : Parameter(Parameter) {}

  unsigned All = 0, Assigned = 0, Tested = 0;
  bool ReadsMembers = false;

  bool VisitDeclRefExpr(DeclRefExpr *E) { return All += E->getDecl() == &Parameter, true; }
  bool VisitMemberExpr(MemberExpr *E) {
    ReadsMembers |= E->isArrow() && isParameter(E->getBase());
    return true;
  }
  bool VisitImplicitCastExpr(ImplicitCastExpr *E) {
    Tested += E->getCastKind() == CK_PointerToBoolean && isParameter(E->getSubExpr());
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) {
    if (E->isEqualityOp())
      Tested += isNull(E->getLHS()) ? isParameter(E->getRHS()) : isNull(E->getRHS()) && isParameter(E->getLHS());
    if (E->getOpcode() == BO_Assign)
      Assigned += isTarget(E->getLHS());
    return true;
  }

private:
  bool isParameter(const Expr *E) const {
    const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    return Reference && Reference->getDecl() == &Parameter;
  }
  bool isNull(const Expr *E) const {
    return E->isNullPointerConstant(Parameter.getASTContext(), Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull;
  }
  bool isTarget(const Expr *E) const {
    E = E->IgnoreParens();
    if (Parameter.getType()->isReferenceType())
      return isParameter(E);
    const auto *Star = dyn_cast<UnaryOperator>(E);
    return Star && Star->getOpcode() == UO_Deref && isParameter(Star->getSubExpr());
  }

  const ParmVarDecl &Parameter;
};

/// Counts the uses of a pointer, and those that take the number it leads to or hand it to a function that does the same.
class NumberUses : public RecursiveASTVisitor<NumberUses> {
public:
  NumberUses(const ParmVarDecl &Pointer, Variables &Seen) : Pointer(Pointer), Seen(Seen) {}

  unsigned All = 0, Taken = 0, Handed = 0;

  bool VisitDeclRefExpr(DeclRefExpr *E) { return All += E->getDecl() == &Pointer, true; }
  bool VisitImplicitCastExpr(ImplicitCastExpr *E) {
    const auto *Star = dyn_cast<UnaryOperator>(E->getSubExpr()->IgnoreParens());
    Taken +=
        E->getCastKind() == CK_LValueToRValue && Star && Star->getOpcode() == UO_Deref && isPointer(Star->getSubExpr());
    return true;
  }
  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *Callee = E->getDirectCallee(), *Body = nullptr;
    if (!Callee || isa<CXXOperatorCallExpr>(E) || !Callee->hasBody(Body))
      return true;
    for (unsigned I = 0; I < E->getNumArgs() && I < Body->getNumParams(); ++I)
      Handed += isPointer(E->getArg(I)) && isNumberIn(*Body->getParamDecl(I), *Body, Seen);
    return true;
  }

  static bool isNumberIn(const ParmVarDecl &Pointer, const FunctionDecl &Function, Variables &Seen) {
    if (!Seen.insert(&Pointer).second)
      return true;
    NumberUses Uses(Pointer, Seen);
    Uses.TraverseStmt(Function.getBody());
    return Uses.All == Uses.Taken + Uses.Handed && (Uses.Taken || Uses.Handed);
  }

private:
  bool isPointer(const Expr *E) const {
    const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
    return Reference && Reference->getDecl() == &Pointer;
  }

  const ParmVarDecl &Pointer;
  Variables &Seen;
};

/// Looks for conditions on one member or parameter, or on what has one type.
class NullTests : public RecursiveASTVisitor<NullTests> {
public:
  explicit NullTests(const ValueDecl &Named) : Named(&Named) {}
  explicit NullTests(QualType Pointer) : Pointer(Pointer.getCanonicalType()) {}

  bool Found = false;

  bool VisitIfStmt(IfStmt *S) { return note(S->getCond()); }
  bool VisitAbstractConditionalOperator(AbstractConditionalOperator *E) { return note(E->getCond()); }
  bool VisitUnaryOperator(UnaryOperator *E) { return E->getOpcode() != UO_LNot || note(E->getSubExpr()); }
  bool VisitBinaryOperator(BinaryOperator *E) {
    return !(E->isLogicalOp() || E->isEqualityOp()) || (note(E->getLHS()) && note(E->getRHS()));
  }

private:
  bool note(const Expr *Asked) {
    const Expr *Bare = Asked ? Asked->IgnoreParenCasts() : nullptr;
    if (Bare && Named) {
      const auto *Member = dyn_cast<MemberExpr>(Bare);
      const auto *Reference = dyn_cast<DeclRefExpr>(Bare);
      Found |= (Member && Member->getMemberDecl() == Named) || (Reference && Reference->getDecl() == Named);
    } else if (Bare && Bare->getType()->isPointerType()) {
      Found |= Bare->getType()->getPointeeType().getCanonicalType().getUnqualifiedType() ==
               Pointer->getPointeeType().getUnqualifiedType();
    }
    return !Found;
  }

  const ValueDecl *Named = nullptr;
  QualType Pointer;
};

/// Tests of a pointer behind which a function gives up: it returns null.
class Refusals : public RecursiveASTVisitor<Refusals> {
public:
  explicit Refusals(const ParmVarDecl &Parameter) : Parameter(Parameter) {}

  bool Found = false;

  bool VisitIfStmt(IfStmt *S) {
    const Stmt *Last = S->getThen();
    if (const auto *Block = dyn_cast<CompoundStmt>(Last); Block && !Block->body_empty())
      Last = Block->body_back();
    const auto *Return = dyn_cast<ReturnStmt>(Last);
    NullTests Tests(Parameter);
    if (Return && Return->getRetValue() && Return->getRetValue()->getType()->isPointerType() &&
        Return->getRetValue()->isNullPointerConstant(Parameter.getASTContext(), Expr::NPC_NeverValueDependent))
      Tests.TraverseStmt(S->getCond());
    return !(Found |= Tests.Found);
  }

private:
  const ParmVarDecl &Parameter;
};

const FunctionDecl *definitionOf(const ParmVarDecl &Parameter) {
  const auto *Function = dyn_cast_or_null<FunctionDecl>(Parameter.getDeclContext());
  return Function && Function->doesThisDeclarationHaveABody() ? Function : nullptr;
}

} // namespace

bool readsMembers(const ParmVarDecl &Parameter) {
  const FunctionDecl *Function = definitionOf(Parameter);
  ParameterUses Uses(Parameter);
  return Function && (Uses.TraverseStmt(Function->getBody()), Uses.ReadsMembers);
}

bool isOnlyAssigned(const ParmVarDecl &Parameter) {
  const FunctionDecl *Function = definitionOf(Parameter);
  ParameterUses Uses(Parameter);
  return Function && (Uses.TraverseStmt(Function->getBody()), Uses.Assigned) && Uses.All == Uses.Assigned + Uses.Tested;
}

/// A number of type Number may lie in memory that can be changed through a value of Type. IsConst: not in the value itself.
static bool mayHold(QualType Type, QualType Number, bool IsConst, const ASTContext &Context, unsigned Depth = 0) {
  constexpr unsigned Deepest = 6;
  Type = Type.getCanonicalType();
  if (Type->isPointerType() || Type->isReferenceType())
    return mayHold(Type->getPointeeType(), Number, Type->getPointeeType().isConstQualified(), Context, Depth + 1);
  Type = Context.getBaseElementType(Type);
  if (Depth > Deepest || Type->isVoidType() || Type->isDependentType())
    return true;
  const auto OfPart = [&](QualType Part) {
    return mayHold(Part, Number, IsConst || Part.isConstQualified(), Context, Depth + 1);
  };
  if (const RecordDecl *Record = Type->getAsRecordDecl()) {
    Record = Record->getDefinition();
    const auto *Class = dyn_cast_or_null<CXXRecordDecl>(Record);
    return !Record || llvm::any_of(Record->fields(), [&](const FieldDecl *F) { return OfPart(F->getType()); }) ||
           (Class && llvm::any_of(Class->bases(), [&](const CXXBaseSpecifier &B) { return OfPart(B.getType()); }));
  }
  return !IsConst &&
         (Type->isCharType() ||
          (Type->isIntegralOrEnumerationType() == Number->isIntegralOrEnumerationType() && !Type->isFunctionType() &&
           !Type->isIncompleteType() && Context.getTypeSize(Type) == Context.getTypeSize(Number)));
}

/// The function of Parameter takes another object that a number of type Number may lie in. Tensors are no objects.
static bool takesHolder(const ParmVarDecl &Parameter, QualType Number) {
  const auto *Function = dyn_cast_or_null<FunctionDecl>(Parameter.getDeclContext());
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Function);
  const ASTContext &Context = Parameter.getASTContext();
  if (Method && Method->isInstance() && mayHold(Method->getThisType(), Number, false, Context))
    return true;
  return !Function || llvm::any_of(Function->parameters(), [&](const ParmVarDecl *Other) {
    QualType Object = Other->getType().getCanonicalType();
    while (Object->isPointerType() || Object->isReferenceType())
      Object = Object->getPointeeType();
    return Object->isRecordType() && mayHold(Other->getType(), Number, false, Context);
  });
}

bool isNumberByAddress(const ParmVarDecl &Parameter) {
  const QualType Type = Parameter.getType().getCanonicalType();
  if (!Type->isPointerType() && !Type->isLValueReferenceType())
    return false;
  const QualType Number = Type->getPointeeType();
  const bool IsInteger = Number->isIntegerType() && !Number->isEnumeralType() && !Number->isBooleanType();
  if (!(IsInteger ||
        (Type->isReferenceType() && (Number->isIntegralOrEnumerationType() || Number->isRealFloatingType()))) ||
      Number->isDependentType() || Number->isIncompleteType() || Number->isAnyCharacterType() ||
      Number.isVolatileQualified() || Parameter.getASTContext().getTypeSize(Number) > 64 ||
      takesHolder(Parameter, Number))
    return false;
  const FunctionDecl *Function = definitionOf(Parameter);
  Variables Seen;
  return Type->isReferenceType() ? Number.isConstQualified()
                                 : Function && NumberUses::isNumberIn(Parameter, *Function, Seen);
}

bool isTestedForNull(const ParmVarDecl &Parameter) {
  const FunctionDecl *Function = definitionOf(Parameter);
  NullTests Tests(Parameter);
  return Function && (Tests.TraverseStmt(Function->getBody()), Tests.Found);
}

bool isRefusedAsNull(const ParmVarDecl &Parameter) {
  const FunctionDecl *Function = definitionOf(Parameter);
  Refusals Tests(Parameter);
  return Function && (Tests.TraverseStmt(Function->getBody()), Tests.Found);
}

static bool isFound(NullTests Tests, const ASTContext &Unit) {
  forEachDeclaration<FunctionDecl, FunctionTemplateDecl>(
      *Unit.getTranslationUnitDecl(),
      [&](const FunctionDecl &Each) {
        if (Each.doesThisDeclarationHaveABody() && !Each.isInvalidDecl() && !Tests.Found)
          Tests.TraverseStmt(Each.getBody());
      },
      /*OwnOnly=*/true);
  return Tests.Found;
}

bool isAskedForNull(const FieldDecl &Member) { return isFound(NullTests(Member), Member.getASTContext()); }

bool isAskedForNull(const ParmVarDecl &Parameter) {
  return Parameter.getType()->isPointerType() && isFound(NullTests(Parameter.getType()), Parameter.getASTContext());
}

bool isUsedAsArray(const ParmVarDecl &Parameter) {
  const auto *Function = dyn_cast_or_null<FunctionDecl>(Parameter.getDeclContext());
  Variables Seen;
  return Function && Function->doesThisDeclarationHaveABody() && Parameter.getType()->isPointerType() &&
         isArrayIn(Parameter, *Function, Seen);
}

} // namespace memshape::ast
