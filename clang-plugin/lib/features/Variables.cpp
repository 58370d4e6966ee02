// The value of a variable, from its writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "features/LibraryModel.h"
#include "features/ShapeEvaluator.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <utility>

using namespace clang;

namespace memshape::ast {

Value ShapeEvaluator::variable(const VarDecl *Variable, Frame &In) {
  for (Frame *Scope = &In; Scope; Scope = Scope->Lexical) {
    const VariableFacts *Facts = Scope->Facts->find(Variable);
    if (!Facts || !Facts->Variable)
      continue;
    if (auto Known = Scope->Known.find(Variable); Known != Scope->Known.end())
      return Known->second;
    if (auto Open = Scope->Active.find(Variable); Open != Scope->Active.end()) {
      Lowest = std::min(Lowest, Open->second);
      ++Incomplete;
      return {};
    }
    if (auto Seen = Scope->Provisional.find(Variable); Seen != Scope->Provisional.end()) {
      ++Incomplete;
      return Seen->second;
    }
    // Cycles as in Tarjan's search: a variable that reaches an active one above itself is done only with that one.
    unsigned Depth = static_cast<unsigned>(Scope->Active.size()), Outer = std::exchange(Lowest, ~0u);
    Scope->Active[Variable] = Depth;
    unsigned Before = Incomplete;
    Value Result = local(*Facts, *Scope);
    Scope->Active.erase(Variable);
    if (Lowest >= Depth) {
      Incomplete = Before;
      Scope->Provisional.clear();
      Scope->Known[Variable] = Result;
      Lowest = Outer;
    } else {
      Scope->Provisional[Variable] = Result;
      Lowest = std::min(Lowest, Outer);
    }
    return Result;
  }
  // A global: a constant if it says so, otherwise something the operator's parameters do not decide.
  return Variable->getType().isConstQualified() && Variable->getAnyInitializer() ? Value() : Value::unknown();
}

Value ShapeEvaluator::local(const VariableFacts &Facts, Frame &In) {
  const VarDecl &Variable = *Facts.Variable;
  Value Result;
  bool Empty = false; // declared without a value: the first write gives it
  if (auto Argument = In.Bound.find(&Variable); Argument != In.Bound.end()) {
    Result = Argument->second;
  } else if (Facts.ElementOf) {
    Value Range = evaluate(Facts.ElementOf, In);
    Result.Depends = Result.Contents = Range.Contents;
    Result.Root = Range.Root;
  } else if (Variable.getInit()) {
    Result = evaluate(Variable.getInit(), In);
    const auto *Construction = dyn_cast<CXXConstructExpr>(stripped(Variable.getInit()));
    Empty = Construction && Construction->getNumArgs() == 0;
  } else {
    Empty = true;
  }
  for (QualType Type = Variable.getType(); const VariableArrayType *Array = Context.getAsVariableArrayType(Type);
       Type = Array->getElementType())
    Result.Sizes |= evaluate(Array->getSizeExpr(), In).Depends;
  if (Facts.CountedBy)
    if (std::optional<Value> Counted = counter(Facts, In))
      return *Counted;

  unsigned Values = Empty ? 0 : 1; // how many writes give the whole a value
  for (const Write &W : Facts.Writes)
    Values += W.Kind != Write::Contents;
  for (const Write &W : Facts.Writes)
    applyWrite(W, Facts, Empty && Values == 1 && W.Under.empty(), Result, In);
  return Result;
}

/// A loop's variable that the loop alone writes.
std::optional<Value> ShapeEvaluator::counter(const VariableFacts &Facts, Frame &In) {
  CountedLoop Counted;
  if (!isCounted(*Facts.CountedBy, Counted) || Facts.Writes.size() != 1)
    return std::nullopt;
  Value Result;
  Result.Depends = evaluate(Counted.Lower, In).Depends | evaluate(Counted.Upper, In).Depends;
  return Result;
}

void ShapeEvaluator::applyWrite(const Write &W, const VariableFacts &Facts, bool Sole, Value &Result, Frame &In) {
  unsigned On = dependence(W.Under, In);
  std::optional<Owner> Of = ownerOf(Context, Facts.Variable->getType());
  if (W.Kind == Write::Resize && Of && W.By) {
    Sizing Effect = sizingOf(*Of, *W.By, static_cast<unsigned>(W.Sources.size()));
    if (Effect == Sizing::Sets) {
      Value Size = sizesOf(*this, *Of, W.Sources, In);
      Result.Sizes |= Size.Sizes | On;
      Result.Contents |= Size.Contents;
      return;
    }
    if (Effect == Sizing::Grows)
      Result.Sizes |= On;
    Value Added = evaluateAll(W.Sources, In);
    Result.Contents |= Added.Depends | Added.Contents | On;
    return;
  }
  if (W.Kind == Write::Contents || W.Kind == Write::Resize) {
    Value Stored = evaluateAll(W.Sources, In);
    Result.Contents |= Stored.Depends | Stored.Contents | On;
    if (Of && W.By && mayResize(W, Facts))
      Result.Sizes |= On | Stored.Depends | Stored.Contents | Stored.Sizes;
    dropChangedFields(W, Result);
    return;
  }
  Value Written;
  for (const Expr *Source : W.Sources) {
    Value V = evaluate(Source, In);
    // Several sources are the arguments of a call that was given the variable's address: it may read through all of
    // them.
    if (W.By)
      V.Depends |= V.Contents;
    Written = W.Sources.size() == 1 ? V : merge(Written, V);
  }
  Result.Depends |= Written.Depends | On;
  Result.Contents |= Written.Contents;
  Result.Sizes |= Written.Sizes;
  const bool Alone = Sole && W.Kind == Write::Whole;
  if (Alone || (W.Kind == Write::Whole && Result.Root != Written.Root))
    Result.Root = Alone ? Written.Root : nullptr;
  if (!Alone)
    Result.Fields = nullptr;
}

/// True when the call of W is given the variable itself, an owner of memory, and may change its size.
bool ShapeEvaluator::mayResize(const Write &W, const VariableFacts &Of) {
  std::vector<const Expr *> Arguments;
  if (const auto *Call = dyn_cast<CallExpr>(W.Whence)) {
    Arguments.assign(Call->arg_begin(), Call->arg_end());
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call->getDirectCallee());
    if (isa<CXXOperatorCallExpr>(Call) && Method && Method->isInstance() && !Arguments.empty())
      Arguments.erase(Arguments.begin());
  } else if (const auto *Construction = dyn_cast<CXXConstructExpr>(W.Whence)) {
    Arguments.assign(Construction->arg_begin(), Construction->arg_end());
  }
  const FunctionDecl *Body = enterable(W.By);
  for (unsigned I = 0; I < Arguments.size(); ++I) {
    const auto *Reference = dyn_cast<DeclRefExpr>(stripped(Arguments[I]));
    if (!Reference || Reference->getDecl() != Of.Variable)
      continue;
    if (!Body || I >= Body->getNumParams())
      return true;
    const ParmVarDecl &Parameter = *Body->getParamDecl(I);
    std::optional<Owner> Owns = ownerOf(Context, Parameter.getType());
    const VariableFacts *Inside = factsOf(*Body).find(&Parameter);
    if (!Owns || !Inside)
      return true;
    for (const Write &Inner : Inside->Writes) {
      if (Inner.Kind == Write::Resize && Inner.By &&
          sizingOf(*Owns, *Inner.By, static_cast<unsigned>(Inner.Sources.size())) != Sizing::None)
        return true;
      if (Inner.Kind == Write::Contents && Inner.By)
        return true; // handed on
    }
  }
  return false;
}

/// After a write into an object, forgets the fields that it may have changed.
void ShapeEvaluator::dropChangedFields(const Write &W, Value &Result) {
  if (!Result.Fields)
    return;
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(W.By);
  const FunctionDecl *Body = enterable(W.By);
  if (W.Field || (Method && !isa<CXXConstructorDecl>(Method) && Body)) {
    auto Kept = std::make_shared<std::map<const FieldDecl *, Value>>(*Result.Fields);
    if (W.Field)
      Kept->erase(W.Field);
    else
      for (const auto &[Field, Writes] : factsOf(*Body).ownFields())
        Kept->erase(Field);
    Result.Fields = Kept;
    return;
  }
  if (!W.By) // an element of a member: the members' own values stay
    return;
  if (Body) { // passed by reference: kept if the callee writes no member of that parameter
    bool Untouched = true;
    for (const ParmVarDecl *Parameter : Body->parameters())
      if (const VariableFacts *Facts = factsOf(*Body).find(Parameter))
        for (const Write &Inner : Facts->Writes)
          Untouched =
              Untouched && !Inner.Field && (Inner.Kind == Write::Contents || !Parameter->getType()->isReferenceType());
    if (Untouched)
      return;
  }
  Result.Fields = nullptr;
}

std::shared_ptr<std::map<const FieldDecl *, Value>> ShapeEvaluator::fieldsOf(const CXXConstructorDecl &Constructor,
                                                                             Frame &Inner) {
  auto Fields = std::make_shared<std::map<const FieldDecl *, Value>>();
  Inner.This = {};
  for (const CXXCtorInitializer *Initializer : Constructor.inits()) {
    const FieldDecl *Field = Initializer->getAnyMember();
    if (!Field)
      continue;
    Inner.This.Fields = Fields; // members initialised before are visible to the next
    (*Fields)[Field] = evaluate(Initializer->getInit(), Inner);
  }
  for (const auto &[Field, Writes] : Inner.Facts->ownFields()) {
    bool Plain = Writes.size() == 1 && Writes[0].Sources.size() == 1 && Writes[0].Under.empty();
    Value V = Plain ? evaluate(Writes[0].Sources[0], Inner) : Value::unknown();
    (*Fields)[Field] = V;
  }
  return Fields;
}

Value ShapeEvaluator::VisitCXXConstructExpr(const CXXConstructExpr *E, Frame &In) {
  if (std::optional<Owner> Of = ownerOf(Context, E->getType()); Of && Of->Kind != Owner::Handle)
    return constructed(*this, *Of, *E, In);
  const CXXConstructorDecl *Constructor = E->getConstructor();
  if (Constructor->isCopyOrMoveConstructor() && E->getNumArgs() >= 1)
    return evaluate(E->getArg(0), In);
  // A handle or view of a described library shows what it was made from.
  const bool Described = !modelledName(E->getType()->getAsCXXRecordDecl()).empty();
  Value Result;
  for (const Expr *Argument : E->arguments()) {
    Value V = evaluate(Argument, In);
    Result.Contents |= V.Depends | V.Contents;
    Result.Sizes |= Described ? V.Sizes : unsigned(OnNothing);
    Result.Root = Result.Root || !Described ? Result.Root : V.Root;
  }
  if (std::optional<Owner> Viewed = viewedBy(Context, E->getType()); Viewed && E->getNumArgs()) {
    std::vector<const Expr *> Sizes(E->arg_begin() + 1, E->arg_end());
    Result.Sizes |= sizesOf(*this, *Viewed, Sizes, In).Sizes;
    Result.Contents = evaluate(E->getArg(0), In).Contents;
    return Result;
  }
  constexpr unsigned MaxConstructorDepth = 16;
  const auto *Body = dyn_cast_or_null<CXXConstructorDecl>(enterable(Constructor));
  if (Body && In.Depth >= MaxConstructorDepth) {
    ++Limited;
  } else if (Body) {
    std::vector<const Expr *> Arguments(E->arg_begin(), E->arg_end());
    Frame Inner = callFrame(*Body, Arguments, {}, In);
    Result.Fields = fieldsOf(*Body, Inner);
  }
  return Result;
}

} // namespace memshape::ast
