// Classes of libraries that own memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "features/LibraryModel.h"

#include "features/ShapeEvaluator.h"
#include "libraries/reader/Known.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace memshape::ast {

/// The name of the outermost namespace around a declaration; "" where it has none.
static llvm::StringRef outermostNamespace(const NamedDecl &Named) {
  const NamespaceDecl *Outermost = nullptr;
  for (const DeclContext *Scope = Named.getDeclContext(); Scope; Scope = Scope->getParent())
    if (const auto *Space = dyn_cast<NamespaceDecl>(Scope))
      Outermost = Space;
  return Outermost && Outermost->getIdentifier() ? Outermost->getName() : "";
}

/// The described library that a declaration belongs to; null for others.
static const Interface *interfaceOf(const Decl *Declaration) {
  const auto *Named = dyn_cast_or_null<NamedDecl>(Declaration);
  llvm::StringRef Space = Named ? outermostNamespace(*Named) : "";
  return Space.empty() ? nullptr : knownNamespace(Space);
}

std::string modelledName(const Decl *Declaration) {
  const auto *Named = dyn_cast_or_null<NamedDecl>(Declaration);
  if (!Named || !Named->getDeclName().isIdentifier() || !interfaceOf(Named))
    return "";
  return (outermostNamespace(*Named) + "::" + Named->getName()).str();
}

const TypeModel *modelOf(const CXXRecordDecl *Class) {
  std::string Name = modelledName(Class);
  return Name.empty() ? nullptr : knownType(Name);
}

const TypeModel *modelOf(QualType Type) {
  return Type.isNull() ? nullptr : modelOf(Type.getNonReferenceType()->getAsCXXRecordDecl());
}

const CallModel *modelOf(const FunctionDecl &Function, unsigned Arguments) {
  if (!Function.getIdentifier())
    return nullptr;
  const CallModel *Known = nullptr;
  if (std::string Name = modelledName(&Function); !Name.empty())
    Known = knownCall(Name);
  if (!Known)
    Known = knownCall(Function.getName());
  return Known && (Known->Arguments < 0 || unsigned(Known->Arguments) == Arguments) ? Known : nullptr;
}

bool makesObject(const FunctionDecl &Method) {
  const Interface *From = Method.getIdentifier() ? interfaceOf(&Method) : nullptr;
  return From && llvm::any_of(From->methods(Method.getName()),
                              [](const MethodModel *Rule) { return Rule->Makes == Making::Object; });
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

int integerArgument(const ClassTemplateSpecializationDecl &Class, int At) {
  const TemplateArgumentList &Arguments = Class.getTemplateArgs();
  const auto Index = static_cast<unsigned>(At);
  if (At >= 0 && Index < Arguments.size() && Arguments[Index].getKind() == TemplateArgument::Integral)
    return static_cast<int>(Arguments[Index].getAsIntegral().getExtValue());
  return -1;
}

bool isExpression(QualType Type) {
  const Interface *From = interfaceOf(Type.getNonReferenceType()->getAsCXXRecordDecl());
  return From && From->Expressions;
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
  const TypeModel *Model = modelOf(Class);
  if (Model && Model->Like >= 0)
    return ownerOf(Context, typeArgument(*Class, unsigned(Model->Like)));
  if (!Model || Model->Holds == Holding::None)
    return std::nullopt;
  Owner Result;
  Result.Kind = Model->Holds;
  Result.From = interfaceOf(Class);
  Result.Element = typeArgument(*Class, unsigned(Model->Element));
  if (Result.Kind == Owner::Matrix) {
    Result.Fixed[0] = integerArgument(*Class, Model->FixedRows);
    Result.Fixed[1] = integerArgument(*Class, Model->FixedColumns);
    if (Result.Fixed[0] >= 0 && Result.Fixed[1] >= 0)
      return std::nullopt; // a fixed size lies inside the object
  }
  if (Result.Element.isNull())
    return std::nullopt;
  return Result;
}

std::optional<Owner> viewedBy(const ASTContext &Context, QualType Type) {
  const ClassTemplateSpecializationDecl *Class = specialization(Type);
  const TypeModel *Model = modelOf(Class);
  if (!Model || Model->Views < 0)
    return std::nullopt;
  return ownerOf(Context, typeArgument(*Class, unsigned(Model->Views)));
}

bool isLazyProduct(QualType Type) {
  const ClassTemplateSpecializationDecl *Class = specialization(Type);
  const TypeModel *Model = modelOf(Class);
  return Model && Model->Temporary >= 0 && integerArgument(*Class, Model->Temporary) == Model->TemporaryValue;
}

Sizing sizingOf(const Owner &Of, const FunctionDecl &Method, unsigned Arguments) {
  OverloadedOperatorKind Operator = Method.getOverloadedOperator();
  if (Operator == OO_Equal)
    return Sizing::Sets;
  if (Of.Kind == Owner::Handle || !Of.From || !(Method.getIdentifier() || Operator))
    return Sizing::None;
  const std::string Name = Operator ? std::string("operator") + getOperatorSpelling(Operator) : Method.getName().str();
  for (const MethodModel *Rule : Of.From->methods(Name))
    if (Rule->Effect != Sizing::None && Arguments >= Rule->Arguments &&
        (!Rule->Holders || Rule->Holders >> unsigned(Of.Kind) & 1))
      return Rule->Effect;
  return Sizing::None;
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

/// One extent of the result of a method; nothing where it is not known.
MaybeFormula extentOf(const ExtentTerm &Term, ShapeEvaluator &Eval, llvm::ArrayRef<ShapeExpression> Integers,
                      const Value &Object, const CallExpr &Call, Frame &In) {
  const bool Known = Object.Extents && Object.Extents->size() == 2;
  switch (Term.Kind) {
  case ExtentTerm::Constant:
    return ShapeExpression::constant(Term.Number);
  case ExtentTerm::Integer:
    return Integers[static_cast<std::size_t>(Term.Number)];
  case ExtentTerm::Last:
    return Integers.back();
  case ExtentTerm::Rows:
    return Known ? MaybeFormula((*Object.Extents)[0]) : std::nullopt;
  case ExtentTerm::Columns:
    return Known ? MaybeFormula((*Object.Extents)[1]) : std::nullopt;
  case ExtentTerm::Shorter:
    return Known ? ShapeExpression::minimum((*Object.Extents)[0], (*Object.Extents)[1]) : std::nullopt;
  case ExtentTerm::RightColumns:
    break;
  }
  Value Right = Eval.evaluate(Call.getArg(0), In);
  return Right.Extents && Right.Extents->size() == 2 ? MaybeFormula((*Right.Extents)[1]) : std::nullopt;
}

/// Rows and columns of the result of a method, or of a function that makes an expression.
std::optional<std::vector<ShapeExpression>> expressionExtents(ShapeEvaluator &Eval, const CXXMethodDecl &Method,
                                                              const Value &Object, const CallExpr &Call,
                                                              QualType ObjectType, Frame &In) {
  const bool Static = !isa<CXXMemberCallExpr>(Call);
  llvm::SmallVector<ShapeExpression, 4> Integers;
  for (const Expr *Argument : Call.arguments())
    if (Argument->getType().getNonReferenceType()->isIntegralOrEnumerationType())
      if (MaybeFormula N = Eval.evaluate(Argument, In).Number)
        Integers.push_back(*N);
  for (const MethodModel *Rule : interfaceOf(&Method)->methods(Method.getName())) {
    if (Rule->Extents.empty() || Rule->Static != Static || Integers.size() < Rule->Integers ||
        Call.getNumArgs() < Rule->Arguments)
      continue;
    MaybeFormula First = extentOf(Rule->Extents[0], Eval, Integers, Object, Call, In);
    MaybeFormula Second = extentOf(Rule->Extents[1], Eval, Integers, Object, Call, In);
    return First && Second ? std::optional(std::vector{*First, *Second}) : std::nullopt;
  }
  if (Static || !Object.Extents || Object.Extents->size() != 2)
    return std::nullopt;
  const ShapeExpression One = ShapeExpression::constant(1);
  const ShapeExpression &Rows = (*Object.Extents)[0], &Columns = (*Object.Extents)[1];
  const ClassTemplateSpecializationDecl *Class = specialization(ObjectType);
  if (const TypeModel *Model = modelOf(Class); Model && Model->Reduces >= 0 && isExpression(Call.getType()))
    return integerArgument(*Class, Model->Reduces) == 1 ? std::vector{Rows, One} : std::vector{One, Columns};
  return std::vector{Rows, Columns};
}

/// The integer that a method returns.
MaybeFormula measureOf(Measure What, ShapeEvaluator &Eval, const Value &Object, const CallExpr &Call, Frame &In) {
  const bool Two = Object.Extents && Object.Extents->size() == 2;
  switch (What) {
  case Measure::None:
  case Measure::Unknown:
    return std::nullopt;
  case Measure::Count:
    return Object.count();
  case Measure::Rows:
    return Two ? MaybeFormula((*Object.Extents)[0]) : std::nullopt;
  case Measure::Columns:
    return Two ? MaybeFormula((*Object.Extents)[1]) : std::nullopt;
  case Measure::Dimension:
    break;
  }
  MaybeFormula Index = Call.getNumArgs() ? Eval.evaluate(Call.getArg(0), In).Number : std::nullopt;
  std::optional<std::int64_t> At = Index ? Index->asConstant() : std::nullopt;
  bool Known = At && Object.Extents && *At >= 0 && static_cast<std::size_t>(*At) < Object.Extents->size();
  return Known ? MaybeFormula((*Object.Extents)[static_cast<std::size_t>(*At)]) : std::nullopt;
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

static std::optional<Value> modelledOperator(ShapeEvaluator &Eval, const CXXOperatorCallExpr &Call, Frame &In) {
  // Operators have no identifier: ask for the class of the first operand.
  QualType Type = Call.getArg(0)->getType().getNonReferenceType();
  if (modelledName(Type->getAsCXXRecordDecl()).empty())
    return std::nullopt;
  OverloadedOperatorKind Kind = Call.getOperator();
  if (Kind != OO_Subscript && Kind != OO_Call && Kind != OO_Star && Kind != OO_Arrow)
    return operatorValue(Eval, Call, In);
  if (Kind == OO_Star && Call.getNumArgs() == 2)
    return operatorValue(Eval, Call, In);
  Value Element, Object = Eval.evaluate(Call.getArg(0), In);
  Element.Depends = Element.Contents = Object.Contents;
  for (unsigned I = 1; I < Call.getNumArgs(); ++I)
    Element.Depends |= Eval.evaluate(Call.getArg(I), In).Depends;
  Element.Root = Object.Root;
  return Element;
}

/// The value of calling a function of which a document says what it is.
static std::optional<Value> modelledFunction(ShapeEvaluator &Eval, const CallModel &Known, llvm::StringRef Name,
                                             const CallExpr &Call, Frame &In) {
  if (Known.Value == CallModel::Maximum || Known.Value == CallModel::Minimum) {
    Value A = Eval.evaluate(Call.getArg(0), In), B = Eval.evaluate(Call.getArg(1), In);
    Value Result = merge(A, B);
    Result.Number = std::nullopt;
    if (A.Number && B.Number)
      Result.Number = Known.Value == CallModel::Maximum ? ShapeExpression::maximum(*A.Number, *B.Number)
                                                        : ShapeExpression::minimum(*A.Number, *B.Number);
    Result.Text = A.Text.empty() || B.Text.empty() ? "" : Name.str() + "(" + A.Text + ", " + B.Text + ")";
    return Result;
  }
  if (Known.Value == CallModel::Argument)
    return Eval.evaluate(Call.getArg(0), In);
  if (Known.Makes != Making::None && Known.Count == 0 && Call.getNumArgs() == 1) {
    Value Size = Eval.evaluate(Call.getArg(0), In);
    return sized(Size.Number ? std::optional(std::vector{*Size.Number}) : std::nullopt, Size.Depends, OnNothing);
  }
  return std::nullopt;
}

std::optional<Value> modelledCall(ShapeEvaluator &Eval, const CallExpr &Call, const FunctionDecl &Callee, Frame &In) {
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call))
    return modelledOperator(Eval, *Operator, In);
  if (modelledName(&Callee).empty() || !Callee.getIdentifier())
    return std::nullopt;
  if (const CallModel *Known = modelOf(Callee, Call.getNumArgs()))
    if (std::optional<Value> Result = modelledFunction(Eval, *Known, Callee.getName(), Call, In))
      return Result;
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
  for (const MethodModel *Rule : interfaceOf(Method)->methods(Called))
    if (Member && Rule->Number != Measure::None && Call.getNumArgs() >= Rule->Arguments)
      return Extent(measureOf(Rule->Number, Eval, Object, Call, In));
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
    Result.Extents = expressionExtents(Eval, *Method, Object, Call, ObjectType, In);
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
