// Writing down what the walk finds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "features/Walk.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace memshape::ast {

namespace {
constexpr std::size_t MaxWritten = 160; ///< characters of source text that a record keeps
}

/// The source of S on one line.
std::string Walk::source(const Stmt &S) const {
  const SourceManager &Sources = Context.getSourceManager();
  CharSourceRange Range = Sources.getExpansionRange(S.getSourceRange());
  llvm::StringRef Text = Lexer::getSourceText(Range, Sources, Context.getLangOpts());
  std::string Line;
  for (char C : Text) {
    bool Blank = C == ' ' || C == '\n' || C == '\t' || C == '\r';
    if (!Blank)
      Line += C;
    else if (!Line.empty() && Line.back() != ' ')
      Line += ' ';
    if (Line.size() >= MaxWritten)
      return Line + "...";
  }
  return Line;
}

std::string Walk::functionName(const Frame &In) const {
  const Frame *Named = &In;
  const auto *Method = dyn_cast<CXXMethodDecl>(In.Function);
  while (Named->Lexical && Method && Method->getParent()->isLambda()) {
    Named = Named->Lexical;
    Method = dyn_cast<CXXMethodDecl>(Named->Function);
  }
  return displayName(*Named->Function);
}

AllocationRecord Walk::site(const Expr &E, Frame &In, const std::string &Name, const char *Kind, QualType Element) {
  AllocationRecord Record;
  Record.Kind = Kind;
  Record.Element = Element.isNull() ? "" : Element.getAsString(Context.getPrintingPolicy());
  Record.ElementBytes = Eval.bytesOf(Element);
  if (Inside) {
    Record.Where = Inside->Where;
    Record.Function = Inside->Function;
    Record.Written = Inside->Written;
    Record.Library = Inside->Library;
  } else {
    Record.Where = placeOf(Context, E.getExprLoc());
    Record.Function = functionName(In);
    Record.Written = source(E);
    Record.Name = Name;
  }
  Record.LoopDepth = LoopDepth;
  Record.Conditional = Conditional;
  std::vector<CallStep> Steps(Chain.rbegin(), Chain.rend());
  Record.Chain = std::move(Steps);
  return Record;
}

void Walk::emit(AllocationRecord Record, Frame &In) {
  for (std::size_t Index : Open)
    Out.Controls[Index].GuardsAllocation = true;

  std::string Key = Record.Where.File + ":" + std::to_string(Record.Where.Line) + ":" +
                    std::to_string(Record.Where.Column) + Record.Kind + Record.Space.str() + Record.Function;
  auto [At, New] = Sites.try_emplace(Key, Out.Allocations.size());
  if (New) {
    Out.Allocations.push_back(std::move(Record));
  } else {
    AllocationRecord &Known = Out.Allocations[At->second];
    bool Same = Known.Chain && Record.Chain && Known.Chain->size() == Record.Chain->size();
    for (std::size_t I = 0; Same && I < Known.Chain->size(); ++I) {
      const CallStep &A = (*Known.Chain)[I], &B = (*Record.Chain)[I];
      Same = A.Function == B.Function && A.Where.Line == B.Where.Line && A.Where.Column == B.Where.Column;
    }
    if (!Same)
      Known.Chain = std::nullopt;
    Known.LoopDepth = std::max(Known.LoopDepth, LoopDepth);
    Known.Depends |= Record.Depends;
    Known.Conditional |= Record.Conditional;
  }
  Reached.push_back({At->second, LoopDepth});
  const AllocationRecord &Site = Out.Allocations[At->second];
  if (!Inside && !Site.Name.empty())
    for (const auto &[Variable, Facts] : In.Facts->variables())
      if (Facts.Variable && Variable->getNameAsString() == Site.Name && Variable->getType()->isPointerType())
        HeldBy[Variable] = At->second;
}

/// A local variable that holds memory: an owner, a variable-length array, or a pointer that received an allocation.
void Walk::intermediate(const VarDecl &Variable, Frame &In) {
  if (Variable.isStaticLocal() || Variable.isImplicit() || Variable.getType()->isReferenceType())
    return;
  const VariableFacts &Facts = *In.Facts->find(&Variable);
  IntermediateRecord Record;
  std::optional<Owner> Of = ownerOf(Context, Variable.getType());
  auto Held = HeldBy.find(&Variable);
  bool OnStackFrame = Context.getAsVariableArrayType(Variable.getType()) != nullptr;
  auto ElementIs = [&](QualType Type) { Record.Element = Type.getAsString(Context.getPrintingPolicy()); };
  if (Of || OnStackFrame) {
    ElementIs(Of ? Of->Element : Context.getBaseElementType(Variable.getType()));
    Record.Depends = Eval.variable(&Variable, In).Sizes;
    Record.DiesBeforeReturn = OnStackFrame || (!Facts.Returned && !Facts.Stored);
  } else if (Held != HeldBy.end()) {
    ElementIs(Variable.getType()->getPointeeType());
    Record.Depends = Out.Allocations[Held->second].Depends;
    if (Facts.Freed)
      Record.DiesBeforeReturn = true;
    else if (Facts.Returned || Facts.Stored)
      Record.DiesBeforeReturn = false;
  } else {
    return;
  }
  Record.Name = Variable.getNameAsString();
  Record.Where = placeOf(Context, Variable.getLocation());
  Record.Function = functionName(In);
  for (SourceLocation Use : Facts.Uses) {
    unsigned Line = placeOf(Context, Use).Line;
    Record.FirstUse = Record.FirstUse ? std::min(Record.FirstUse, Line) : Line;
    Record.LastUse = std::max(Record.LastUse, Line);
  }
  std::string Key = Record.Where.File + ":" + std::to_string(Record.Where.Line) + ":" +
                    std::to_string(Record.Where.Column) + Record.Function;
  if (Intermediates.try_emplace(Key, Out.Intermediates.size()).second)
    Out.Intermediates.push_back(std::move(Record));
}

/// What the operator gives back, and whether it works in place.
void Walk::outputs(Frame &In) {
  for (const ParmVarDecl *Parameter : In.Function->parameters())
    if (auto At = Tensors.find(Parameter); At != Tensors.end() && At->second.Written)
      Out.Outputs.push_back({Parameter->getNameAsString(), At->second.Read});
  const QualType Result = In.Function->getReturnType();
  const bool Scalar = Result->isArithmeticType();
  if (ownerOf(Context, Result) || Result->isPointerType()) {
    std::optional<Value> Returned;
    for (const Return &R : In.Facts->returns())
      if (R.Result) {
        Value V = Eval.evaluate(R.Result, In);
        Returned = Returned ? merge(*Returned, V) : V;
      }
    if (Returned && !Returned->Root)
      Out.Outputs.emplace_back();
  }
  if (Out.Outputs.size() > 1)
    Out.Pattern = "several_outputs";
  else if (Out.Outputs.size() == 1)
    Out.Pattern = Out.Outputs[0].AlsoRead ? "in_place" : "new_output";
  else
    Out.Pattern = Scalar ? "scalar" : "none";
}

} // namespace memshape::ast
