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

static const ClassTemplateSpecializationDecl *specialization(QualType Type) {
  return dyn_cast_or_null<ClassTemplateSpecializationDecl>(Type.getNonReferenceType()->getAsCXXRecordDecl());
}

static QualType typeArgument(const ClassTemplateSpecializationDecl &Class, unsigned Index) {
  const TemplateArgumentList &Arguments = Class.getTemplateArgs();
  if (Index < Arguments.size() && Arguments[Index].getKind() == TemplateArgument::Type)
    return Arguments[Index].getAsType();
  return {};
}

static int integerArgument(const ClassTemplateSpecializationDecl &Class, int At) {
  const TemplateArgumentList &Arguments = Class.getTemplateArgs();
  const auto Index = static_cast<unsigned>(At);
  if (At >= 0 && Index < Arguments.size() && Arguments[Index].getKind() == TemplateArgument::Integral)
    return static_cast<int>(Arguments[Index].getAsIntegral().getExtValue());
  return -1;
}

static bool isExpression(QualType Type) {
  const Interface *From = interfaceOf(Type.getNonReferenceType()->getAsCXXRecordDecl());
  return From && From->Expressions;
}

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
  const bool Inside = Result.Kind == Owner::Matrix && integerArgument(*Class, Model->FixedRows) >= 0 &&
                      integerArgument(*Class, Model->FixedColumns) >= 0; // a fixed size lies inside the object
  if (Inside || Result.Element.isNull())
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

static bool isInteger(const Expr *E) { return E->getType().getNonReferenceType()->isIntegralOrEnumerationType(); }

Value sizesOf(ShapeEvaluator &Eval, const Owner &Of, llvm::ArrayRef<const Expr *> Arguments, Frame &In) {
  Value Result;
  const bool Extents = Of.Kind == Owner::Matrix || Of.Kind == Owner::Tensor;
  if (!Arguments.empty() && isInteger(Arguments[0])) {
    if (!Extents)
      Arguments = Arguments.take_front(1); // a value for the elements may follow
    for (const Expr *Argument : Arguments.take_while(isInteger))
      Result.Sizes |= Eval.evaluate(Argument, In).Depends;
    return Result;
  }
  // The distance between two iterators or pointers, or as much as another object holds.
  const bool Range = Arguments.size() >= 2 && !Extents;
  Value From = Eval.evaluateAll(Arguments.take_front(Range ? 2 : 1), In);
  Result.Sizes = From.Sizes | (Range ? From.Depends : OnNothing);
  Result.Contents = From.Contents;
  return Result;
}

Value constructed(ShapeEvaluator &Eval, const Owner &Of, const CXXConstructExpr &E, Frame &In) {
  llvm::SmallVector<const Expr *, 4> Arguments;
  for (const Expr *Argument : E.arguments())
    if (!isa<CXXDefaultArgExpr>(Argument))
      Arguments.push_back(Argument);
  if (Arguments.empty())
    return {};
  const Expr *First = stripped(Arguments[0]);
  if (const auto *List = dyn_cast<CXXStdInitializerListExpr>(First->IgnoreUnlessSpelledInSource()))
    First = stripped(List->getSubExpr());
  Value Result = isa<InitListExpr, StringLiteral>(First) ? Value() : sizesOf(Eval, Of, Arguments, In);
  if (isInteger(Arguments[0]) || isa<InitListExpr>(First)) {
    const Value Elements = Eval.evaluateAll(llvm::ArrayRef<const Expr *>(Arguments).drop_front(), In);
    Result.Contents = Eval.evaluate(Arguments[0], In).Contents | Elements.Contents | Elements.Depends;
  }
  return Result;
}

static Value operatorValue(ShapeEvaluator &Eval, const CXXOperatorCallExpr &Call, Frame &In) {
  Value Result = Eval.evaluateAll(Call.arguments(), In);
  Result.Contents |= Result.Depends;
  const bool Lazy = isExpression(Call.getType());
  Result.Depends = Lazy ? unsigned(OnNothing) : Result.Contents;
  Result.Sizes = Lazy ? Result.Sizes : unsigned(OnNothing);
  return Result;
}

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

std::optional<Value> modelledCall(ShapeEvaluator &Eval, const CallExpr &Call, const FunctionDecl &Callee, Frame &In) {
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call))
    return modelledOperator(Eval, *Operator, In);
  if (modelledName(&Callee).empty() || !Callee.getIdentifier())
    return std::nullopt;
  Value Result;
  if (const CallModel *Known = modelOf(Callee, Call.getNumArgs())) {
    if (Known->HandsOn)
      return Eval.evaluate(Call.getArg(0), In);
    if (Known->Makes != Making::None && Known->Count == 0 && Call.getNumArgs() == 1) {
      Result.Sizes = Eval.evaluate(Call.getArg(0), In).Depends;
      return Result;
    }
  }
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
  if (!Method)
    return std::nullopt;
  Value Object = Member ? Eval.evaluate(Member->getImplicitObjectArgument(), In) : Value();
  for (const MethodModel *Rule : interfaceOf(Method)->methods(Callee.getName()))
    if (Member && Rule->Measures && Call.getNumArgs() >= Rule->Arguments) {
      Result.Depends = Object.Sizes;
      return Result;
    }
  Result = Eval.evaluateAll(Call.arguments(), In);
  Result.Contents |= Object.Contents;
  Result.Sizes |= Object.Sizes;
  if (isExpression(Call.getType())) {
    Result.Sizes |= Result.Depends;
  } else if (Call.getType()->isPointerType() || !Call.getType()->isScalarType()) {
    Result.Root = Object.Root;
  } else {
    Result.Depends |= Object.Contents;
  }
  return Result;
}

} // namespace memshape::ast
