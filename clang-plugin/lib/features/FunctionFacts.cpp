// What a body does to its variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "features/FunctionFacts.h"

#include "features/Allocators.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace memshape::ast {

const Expr *stripped(const Expr *E) {
  while (E) {
    const Expr *Inner = E->IgnoreParenCasts()->IgnoreImplicit();
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(Inner))
      Inner = Default->getExpr();
    else if (const auto *Member = dyn_cast<CXXDefaultInitExpr>(Inner))
      Inner = Member->getExpr();
    else if (const auto *Constant = dyn_cast<SubstNonTypeTemplateParmExpr>(Inner))
      Inner = Constant->getReplacement();
    if (Inner == E)
      return E;
    E = Inner;
  }
  return E;
}

const VarDecl *baseVariable(const Expr *E) {
  while ((E = stripped(E))) {
    if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
      return dyn_cast<VarDecl>(Reference->getDecl());
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
      E = Subscript->getBase();
    else if (const auto *Unary = dyn_cast<UnaryOperator>(E))
      E = Unary->getSubExpr();
    else if (const auto *Member = dyn_cast<MemberExpr>(E))
      E = Member->getBase();
    else if (const auto *Sum = dyn_cast<BinaryOperator>(E); Sum && Sum->getType()->isPointerType())
      E = Sum->getLHS()->getType()->isPointerType() ? Sum->getLHS() : Sum->getRHS();
    else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E); Operator && Operator->getNumArgs())
      E = Operator->getArg(0);
    else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E))
      E = Call->getImplicitObjectArgument();
    else
      return nullptr;
  }
  return nullptr;
}

bool isCounted(const ForStmt &Loop, CountedLoop &Result) {
  const Stmt *Init = Loop.getInit();
  if (const auto *Declaration = dyn_cast_or_null<DeclStmt>(Init)) {
    if (!Declaration->isSingleDecl())
      return false;
    Result.Variable = dyn_cast<VarDecl>(Declaration->getSingleDecl());
    Result.Lower = Result.Variable ? Result.Variable->getInit() : nullptr;
  } else if (const auto *Assignment = dyn_cast_or_null<BinaryOperator>(Init);
             Assignment && Assignment->getOpcode() == BO_Assign) {
    const auto *Target = dyn_cast<DeclRefExpr>(stripped(Assignment->getLHS()));
    Result.Variable = Target ? dyn_cast<VarDecl>(Target->getDecl()) : nullptr;
    Result.Lower = Assignment->getRHS();
  }
  auto IsVariable = [&](const Expr *E) {
    const auto *Reference = dyn_cast<DeclRefExpr>(stripped(E));
    return Reference && Reference->getDecl() == Result.Variable;
  };
  if (!Result.Variable || !Result.Lower || !Result.Variable->getType()->isIntegerType())
    return false;
  const auto *Condition = dyn_cast_or_null<BinaryOperator>(Loop.getCond() ? stripped(Loop.getCond()) : nullptr);
  if (!Condition || !IsVariable(Condition->getLHS()) ||
      (Condition->getOpcode() != BO_LT && Condition->getOpcode() != BO_LE && Condition->getOpcode() != BO_NE))
    return false;
  Result.Upper = Condition->getRHS();
  const Expr *Increment = Loop.getInc() ? stripped(Loop.getInc()) : nullptr;
  if (const auto *Unary = dyn_cast_or_null<UnaryOperator>(Increment))
    return Unary->isIncrementOp() && IsVariable(Unary->getSubExpr());
  const auto *Compound = dyn_cast_or_null<CompoundAssignOperator>(Increment);
  return Compound && Compound->getOpcode() == BO_AddAssign && IsVariable(Compound->getLHS());
}

/// Conditions above each statement that leaves the construct.
static void collectExits(const Stmt *S, bool InLoop, bool Continues, Conditions &Under, Conditions &Found) {
  if (!S || isa<LambdaExpr>(S))
    return;
  bool Leaves =
      isa<ReturnStmt, GotoStmt>(S) || (isa<BreakStmt>(S) && !InLoop) || (Continues && isa<ContinueStmt>(S) && !InLoop);
  if (Leaves)
    for (const Expr *Condition : Under)
      if (!llvm::is_contained(Found, Condition))
        Found.push_back(Condition);
  if (isa<Expr>(S))
    return;
  bool Inner = InLoop || isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt, SwitchStmt>(S);
  const auto *If = dyn_cast<IfStmt>(S);
  if (If)
    Under.push_back(If->getCond());
  for (const Stmt *Child : S->children())
    collectExits(Child, Inner, Continues, Under, Found);
  if (If)
    Under.pop_back();
}

Conditions exitConditions(const Stmt *Body) {
  Conditions Under, Found;
  collectExits(Body, false, false, Under, Found);
  return Found;
}

const Expr *jumpCondition(const Stmt *S) {
  const auto *If = dyn_cast_or_null<IfStmt>(S);
  if (!If)
    return nullptr;
  Conditions Under, Found;
  collectExits(If, false, true, Under, Found);
  return Found.empty() ? nullptr : If->getCond();
}

class FactCollector : public RecursiveASTVisitor<FactCollector> {
public:
  explicit FactCollector(FunctionFacts &Facts) : Facts(Facts) {}

  bool shouldVisitImplicitCode() const { return true; }
  /// A lambda's body is a function of its own; what it captures is used here.
  bool TraverseLambdaExpr(LambdaExpr *E) {
    for (const LambdaCapture &Capture : E->captures())
      if (Capture.capturesVariable())
        if (const auto *V = dyn_cast<VarDecl>(Capture.getCapturedVar()))
          Facts.Variables[V].Uses.push_back(E->getBeginLoc());
    FactCollector Inner(Facts);
    Inner.Under = Under;
    Inner.Nested = true;
    Inner.TraverseStmt(E->getBody());
    return true;
  }
  bool TraverseDecl(Decl *D) {
    if (isa_and_nonnull<FunctionDecl, TagDecl>(D))
      return true;
    return RecursiveASTVisitor::TraverseDecl(D);
  }

  bool TraverseForStmt(ForStmt *S) {
    CountedLoop Counted;
    bool IsCounted = isCounted(*S, Counted);
    if (IsCounted && isa_and_nonnull<DeclStmt>(S->getInit()))
      Facts.Variables[Counted.Variable].CountedBy = S;
    TraverseStmt(S->getInit());
    return loop(S->getCond(), S->getBody(), {S->getCond(), S->getBody(), S->getInc()});
  }
  bool TraverseWhileStmt(WhileStmt *S) {
    return loop(S->getCond(), S->getBody(), {S->getConditionVariableDeclStmt(), S->getCond(), S->getBody()});
  }
  bool TraverseDoStmt(DoStmt *S) { return loop(S->getCond(), S->getBody(), {S->getBody(), S->getCond()}); }
  bool TraverseIfStmt(IfStmt *S) {
    TraverseStmt(S->getInit());
    TraverseStmt(S->getConditionVariableDeclStmt());
    TraverseStmt(S->getCond());
    return under(S->getCond(), {S->getThen(), S->getElse()});
  }
  bool TraverseSwitchStmt(SwitchStmt *S) {
    TraverseStmt(S->getInit());
    TraverseStmt(S->getCond());
    return under(S->getCond(), {S->getBody()});
  }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt *S) {
    VariableFacts &Element = Facts.Variables[S->getLoopVariable()];
    Element.Variable = S->getLoopVariable();
    Element.ElementOf = S->getRangeInit();
    TraverseStmt(const_cast<Expr *>(S->getRangeInit()));
    return loop(nullptr, S->getBody(), {S->getBody()});
  }
  bool TraverseCompoundStmt(CompoundStmt *S) {
    std::size_t Before = Under.size();
    for (Stmt *Child : S->body()) {
      TraverseStmt(Child);
      if (const Expr *Jump = jumpCondition(Child))
        Under.push_back(Jump);
    }
    Under.resize(Before);
    return true;
  }

  bool VisitVarDecl(VarDecl *V) {
    Facts.Variables[V].Variable = V;
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    if (const auto *V = dyn_cast<VarDecl>(E->getDecl()); V && V->hasLocalStorage())
      Facts.Variables[V].Uses.push_back(E->getLocation());
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *S) {
    if (Nested)
      return true;
    Facts.Returns.push_back({S, S->getRetValue(), Under});
    if (S->getRetValue())
      if (const VarDecl *V = carried(S->getRetValue()))
        Facts.Variables[V].Returned = true;
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *E) {
    if (!E->isAssignmentOp())
      return true;
    const Expr *Target = stripped(E->getLHS());
    bool Compound = E->isCompoundAssignmentOp();
    if (const auto *Reference = dyn_cast<DeclRefExpr>(Target)) {
      if (const auto *V = dyn_cast<VarDecl>(Reference->getDecl()))
        write(V, {Compound ? Write::Update : Write::Whole, {E->getRHS()}, Under, nullptr, nullptr, E});
      return true;
    }
    writeThrough(Target, {E->getRHS()}, E);
    if (const VarDecl *Kept = carried(E->getRHS()); Kept && Kept->getType()->isPointerType())
      Facts.Variables[Kept].Stored = true;
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *E) {
    if (!E->isIncrementDecrementOp())
      return true;
    const Expr *Target = stripped(E->getSubExpr());
    if (const auto *Reference = dyn_cast<DeclRefExpr>(Target)) {
      if (const auto *V = dyn_cast<VarDecl>(Reference->getDecl()))
        write(V, {Write::Update, {}, Under, nullptr, nullptr, E});
    } else {
      writeThrough(Target, {}, E);
    }
    return true;
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *E) {
    if (const VarDecl *V = baseVariable(E->getArgument()))
      Facts.Variables[V].Freed = true;
    return true;
  }
  bool VisitCallExpr(CallExpr *E) {
    const FunctionDecl *Callee = E->getDirectCallee();
    if (Callee && isRelease(*Callee) && E->getNumArgs())
      if (const VarDecl *V = baseVariable(E->getArg(0)))
        Facts.Variables[V].Freed = true;
    std::vector<const Expr *> Arguments(E->arg_begin(), E->arg_end());
    unsigned First = 0; // the argument of the first parameter
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(E)) {
      const CXXMethodDecl *Method = Member->getMethodDecl();
      if (Method && !Method->isConst() && !Method->isStatic())
        object(Member->getImplicitObjectArgument(), Arguments, Method, E);
    } else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
      if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee); Method && Method->isInstance()) {
        First = 1;
        std::vector<const Expr *> Rest(Arguments.begin() + 1, Arguments.end());
        if (Operator->isAssignmentOp() && Operator->getOperator() == OO_Equal)
          assign(Arguments[0], Rest, Method, E);
        else if (!Method->isConst() && Operator->getOperator() != OO_Subscript && Operator->getOperator() != OO_Call &&
                 Operator->getOperator() != OO_Star && Operator->getOperator() != OO_Arrow)
          object(Arguments[0], Rest, Method, E);
      }
    }
    for (unsigned I = First; I < Arguments.size(); ++I)
      argument(Arguments, I, I - First, Callee, E);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    std::vector<const Expr *> Arguments(E->arg_begin(), E->arg_end());
    for (unsigned I = 0; I < Arguments.size(); ++I)
      argument(Arguments, I, I, E->getConstructor(), E);
    return true;
  }

private:
  bool loop(const Expr *Condition, const Stmt *Body, std::initializer_list<Stmt *> Parts) {
    Conditions Exits = exitConditions(Body);
    std::size_t Before = Under.size();
    Under.insert(Under.end(), Exits.begin(), Exits.end());
    under(Condition, Parts);
    Under.resize(Before);
    return true;
  }

  bool under(const Expr *Condition, std::initializer_list<Stmt *> Parts) {
    if (Condition)
      Under.push_back(Condition);
    for (Stmt *Part : Parts)
      TraverseStmt(Part);
    if (Condition)
      Under.pop_back();
    return true;
  }

  /// The variable whose value E hands on, moved or copied.
  static const VarDecl *carried(const Expr *E) {
    E = stripped(E);
    if (const auto *Construction = dyn_cast<CXXConstructExpr>(E); Construction && Construction->getNumArgs() == 1)
      return carried(Construction->getArg(0));
    if (const auto *Call = dyn_cast<CallExpr>(E); Call && Call->getNumArgs() == 1 && Call->isCallToStdMove())
      return carried(Call->getArg(0));
    const auto *Reference = dyn_cast<DeclRefExpr>(E);
    return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  }

  void write(const VarDecl *V, Write W) { Facts.Variables[V].Writes.push_back(std::move(W)); }

  /// Notes variables that are moved from: what they held lives on.
  void keep(llvm::ArrayRef<const Expr *> Sources) {
    for (const Expr *Source : Sources)
      if (const auto *Call = dyn_cast<CallExpr>(stripped(Source)); Call && Call->isCallToStdMove())
        if (const VarDecl *V = carried(Call))
          Facts.Variables[V].Stored = true;
  }

  /// A write to v[i], *v, v.f, this->f.
  void writeThrough(const Expr *Target, std::vector<const Expr *> Sources, const Expr *Whence) {
    const FieldDecl *Field = nullptr;
    if (const auto *Member = dyn_cast<MemberExpr>(Target)) {
      Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
      if (Field && isa<CXXThisExpr>(stripped(Member->getBase()))) {
        Facts.OwnFields[Field].push_back({Write::Whole, std::move(Sources), Under, Field, nullptr, Whence});
        return;
      }
    }
    // Where it is written decides what is found there.
    for (const Expr *E = stripped(Target); E;) {
      if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
        Sources.push_back(Subscript->getIdx());
        E = stripped(Subscript->getBase());
      } else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E); Operator && Operator->getNumArgs()) {
        Sources.insert(Sources.end(), Operator->arg_begin() + 1, Operator->arg_end());
        E = stripped(Operator->getArg(0));
      } else {
        break;
      }
    }
    if (const VarDecl *V = baseVariable(Target))
      write(V, {Write::Contents, std::move(Sources), Under, Field, nullptr, Whence});
  }

  void assign(const Expr *Target, std::vector<const Expr *> Sources, const CXXMethodDecl *By, const Expr *Whence) {
    keep(Sources);
    if (const auto *Reference = dyn_cast<DeclRefExpr>(stripped(Target))) {
      if (const auto *V = dyn_cast<VarDecl>(Reference->getDecl()))
        write(V, {Write::Resize, std::move(Sources), Under, nullptr, By, Whence});
    } else {
      writeThrough(stripped(Target), std::move(Sources), Whence);
    }
  }

  /// A call of a method that may change its object.
  void object(const Expr *Object, std::vector<const Expr *> Sources, const CXXMethodDecl *By, const Expr *Whence) {
    const auto *Reference = dyn_cast<DeclRefExpr>(stripped(Object));
    const VarDecl *V = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : baseVariable(Object);
    if (!V)
      return;
    bool Element = !Reference;
    write(V, {Element ? Write::Contents : Write::Resize, std::move(Sources), Under, nullptr, By, Whence});
  }

  /// An argument through which the callee may write.
  void argument(const std::vector<const Expr *> &All, unsigned Index, unsigned Position, const FunctionDecl *Callee,
                const Expr *Whence) {
    const Expr *Argument = All[Index];
    QualType Type =
        Callee && Position < Callee->getNumParams() ? Callee->getParamDecl(Position)->getType() : Argument->getType();
    keep(Argument);
    bool Indirect = Type->isPointerType() || Type->isReferenceType();
    if (!Indirect || Type->getPointeeType().isConstQualified() || Type->isRValueReferenceType())
      return;
    const VarDecl *V = baseVariable(Argument);
    if (!V)
      return;
    std::vector<const Expr *> Others;
    for (unsigned I = 0; I < All.size(); ++I)
      if (I != Index)
        Others.push_back(All[I]);
    const Expr *Plain = stripped(Argument);
    const auto *Address = dyn_cast<UnaryOperator>(Plain);
    // By reference or address the variable itself can change; a pointer by value only lets its target change.
    bool Itself = (isa<DeclRefExpr>(Plain) && Type->isReferenceType()) ||
                  (Address && Address->getOpcode() == UO_AddrOf && isa<DeclRefExpr>(stripped(Address->getSubExpr())));
    bool Scalar = V->getType()->isScalarType();
    write(V, {Itself && Scalar ? Write::Update : Write::Contents, std::move(Others), Under, nullptr, Callee, Whence});
  }

  FunctionFacts &Facts;
  Conditions Under;
  bool Nested = false;
};

FunctionFacts::FunctionFacts(const FunctionDecl &Function) {
  FactCollector Collector(*this);
  for (const ParmVarDecl *Parameter : Function.parameters())
    Variables[Parameter].Variable = Parameter;
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Function))
    for (const CXXCtorInitializer *Initializer : Constructor->inits())
      Collector.TraverseStmt(Initializer->getInit());
  if (Stmt *Body = Function.getBody())
    Collector.TraverseStmt(Body);
}

const VariableFacts *FunctionFacts::find(const VarDecl *Variable) const {
  auto At = Variables.find(Variable);
  return At == Variables.end() ? nullptr : &At->second;
}

} // namespace memshape::ast
