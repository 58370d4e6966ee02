// Members that keep what a constructor was given.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "typed/KeptParameters.h"

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

/// What a body may change: its own object's members, and variables. It looks into the members that it calls.
class Changes : public RecursiveASTVisitor<Changes> {
public:
  explicit Changes(const CompoundStmt &Body) { TraverseStmt(const_cast<CompoundStmt *>(&Body)); }

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
    if (Method && !Method->isConst() && isa<CXXThisExpr>(Call->getImplicitObjectArgument()->IgnoreParenCasts()))
      lookInto(*Method);
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

} // namespace

std::map<unsigned, std::string> keptParameters(const CXXConstructorDecl &Constructor) {
  std::map<unsigned, std::string> Kept;
  const FunctionDecl *Body = nullptr;
  const FunctionDecl *Source = &Constructor;
  if (!Source->hasBody(Body) && Constructor.getTemplateInstantiationPattern())
    Source = Constructor.getTemplateInstantiationPattern();
  if (!Body && !Source->hasBody(Body))
    return Kept;
  const auto *Defined = dyn_cast<CXXConstructorDecl>(Body);
  const auto *Block = Defined ? dyn_cast_or_null<CompoundStmt>(Defined->getBody()) : nullptr;
  if (!Block)
    return Kept;
  const ASTContext &Context = Constructor.getASTContext();
  const Changes Changed(*Block);
  if (Changed.handsObjectOn())
    return Kept;
  std::map<unsigned, const FieldDecl *> Fields;
  for (const CXXCtorInitializer *Initializer : Defined->inits())
    if (Initializer->isDelegatingInitializer() || Initializer->isBaseInitializer())
      addInherited(*Initializer, Kept);
    else if (const FieldDecl *Field = Initializer->getMember(); Field && !Changed.of(*Field))
      if (std::optional<unsigned> Number = parameterOf(Context, Initializer->getInit(), Field->getType()))
        Fields.try_emplace(*Number, Field);
  for (const Stmt *Each : Block->body()) {
    const auto *Assigned = dyn_cast<BinaryOperator>(Each);
    if (!Assigned || Assigned->getOpcode() != BO_Assign)
      continue;
    const FieldDecl *Field = fieldOf(Assigned->getLHS());
    const std::optional<unsigned> Number =
        Field ? parameterOf(Context, Assigned->getRHS(), Field->getType()) : std::nullopt;
    if (Number && Changed.of(*Field) == 1)
      Fields.try_emplace(*Number, Field);
  }
  for (const auto &[Number, Field] : Fields)
    if (!Changed.of(*Defined->getParamDecl(Number)) && Field->getIdentifier())
      Kept[Number] = Field->getNameAsString();
  return Kept;
}

} // namespace memshape::ast
