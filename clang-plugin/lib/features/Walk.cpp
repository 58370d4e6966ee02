// The statements of an operator and its callees.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "features/Walk.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace memshape::ast {

constexpr unsigned MaxFunctions = 2000; ///< walked calls of one operator
constexpr unsigned MaxDepth = 64;       ///< calls from the operator down
constexpr unsigned MaxInLibrary = 12;   ///< calls from a library's interface down

void Walk::run(const FunctionDecl &Operator) {
  Frame Top = Eval.operatorFrame(Operator);
  OnStack.insert(&Operator);
  ++Out.Functions;
  body(Top);
  outputs(Top);
  Out.Truncated |= Eval.exhausted();
}

std::string Walk::signature(const Frame &In) const {
  std::string Text = ast::signature(In, 1);
  if (Inside)
    Text += "@" + Inside->Where.File + ":" + std::to_string(Inside->Where.Line) + ":" +
            std::to_string(Inside->Where.Column);
  return Text;
}

/// Walks the function of In, called at Call.
void Walk::function(Frame &In, const Expr *Call, Frame *Caller) {
  if (OnStack.count(In.Function))
    return; // recursion: the sites are the same, their number is not known
  if (OnStack.size() >= MaxDepth || Out.Functions >= MaxFunctions || Eval.exhausted()) {
    Out.Truncated = true;
    return;
  }
  const SourceManager &Sources = Context.getSourceManager();
  llvm::SaveAndRestore KeepInside(Inside);
  bool Library = Sources.isInSystemHeader(In.Function->getLocation());
  bool Generated = In.Function->isImplicit() || In.Function->isDefaulted();
  if (!Inside && Call && Caller && (Library || Generated))
    Inside = Boundary{placeOf(Context, Call->getExprLoc()), functionName(*Caller), source(*Call),
                      Library ? displayName(*In.Function) : ""};

  llvm::SaveAndRestore Deeper(LibraryDepth, Inside ? LibraryDepth + 1 : 0);
  if (LibraryDepth > MaxInLibrary)
    return;

  std::string Key = signature(In);
  if (auto Known = Walked.find(Key); Known != Walked.end()) {
    for (auto [Index, Below] : Known->second) {
      AllocationRecord &Site = Out.Allocations[Index];
      Site.Chain = std::nullopt;
      Site.LoopDepth = std::max(Site.LoopDepth, LoopDepth + Below);
      Reached.push_back({Index, LoopDepth + Below});
    }
    if (!Known->second.empty())
      for (std::size_t Index : Open)
        Out.Controls[Index].GuardsAllocation = true;
    return;
  }

  ++Out.Functions;
  OnStack.insert(In.Function);
  std::vector<std::pair<std::size_t, unsigned>> Outer = std::move(Reached);
  Reached.clear();
  bool Named = Call && Caller && !KeepInside.get();
  if (Named)
    Chain.push_back({functionName(*Caller), placeOf(Context, Call->getExprLoc())});
  body(In);
  if (Named)
    Chain.pop_back();
  OnStack.erase(In.Function);
  auto &Memory = Walked[Key];
  for (auto [Index, Depth] : Reached)
    Memory.push_back({Index, Depth - std::min(Depth, LoopDepth)});
  Outer.insert(Outer.end(), Reached.begin(), Reached.end());
  Reached = std::move(Outer);
}

void Walk::body(Frame &In) {
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(In.Function))
    for (const CXXCtorInitializer *Initializer : Constructor->inits()) {
      const FieldDecl *Field = Initializer->getAnyMember();
      expression(Initializer->getInit(), In, Field ? Field->getNameAsString() : "", true);
    }
  statement(In.Function->getBody(), In);
  if (Inside)
    return;
  for (const auto &[Variable, Facts] : In.Facts->variables())
    if (Facts.Variable && !isa<ParmVarDecl>(Variable))
      intermediate(*Variable, In);
}

void Walk::statement(const Stmt *S, Frame &In) {
  if (!S)
    return;
  if (const auto *E = dyn_cast<Expr>(S))
    return expression(E, In);
  if (const auto *Compound = dyn_cast<CompoundStmt>(S)) {
    std::size_t OpenBefore = Open.size();
    llvm::SaveAndRestore KeepConditional(Conditional);
    for (const Stmt *Child : Compound->body()) {
      if (!Inside)
        ++Out.Statements;
      statement(Child, In);
      const Expr *Jump = Inside ? nullptr : jumpCondition(Child);
      if (!Jump)
        continue;
      // What follows runs only where the jump was not taken.
      if (auto At = Controls.find(controlKey("branch", *Child, In)); At != Controls.end())
        Open.push_back(At->second);
      Conditional |= (Eval.evaluate(Jump, In).Depends & OnData) != 0;
    }
    Open.resize(OpenBefore);
    return;
  }
  if (const auto *Declaration = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Declaration->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(D))
        declare(*Variable, In);
    return;
  }
  if (const auto *If = dyn_cast<IfStmt>(S)) {
    statement(If->getInit(), In);
    if (If->isConstexpr()) {
      if (std::optional<const Stmt *> Taken = If->getNondiscardedCase(Context))
        statement(*Taken, In);
      return;
    }
    if (const VarDecl *Variable = If->getConditionVariable())
      declare(*Variable, In);
    expression(If->getCond(), In);
    return control("branch", *If, If->getCond(), Eval.evaluate(If->getCond(), In).Depends, In,
                   {If->getThen(), If->getElse()});
  }
  if (const auto *For = dyn_cast<ForStmt>(S)) {
    statement(For->getInit(), In);
    return loop(*For, For->getCond(), {For->getCond(), For->getInc(), For->getBody()}, In);
  }
  if (const auto *While = dyn_cast<WhileStmt>(S)) {
    if (const VarDecl *Variable = While->getConditionVariable())
      declare(*Variable, In);
    return loop(*While, While->getCond(), {While->getCond(), While->getBody()}, In);
  }
  if (const auto *Do = dyn_cast<DoStmt>(S))
    return loop(*Do, Do->getCond(), {Do->getBody(), Do->getCond()}, In);
  if (const auto *Each = dyn_cast<CXXForRangeStmt>(S)) {
    statement(Each->getInit(), In);
    expression(Each->getRangeInit(), In);
    return control("loop", *Each, Each->getRangeInit(), Eval.evaluate(Each->getRangeInit(), In).Sizes, In,
                   {Each->getLoopVarStmt(), Each->getBody()});
  }
  if (const auto *Switch = dyn_cast<SwitchStmt>(S)) {
    statement(Switch->getInit(), In);
    expression(Switch->getCond(), In);
    return control("switch", *Switch, Switch->getCond(), Eval.evaluate(Switch->getCond(), In).Depends, In,
                   {Switch->getBody()});
  }
  if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    if (Return->getRetValue())
      expression(Return->getRetValue(), In, "", true);
    return earlyReturn(*Return, In);
  }
  for (const Stmt *Child : S->children())
    statement(Child, In);
}

void Walk::declare(const VarDecl &Variable, Frame &In) {
  if (const VariableArrayType *Array = Context.getAsVariableArrayType(Variable.getType())) {
    AllocationRecord Record = site(*Array->getSizeExpr(), In, Variable.getNameAsString(), "array",
                                   Context.getBaseElementType(Variable.getType()));
    if (!Inside)
      Record.Where = placeOf(Context, Variable.getLocation());
    Record.Size = source(*Array->getSizeExpr());
    Record.Space = "stack";
    Record.Depends = Eval.variable(&Variable, In).Sizes;
    emit(std::move(Record), In);
  }
  if (const Expr *Init = Variable.getInit())
    expression(Init, In, Variable.getNameAsString(), true);
}

void Walk::loop(const Stmt &S, const Expr *Condition, llvm::ArrayRef<const Stmt *> Parts, Frame &In) {
  unsigned Depends = Condition ? Eval.evaluate(Condition, In).Depends : OnNothing;
  for (const Stmt *Part : Parts)
    if (Part && !isa<Expr>(Part))
      Depends |= Eval.dependence(exitConditions(Part), In);
  control("loop", S, Condition, Depends, In, Parts);
}

std::string Walk::controlKey(const char *Kind, const Stmt &S, const Frame &In) const {
  Place Where = placeOf(Context, S.getBeginLoc());
  return std::string(Kind) + "@" + Where.File + ":" + std::to_string(Where.Line) + ":" + std::to_string(Where.Column) +
         "@" + functionName(In);
}

void Walk::control(const char *Kind, const Stmt &S, const Expr *Condition, unsigned Depends, Frame &In,
                   llvm::ArrayRef<const Stmt *> Parts) {
  llvm::SaveAndRestore KeepDepth(LoopDepth);
  llvm::SaveAndRestore KeepConditional(Conditional);
  if (!Inside) {
    Place Where = placeOf(Context, S.getBeginLoc());
    auto [At, New] = Controls.try_emplace(controlKey(Kind, S, In), Out.Controls.size());
    if (New) {
      ControlRecord Record;
      Record.Kind = Kind;
      Record.Where = Where;
      Record.Function = functionName(In);
      Record.Condition = Condition ? source(*Condition) : "";
      Out.Controls.push_back(std::move(Record));
    }
    Out.Controls[At->second].Depends |= Depends;
    Open.push_back(At->second);
  }
  if (llvm::StringRef(Kind) != "loop")
    Conditional = true;
  else if (!Inside)
    ++LoopDepth;
  for (const Stmt *Part : Parts)
    statement(Part, In);
  if (!Inside)
    Open.pop_back();
}

/// A return under a condition: what follows it depends on that condition.
void Walk::earlyReturn(const ReturnStmt &S, Frame &In) {
  if (Inside)
    return;
  for (const Return &R : In.Facts->returns()) {
    if (R.Under.empty() || R.Statement != &S)
      continue;
    Place Where = placeOf(Context, S.getBeginLoc());
    std::string Key = "return@" + Where.File + ":" + std::to_string(Where.Line) + ":" + std::to_string(Where.Column);
    auto [At, New] = Controls.try_emplace(Key, Out.Controls.size());
    if (New) {
      ControlRecord Record;
      Record.Kind = "return";
      Record.Where = Where;
      Record.Function = functionName(In);
      Record.Condition = source(*R.Under.back());
      Out.Controls.push_back(std::move(Record));
    }
    Out.Controls[At->second].Depends |= Eval.dependence(R.Under, In);
    return;
  }
}

} // namespace memshape::ast
