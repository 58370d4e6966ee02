//===- LibraryModel.cpp - Classes of libraries that own memory ------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "features/LibraryModel.h"

#include "features/ShapeEvaluator.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace memshape::ast {

std::string modelledName(const Decl *Declaration) {
  const auto *Named = dyn_cast_or_null<NamedDecl>(Declaration);
  if (!Named || !Named->getDeclName().isIdentifier())
    return "";
  const NamespaceDecl *Outermost = nullptr;
  for (const DeclContext *Scope = Named->getDeclContext(); Scope; Scope = Scope->getParent())
    if (const auto *Space = dyn_cast<NamespaceDecl>(Scope))
      Outermost = Space;
  if (!Outermost || !Outermost->getIdentifier() || (Outermost->getName() != "std" && Outermost->getName() != "Eigen"))
    return "";
  return (Outermost->getName() + "::" + Named->getName()).str();
}

namespace {

const ClassTemplateSpecializationDecl *specialization(QualType Type) {
  return dyn_cast_or_null<ClassTemplateSpecializationDecl>(Type.getNonReferenceType()->getAsCXXRecordDecl());
}

QualType typeArgument(const ClassTemplateSpecializationDecl &Class, unsigned Index) {
  const TemplateArgumentList &Arguments = Class.getTemplateArgs();
  if (Index < Arguments.size() && Arguments[Index].getKind() == TemplateArgument::Type)
    return Arguments[Index].getAsType();
  return {};
}

int integerArgument(const ClassTemplateSpecializationDecl &Class, unsigned Index) {
  const TemplateArgumentList &Arguments = Class.getTemplateArgs();
  if (Index < Arguments.size() && Arguments[Index].getKind() == TemplateArgument::Integral)
    return static_cast<int>(Arguments[Index].getAsIntegral().getExtValue());
  return -1;
}

bool isExpression(QualType Type) {
  return llvm::StringRef(modelledName(Type.getNonReferenceType()->getAsCXXRecordDecl())).starts_with("Eigen::");
}

Value sized(std::optional<std::vector<ShapeExpression>> Extents, unsigned Sizes, unsigned Contents) {
  Value V;
  V.Extents = std::move(Extents);
  V.Sizes = Sizes;
  V.Contents = Contents;
  return V;
}

/// Extents given as integer arguments, with what the type fixes in its place.
Value integerExtents(ShapeEvaluator &Eval, const Owner &Of, llvm::ArrayRef<const Expr *> Arguments, Frame &In) {
  std::vector<ShapeExpression> Extents;
  bool Known = true;
  Value Result;
  for (const Expr *Argument : Arguments) {
    if (!Argument->getType().getNonReferenceType()->isIntegralOrEnumerationType())
      break;
    Value V = Eval.evaluate(Argument, In);
    Result.Sizes |= V.Depends;
    if (V.Number)
      Extents.push_back(*V.Number);
    else
      Known = false;
    if (Of.Kind == Owner::Sequence || Of.Kind == Owner::Text)
      break;
  }
  if (!Known || Extents.empty())
    return Result;
  if (Of.Kind == Owner::Matrix) {
    if (Extents.size() == 1) {
      bool Row = Of.Fixed[0] == 1;
      Extents = Row ? std::vector{ShapeExpression::constant(1), Extents[0]}
                    : std::vector{Extents[0], ShapeExpression::constant(1)};
    }
    for (unsigned I = 0; I < 2 && Extents.size() == 2; ++I)
      if (Of.Fixed[I] >= 0)
        Extents[I] = ShapeExpression::constant(Of.Fixed[I]);
  }
  Result.Extents = std::move(Extents);
  return Result;
}

/// The distance between two iterators or pointers: all of one container, or `p, p + n`.
Value distance(ShapeEvaluator &Eval, const Expr *First, const Expr *Last, Frame &In) {
  const auto *Begin = dyn_cast<CXXMemberCallExpr>(stripped(First));
  const auto *End = dyn_cast<CXXMemberCallExpr>(stripped(Last));
  Value Result;
  if (Begin && End && Begin->getMethodDecl() && End->getMethodDecl() && Begin->getMethodDecl()->getIdentifier() &&
      Begin->getMethodDecl()->getName().ends_with("begin") && baseVariable(First) == baseVariable(Last)) {
    Value Whole = Eval.evaluate(Begin->getImplicitObjectArgument(), In);
    if (MaybeFormula Count = Whole.count())
      Result.Extents = std::vector{*Count};
    Result.Sizes = Whole.Sizes;
    Result.Contents = Whole.Contents;
    return Result;
  }
  Value A = Eval.evaluate(First, In), B = Eval.evaluate(Last, In);
  Result.Contents = A.Contents;
  Result.Sizes = A.Depends | B.Depends;
  if (A.Root && A.Root == B.Root)
    if (MaybeFormula Count = subtract(B.Number, A.Number))
      Result.Extents = std::vector{*Count};
  if (const auto *Sum = dyn_cast<BinaryOperator>(stripped(Last)); !Result.Extents && Sum &&
                                                                  Sum->getOpcode() == BO_Add && baseVariable(First) &&
                                                                  baseVariable(First) == baseVariable(Last)) {
    Value Count = Eval.evaluate(Sum->getRHS(), In);
    if (Count.Number)
      Result.Extents = std::vector{*Count.Number};
  }
  return Result;
}

} // namespace

std::optional<Owner> ownerOf(const ASTContext &Context, QualType Type) {
  if (Type.isNull() || Type->isPointerType())
    return std::nullopt;
  const ClassTemplateSpecializationDecl *Class = specialization(Type);
  if (!Class)
    return std::nullopt;
  std::string Name = modelledName(Class);
  static const llvm::StringMap<Owner::KindType> Kinds = {
      {"std::vector", Owner::Sequence},
      {"std::valarray", Owner::Sequence},
      {"std::deque", Owner::Sequence},
      {"std::basic_string", Owner::Text},
      {"std::list", Owner::Nodes},
      {"std::forward_list", Owner::Nodes},
      {"std::map", Owner::Nodes},
      {"std::multimap", Owner::Nodes},
      {"std::set", Owner::Nodes},
      {"std::multiset", Owner::Nodes},
      {"std::unordered_map", Owner::Nodes},
      {"std::unordered_multimap", Owner::Nodes},
      {"std::unordered_set", Owner::Nodes},
      {"std::unordered_multiset", Owner::Nodes},
      {"std::queue", Owner::Nodes},
      {"std::stack", Owner::Nodes},
      {"std::priority_queue", Owner::Nodes},
      {"std::unique_ptr", Owner::Handle},
      {"std::shared_ptr", Owner::Handle},
      {"Eigen::Matrix", Owner::Matrix},
      {"Eigen::Array", Owner::Matrix},
      {"Eigen::LLT", Owner::Matrix},
      {"Eigen::LDLT", Owner::Matrix},
      {"Eigen::SparseMatrix", Owner::Nodes},
      {"Eigen::SparseVector", Owner::Nodes},
      {"Eigen::Tensor", Owner::Tensor},
  };
  auto Kind = Kinds.find(Name);
  if (Kind == Kinds.end())
    return std::nullopt;
  Owner Result;
  Result.Kind = Kind->second;
  Result.Element = typeArgument(*Class, 0);
  if (Name == "Eigen::LLT" || Name == "Eigen::LDLT")
    return ownerOf(Context, Result.Element);
  if (Result.Kind == Owner::Matrix) {
    Result.Fixed[0] = integerArgument(*Class, 1);
    Result.Fixed[1] = integerArgument(*Class, 2);
    if (Result.Fixed[0] >= 0 && Result.Fixed[1] >= 0)
      return std::nullopt; // a fixed size lies inside the object
  }
  if (Result.Element.isNull())
    return std::nullopt;
  return Result;
}

std::optional<Owner> viewedBy(const ASTContext &Context, QualType Type) {
  const ClassTemplateSpecializationDecl *Class = specialization(Type);
  if (!Class || (modelledName(Class) != "Eigen::Map" && modelledName(Class) != "Eigen::TensorMap"))
    return std::nullopt;
  return ownerOf(Context, typeArgument(*Class, 0));
}

bool isLazyProduct(QualType Type) {
  const ClassTemplateSpecializationDecl *Class = specialization(Type);
  // The third argument is the option: 0 asks for evaluation into a temporary, 1 for coefficients on demand.
  return Class && modelledName(Class) == "Eigen::Product" && integerArgument(*Class, 2) == 0;
}

Sizing sizingOf(const Owner &Of, const FunctionDecl &Method, unsigned Arguments) {
  OverloadedOperatorKind Operator = Method.getOverloadedOperator();
  if (Operator == OO_Equal)
    return Sizing::Sets;
  if (Of.Kind == Owner::Text && Operator == OO_PlusEqual)
    return Sizing::Grows;
  if (Of.Kind == Owner::Nodes && Operator == OO_Subscript)
    return Sizing::Grows;
  if (!Method.getIdentifier() || Of.Kind == Owner::Handle)
    return Sizing::None;
  llvm::StringRef Name = Method.getName();
  if (Arguments && (Name == "resize" || Name == "assign" || Name == "conservativeResize"))
    return Sizing::Sets;
  if (Of.Kind == Owner::Matrix && Arguments >= 1 &&
      (Name == "setZero" || Name == "setOnes" || Name == "setRandom" || Name == "setIdentity"))
    return Sizing::Sets;
  if (Name == "swap")
    return Sizing::Sets;
  if (Name == "reserve" && Arguments)
    return Sizing::Reserves;
  static const llvm::StringSet<> Growing = {"push_back",    "emplace_back",     "push_front",   "emplace_front",
                                            "append",       "insert",           "emplace",      "try_emplace",
                                            "push",         "insert_or_assign", "insert_after", "emplace_after",
                                            "emplace_hint", "setFromTriplets",  "coeffRef"};
  bool Grows = Growing.contains(Name) && Of.Kind != Owner::Matrix && Of.Kind != Owner::Tensor;
  return Grows ? Sizing::Grows : Sizing::None;
}

Value constructedExtents(ShapeEvaluator &Eval, const Owner &Of, const CXXConstructExpr &E, Frame &In) {
  llvm::SmallVector<const Expr *, 4> Arguments;
  for (const Expr *Argument : E.arguments())
    if (!isa<CXXDefaultArgExpr>(Argument))
      Arguments.push_back(Argument);
  if (Arguments.empty())
    return sized(std::vector{ShapeExpression()}, OnNothing, OnNothing);
  const Expr *First = Arguments[0];
  unsigned Contents = OnNothing;
  for (const Expr *Argument : Arguments) {
    Value V = Eval.evaluate(Argument, In);
    Contents |= V.Contents | (Argument == First ? OnNothing : V.Depends);
  }
  if (First->getType().getNonReferenceType()->isIntegralOrEnumerationType()) {
    Value Result = integerExtents(Eval, Of, Arguments, In);
    Result.Contents = Contents;
    return Result;
  }
  if (const auto *List = dyn_cast<CXXStdInitializerListExpr>(stripped(First)->IgnoreUnlessSpelledInSource()))
    First = List->getSubExpr();
  if (const auto *List = dyn_cast<InitListExpr>(stripped(First)))
    return sized(std::vector{ShapeExpression::constant(List->getNumInits())}, OnNothing, Contents);
  if (const auto *Literal = dyn_cast<StringLiteral>(stripped(First)))
    return sized(std::vector{ShapeExpression::constant(Literal->getLength() + 1)}, OnNothing, OnNothing);
  if (Arguments.size() >= 2 && Of.Kind != Owner::Matrix && Of.Kind != Owner::Tensor) {
    Value Range = distance(Eval, Arguments[0], Arguments[1], In);
    Range.Contents |= Contents;
    return Range;
  }
  Value Copied = Eval.evaluate(First, In);
  Value Result = sized(Copied.Extents, Copied.Sizes, Copied.Contents);
  return Result;
}

Value methodExtents(ShapeEvaluator &Eval, const Owner &Of, llvm::StringRef Method,
                    llvm::ArrayRef<const Expr *> Arguments, Frame &In) {
  if (Arguments.empty())
    return {};
  if (Arguments[0]->getType().getNonReferenceType()->isIntegralOrEnumerationType())
    return integerExtents(Eval, Of, Arguments, In);
  if (Arguments.size() >= 2 && (Of.Kind == Owner::Sequence || Of.Kind == Owner::Text))
    return distance(Eval, Arguments[0], Arguments[1], In);
  Value Source = Eval.evaluate(Arguments[0], In);
  return sized(Source.Extents, Source.Sizes, Source.Contents);
}

MaybeFormula ownedBytes(const ShapeEvaluator &Eval, const Owner &Of, const Value &Held) {
  if (Of.Kind == Owner::Nodes || Of.Kind == Owner::Handle || Of.Kind == Owner::Text)
    return std::nullopt;
  if (Of.Element->isBooleanType() && Of.Kind == Owner::Sequence) // one bit each, in words of eight bytes
    if (MaybeFormula Count = Held.count()) {
      MaybeFormula Words = add(Count, ShapeExpression::constant(63));
      return multiply(Words ? ShapeExpression::quotient(*Words, ShapeExpression::constant(64)) : Words,
                      ShapeExpression::constant(8));
    }
  return multiply(Held.count(), Eval.bytesOf(Of.Element));
}

namespace {

/// Rows and columns of the result of a method of Eigen's expressions.
std::optional<std::vector<ShapeExpression>> expressionExtents(ShapeEvaluator &Eval, llvm::StringRef Name,
                                                              const Value &Object, const CallExpr &Call,
                                                              QualType ObjectType, Frame &In) {
  const ShapeExpression One = ShapeExpression::constant(1);
  std::vector<ShapeExpression> Numbers;
  for (const Expr *Argument : Call.arguments())
    if (Argument->getType().getNonReferenceType()->isIntegralOrEnumerationType())
      if (MaybeFormula N = Eval.evaluate(Argument, In).Number)
        Numbers.push_back(*N);
  bool Static = !isa<CXXMemberCallExpr>(Call);
  if (Static) { // Zero(r, c), Random(n), ...
    if (Numbers.size() >= 2 && Name != "LinSpaced")
      return std::vector{Numbers[0], Numbers[1]};
    if (!Numbers.empty())
      return std::vector{Numbers[0], One};
    return std::nullopt;
  }
  if (Name == "block" && Numbers.size() == 4)
    return std::vector{Numbers[2], Numbers[3]};
  if ((Name == "head" || Name == "tail") && Numbers.size() == 1)
    return std::vector{Numbers[0], One};
  if (Name == "segment" && Numbers.size() == 2)
    return std::vector{Numbers[1], One};
  if (!Object.Extents || Object.Extents->size() != 2)
    return std::nullopt;
  const ShapeExpression &Rows = (*Object.Extents)[0], &Columns = (*Object.Extents)[1];
  if (Name == "transpose" || Name == "adjoint")
    return std::vector{Columns, Rows};
  if (Name == "row")
    return std::vector{One, Columns};
  if (Name == "col")
    return std::vector{Rows, One};
  if ((Name == "topRows" || Name == "bottomRows" || Name == "middleRows") && !Numbers.empty())
    return std::vector{Numbers.back(), Columns};
  if ((Name == "leftCols" || Name == "rightCols" || Name == "middleCols") && !Numbers.empty())
    return std::vector{Rows, Numbers.back()};
  if (Name == "diagonal") {
    MaybeFormula Shorter = ShapeExpression::minimum(Rows, Columns);
    return Shorter ? std::optional(std::vector{*Shorter, One}) : std::nullopt;
  }
  if (Name == "solve" && Call.getNumArgs() == 1) {
    Value Right = Eval.evaluate(Call.getArg(0), In);
    return Right.Extents && Right.Extents->size() == 2 ? std::optional(std::vector{Columns, (*Right.Extents)[1]})
                                                       : std::nullopt;
  }
  // Reductions along one direction: VectorwiseOp<Expression, Direction>, 0 along columns, 1 along rows.
  if (const ClassTemplateSpecializationDecl *Class = specialization(ObjectType);
      Class && modelledName(Class) == "Eigen::VectorwiseOp" && isExpression(Call.getType()))
    return integerArgument(*Class, 1) == 1 ? std::vector{Rows, One} : std::vector{One, Columns};
  return std::vector{Rows, Columns};
}

Value operatorValue(ShapeEvaluator &Eval, const CXXOperatorCallExpr &Call, Frame &In) {
  Value Result;
  llvm::SmallVector<Value, 2> Operands;
  for (const Expr *Argument : Call.arguments()) {
    Operands.push_back(Eval.evaluate(Argument, In));
    const Value &V = Operands.back();
    Result.Contents |= V.Contents | V.Depends;
    Result.Sizes |= V.Sizes;
  }
  if (!isExpression(Call.getType())) {
    Result.Depends = Result.Contents;
    Result.Sizes = OnNothing;
    return Result;
  }
  if (Operands.size() == 2 && Call.getOperator() == OO_Star && Operands[0].Extents && Operands[1].Extents &&
      Operands[0].Extents->size() == 2 && Operands[1].Extents->size() == 2)
    Result.Extents = std::vector{(*Operands[0].Extents)[0], (*Operands[1].Extents)[1]};
  else
    for (const Value &V : Operands)
      if (V.Extents && !Result.Extents)
        Result.Extents = V.Extents;
  return Result;
}

} // namespace

std::optional<Value> modelledCall(ShapeEvaluator &Eval, const CallExpr &Call, const FunctionDecl &Callee, Frame &In) {
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call)) {
    // Operators have no identifier: ask for the class of the first operand.
    QualType Type = Call.getArg(0)->getType().getNonReferenceType();
    if (modelledName(Type->getAsCXXRecordDecl()).empty())
      return std::nullopt;
    OverloadedOperatorKind Kind = Operator->getOperator();
    if (Kind != OO_Subscript && Kind != OO_Call && Kind != OO_Star && Kind != OO_Arrow)
      return operatorValue(Eval, *Operator, In);
    if (Kind == OO_Star && Call.getNumArgs() == 2)
      return operatorValue(Eval, *Operator, In);
    Value Element, Object = Eval.evaluate(Call.getArg(0), In);
    Element.Depends = Element.Contents = Object.Contents;
    for (unsigned I = 1; I < Call.getNumArgs(); ++I)
      Element.Depends |= Eval.evaluate(Call.getArg(I), In).Depends;
    Element.Root = Object.Root;
    return Element;
  }
  std::string Name = modelledName(&Callee);
  if (Name.empty() || !Callee.getIdentifier())
    return std::nullopt;
  if ((Name == "std::max" || Name == "std::min") && Call.getNumArgs() == 2) {
    Value A = Eval.evaluate(Call.getArg(0), In), B = Eval.evaluate(Call.getArg(1), In);
    Value Result = merge(A, B);
    Result.Number = std::nullopt;
    if (A.Number && B.Number)
      Result.Number = Name == "std::max" ? ShapeExpression::maximum(*A.Number, *B.Number)
                                         : ShapeExpression::minimum(*A.Number, *B.Number);
    Result.Text = A.Text.empty() || B.Text.empty() ? "" : Name.substr(5) + "(" + A.Text + ", " + B.Text + ")";
    return Result;
  }
  if ((Name == "std::move" || Name == "std::forward") && Call.getNumArgs() == 1)
    return Eval.evaluate(Call.getArg(0), In);
  if ((Name == "std::make_unique" || Name == "std::make_shared") && Call.getNumArgs() == 1) {
    Value Size = Eval.evaluate(Call.getArg(0), In);
    return sized(Size.Number ? std::optional(std::vector{*Size.Number}) : std::nullopt, Size.Depends, OnNothing);
  }
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
  if (!Method)
    return std::nullopt;
  Value Object = Member ? Eval.evaluate(Member->getImplicitObjectArgument(), In) : Value();
  QualType ObjectType = Member ? Member->getImplicitObjectArgument()->getType() : QualType();
  llvm::StringRef Called = Callee.getName();
  auto Extent = [&](MaybeFormula F) {
    if (!F && !Object.Text.empty() && Object.Sizes == OnShape)
      F = ShapeExpression::composed(Object.Text + "." + Called.str() + "()");
    return Value::number(F, Object.Sizes);
  };
  if (Member && (Called == "size" || Called == "length" || Called == "empty"))
    return Extent(Called == "empty" ? std::nullopt : Object.count());
  if (Member && (Called == "rows" || Called == "cols")) {
    bool Two = Object.Extents && Object.Extents->size() == 2;
    return Extent(Two ? MaybeFormula((*Object.Extents)[Called == "cols"]) : std::nullopt);
  }
  if (Member && Called == "dimension" && Call.getNumArgs() == 1) {
    MaybeFormula Index = Eval.evaluate(Call.getArg(0), In).Number;
    std::optional<std::int64_t> At = Index ? Index->asConstant() : std::nullopt;
    bool Known = At && Object.Extents && *At >= 0 && static_cast<std::size_t>(*At) < Object.Extents->size();
    return Extent(Known ? MaybeFormula((*Object.Extents)[static_cast<std::size_t>(*At)]) : std::nullopt);
  }
  Value Result;
  Result.Contents = Object.Contents;
  Result.Sizes = Object.Sizes;
  for (const Expr *Argument : Call.arguments()) {
    Value V = Eval.evaluate(Argument, In);
    Result.Contents |= V.Contents;
    Result.Sizes |= V.Sizes;
    Result.Depends |= V.Depends;
  }
  if (isExpression(Call.getType())) {
    Result.Extents = expressionExtents(Eval, Called, Object, Call, ObjectType, In);
    Result.Sizes |= Result.Depends;
  } else if (Call.getType()->isPointerType() || !Call.getType()->isScalarType()) {
    Result.Extents = Object.Extents;
    Result.Root = Object.Root;
    Result.Number = Object.Root ? MaybeFormula(ShapeExpression()) : std::nullopt;
  } else {
    Result.Depends |= Object.Contents;
  }
  return Result;
}

} // namespace memshape::ast
