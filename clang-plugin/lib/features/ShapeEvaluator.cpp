// The value of an expression in a call chain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "features/ShapeEvaluator.h"

#include "features/LibraryModel.h"
#include "libraries/reader/Known.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace memshape::ast {

constexpr unsigned MaxCallDepth = 24;
constexpr unsigned MaxActivations = 2; ///< of one function in a call chain: more say nothing new of its dependence
constexpr unsigned MaxNesting = 400;   ///< nodes of expressions under evaluation at once

const FunctionDecl *enterable(const FunctionDecl *Function) {
  const FunctionDecl *Definition = nullptr;
  if (!Function || !Function->hasBody(Definition) || !Definition || Definition->isDependentContext())
    return nullptr;
  const DeclContext *Scope = Definition->getDeclContext();
  for (; Scope; Scope = Scope->getParent())
    if (const auto *Space = dyn_cast<NamespaceDecl>(Scope))
      if (Space->getDeclContext()->getRedeclContext()->isTranslationUnit() && Space->getIdentifier() &&
          isClosedNamespace(Space->getName()))
        return nullptr;
  return Definition;
}

const FunctionFacts &UnitFacts::of(const FunctionDecl &Function) {
  std::unique_ptr<FunctionFacts> &Slot = Bodies[&Function];
  if (!Slot)
    Slot = std::make_unique<FunctionFacts>(Function);
  return *Slot;
}

bool UnitFacts::isConstant(const Expr &E) {
  auto [At, New] = Constants.try_emplace(&E);
  Expr::EvalResult Found;
  if (New)
    At->second = E.EvaluateAsInt(Found, Context, Expr::SE_NoSideEffects);
  return At->second;
}

std::optional<std::int64_t> ShapeEvaluator::bytesOf(QualType Type) const {
  if (Type.isNull() || Type->isDependentType() || Type->isIncompleteType() || Type->isFunctionType())
    return std::nullopt;
  return Context.getTypeSizeInChars(Type).getQuantity();
}

/// What the operator's own parameter depends on.
static Value describe(const ParmVarDecl &Parameter) {
  Value V;
  QualType Type = Parameter.getType().getCanonicalType();
  if (Type->isIntegralOrEnumerationType() && !Type->isBooleanType()) {
    V.Depends = OnShape;
  } else if (Type->isBooleanType() || Type->isRealFloatingType()) {
    V.Depends = OnSetting;
  } else if (Type->isPointerType() || Type->isReferenceType()) {
    bool Object = Type->getPointeeType()->isRecordType();
    V.Root = &Parameter;
    V.Contents = OnData;
    V.Sizes = Object ? OnShape : OnNothing;
    if (Type->isReferenceType() && !Object)
      V.Depends = OnData;
  } else {
    V.Contents = OnData;
    V.Sizes = OnShape;
  }
  return V;
}

Frame ShapeEvaluator::operatorFrame(const FunctionDecl &Function) {
  Frame Result;
  Result.Function = &Function;
  Result.Facts = &factsOf(Function);
  Result.This = Value::unknown();
  for (const ParmVarDecl *Parameter : Function.parameters())
    Result.Bound[Parameter] = describe(*Parameter);
  return Result;
}

Frame ShapeEvaluator::callFrame(const FunctionDecl &Callee, llvm::ArrayRef<const Expr *> Arguments, const Value &This,
                                Frame &Caller) {
  Frame Result;
  Result.Function = &Callee;
  Result.Facts = &factsOf(Callee);
  Result.This = This;
  Result.Depth = Caller.Depth + 1;
  Result.Caller = &Caller;
  if (const auto *Method = dyn_cast<CXXMethodDecl>(&Callee); Method && Method->getParent()->isLambda())
    Result.Lexical = &Caller;
  for (unsigned I = 0; I < Callee.getNumParams(); ++I)
    Result.Bound[Callee.getParamDecl(I)] = I < Arguments.size() ? evaluate(Arguments[I], Caller) : Value::unknown();
  return Result;
}

std::vector<const Expr *> ShapeEvaluator::callArguments(const CallExpr &Call, Frame &In, Value &This) {
  std::vector<const Expr *> Arguments(Call.arg_begin(), Call.arg_end());
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call)) {
    This = evaluate(Member->getImplicitObjectArgument(), In);
  } else if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Call.getDirectCallee());
             isa<CXXOperatorCallExpr>(Call) && Method && Method->isInstance() && !Arguments.empty()) {
    This = evaluate(Arguments[0], In);
    Arguments.erase(Arguments.begin());
  }
  return Arguments;
}

unsigned ShapeEvaluator::dependence(const Conditions &All, Frame &In) {
  unsigned Result = OnNothing;
  for (const Expr *Condition : All) {
    // Each statement under a condition asks for it.
    const bool Allowed = affords(Condition);
    if (auto Known = In.Results.find(Condition); Allowed && Known != In.Results.end())
      Result |= Known->second.Depends;
    else
      Result |= (Allowed ? remembered(Condition, In) : Value::unknown()).Depends;
  }
  return Result;
}

Value ShapeEvaluator::evaluate(const Expr *E, Frame &In) {
  if (!affords(E))
    return Value::unknown();
  if (!isa<CallExpr, CXXConstructExpr, AbstractConditionalOperator>(E))
    return evaluateNode(E, In);
  return remembered(E, In);
}

/// Takes one step of the work that is allowed for the operator.
bool ShapeEvaluator::affords(const Expr *E) {
  if (!E)
    return false;
  if (Nesting > MaxNesting || !Steps) {
    ++Limited;
    return false;
  }
  --Steps;
  return true;
}

/// Evaluates what is asked for again and again: by each expression around it, or by each statement under it.
Value ShapeEvaluator::remembered(const Expr *E, Frame &In) {
  if (auto Known = In.Results.find(E); Known != In.Results.end())
    return Known->second;
  unsigned Before = Incomplete;
  Value Result = evaluateNode(E, In);
  if (Incomplete == Before)
    In.Results[E] = Result;
  return Result;
}

Value ShapeEvaluator::evaluateNode(const Expr *E, Frame &In) {
  llvm::SaveAndRestore Deeper(Nesting, Nesting + 1);
  E = E->IgnoreParens();
  if (E->isValueDependent() || E->isTypeDependent())
    return Value::unknown();
  if (E->isPRValue() && E->getType()->isIntegralOrEnumerationType() && Unit.isConstant(*E))
    return Value();
  if (const Expr *Inner = stripped(E); !isa<CastExpr>(E) && Inner != E)
    return evaluate(Inner, In);
  return Visit(E, In);
}

/// An expression without a meaning of its own here: it depends on all that stands in it.
Value ShapeEvaluator::VisitStmt(const Stmt *E, Frame &In) {
  Value Result;
  for (const Stmt *Child : E->children())
    if (const auto *Part = dyn_cast_or_null<Expr>(Child))
      Result.depend(evaluate(Part, In));
  Result.Contents |= Result.Depends;
  Result.Sizes = OnNothing;
  return Result;
}

Value ShapeEvaluator::VisitCXXThisExpr(const CXXThisExpr *, Frame &In) {
  const Frame *Outermost = &In;
  while (Outermost->Lexical)
    Outermost = Outermost->Lexical;
  return Outermost->This;
}

Value ShapeEvaluator::VisitArraySubscriptExpr(const ArraySubscriptExpr *E, Frame &In) {
  Value Base = evaluate(E->getBase(), In), Index = evaluate(E->getIdx(), In);
  Value Element;
  Element.Contents = Base.Contents;
  Element.Depends = Base.Contents | Index.Depends;
  Element.Root = Base.Root;
  return Element;
}

Value ShapeEvaluator::VisitUnaryDeref(const UnaryOperator *E, Frame &In) {
  Value Operand = VisitUnaryOperator(E, In);
  Operand.Depends |= Operand.Contents;
  return Operand;
}

Value ShapeEvaluator::VisitUnaryAddrOf(const UnaryOperator *E, Frame &In) {
  // A pointer into v, for v[i].
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(stripped(E->getSubExpr()))) {
    Value Base = evaluate(Subscript->getBase(), In), Index = evaluate(Subscript->getIdx(), In);
    Base.Depends |= Index.Depends;
    return Base;
  }
  Value Address = evaluate(E->getSubExpr(), In);
  Address.Contents |= Address.Depends;
  Address.Depends = OnNothing;
  return Address;
}

Value ShapeEvaluator::VisitBinaryOperator(const BinaryOperator *E, Frame &In) {
  if (E->isCommaOp() || E->getOpcode() == BO_Assign)
    return evaluate(E->getRHS(), In);
  Value A = evaluate(E->getLHS(), In), B = evaluate(E->getRHS(), In);
  Value Result;
  Result.Depends = A.Depends | B.Depends;
  Result.Contents = A.Contents | B.Contents;
  if (E->getType()->isPointerType()) {
    const Value &Pointer = E->getLHS()->getType()->isPointerType() ? A : B;
    Result.Root = Pointer.Root;
    Result.Contents = Pointer.Contents;
  }
  return Result;
}

Value ShapeEvaluator::VisitAbstractConditionalOperator(const AbstractConditionalOperator *E, Frame &In) {
  const unsigned Condition = evaluate(E->getCond(), In).Depends;
  Value Result = merge(evaluate(E->getTrueExpr(), In), evaluate(E->getFalseExpr(), In));
  Result.Depends |= Condition;
  return Result;
}

Value ShapeEvaluator::VisitCXXNewExpr(const CXXNewExpr *E, Frame &In) {
  Value Result;
  if (E->isArray() && E->getArraySize() && *E->getArraySize())
    Result.Sizes = evaluate(*E->getArraySize(), In).Depends;
  return Result;
}

/// Of a record: with a value for each of its fields.
Value ShapeEvaluator::VisitInitListExpr(const InitListExpr *E, Frame &In) {
  Value Result = VisitStmt(E, In);
  const RecordDecl *Record = E->getType()->getAsRecordDecl();
  const auto *Class = dyn_cast_or_null<CXXRecordDecl>(Record);
  if (!Record || Record->isUnion() || (Class && Class->getNumBases()))
    return Result;
  auto Fields = std::make_shared<std::map<const FieldDecl *, Value>>();
  unsigned Index = 0;
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isUnnamedBitField())
      continue;
    if (Index < E->getNumInits())
      (*Fields)[Field] = evaluate(E->getInit(Index), In);
    ++Index;
  }
  Result.Fields = Fields;
  return Result;
}

/// Of a type of variable length: any other size is a constant.
Value ShapeEvaluator::VisitUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *E, Frame &In) {
  Value Result;
  QualType Type = E->getKind() == UETT_SizeOf ? E->getTypeOfArgument() : QualType();
  while (const VariableArrayType *Array = Type.isNull() ? nullptr : Context.getAsVariableArrayType(Type)) {
    Result.Depends |= evaluate(Array->getSizeExpr(), In).Depends;
    Type = Array->getElementType();
  }
  return Result;
}

Value ShapeEvaluator::VisitCastExpr(const CastExpr *E, Frame &In) {
  Value V = evaluate(E->getSubExpr(), In);
  if (E->getCastKind() == CK_ArrayToPointerDecay) {
    // An array holds what its pointer points to.
    V.Contents |= V.Depends;
    V.Depends = OnNothing;
  }
  return V;
}

Value ShapeEvaluator::VisitDeclRefExpr(const DeclRefExpr *E, Frame &In) {
  if (const auto *Binding = dyn_cast<BindingDecl>(E->getDecl()))
    return Binding->getBinding() ? evaluate(Binding->getBinding(), In) : Value::unknown();
  const auto *Variable = dyn_cast<VarDecl>(E->getDecl());
  return Variable ? variable(Variable, In) : Value();
}

Value ShapeEvaluator::VisitMemberExpr(const MemberExpr *E, Frame &In) {
  Value Object = evaluate(E->getBase(), In);
  const auto *Field = dyn_cast<FieldDecl>(E->getMemberDecl());
  if (Field && Object.Fields)
    if (auto At = Object.Fields->find(Field); At != Object.Fields->end())
      return At->second;
  Value Result;
  Result.Contents = Object.Contents;
  Result.Depends = Object.Contents | Object.Depends;
  Result.Root = Object.Root;
  // A count inside an object that the caller made: the shape in another dress.
  if (Object.Sizes == OnShape && E->getType()->isIntegerType())
    Result.Depends = OnShape;
  return Result;
}

/// What the function of In returns.
Value ShapeEvaluator::returned(Frame &In) {
  std::optional<Value> Result;
  for (const Return &R : In.Facts->returns()) {
    if (!R.Result)
      continue;
    Value V = evaluate(R.Result, In);
    V.Depends |= dependence(R.Under, In);
    Result = Result ? merge(*Result, V) : V;
  }
  return Result.value_or(Value());
}

std::string signature(const Frame &Call, unsigned Levels) {
  std::string Text = std::to_string(reinterpret_cast<std::uintptr_t>(Call.Function));
  auto Add = [&](const Value &V, unsigned Left, auto &&Again) -> void {
    Text += "|" + std::to_string(V.Depends) + "," + std::to_string(V.Contents) + "," + std::to_string(V.Sizes) + "," +
            std::to_string(reinterpret_cast<std::uintptr_t>(V.Root));
    if (!V.Fields || !Left)
      return;
    Text += "{";
    for (const auto &[Field, Member] : *V.Fields) {
      Text += std::to_string(reinterpret_cast<std::uintptr_t>(Field));
      Again(Member, Left - 1, Again);
    }
    Text += "}";
  };
  Add(Call.This, Levels, Add);
  for (const ParmVarDecl *Parameter : Call.Function->parameters())
    if (auto At = Call.Bound.find(Parameter); At != Call.Bound.end())
      Add(At->second, Levels, Add);
  return Text;
}

/// What a call returns is told by its arguments alone.
Value ShapeEvaluator::resultOf(Frame &Call) {
  if (Call.Lexical)
    return returned(Call);
  std::string Key = signature(Call, ~0u);
  if (auto Known = Calls.find(Key); Known != Calls.end())
    return Known->second;
  const unsigned Before = Limited;
  Value Result = returned(Call);
  if (Limited == Before)
    Calls.emplace(std::move(Key), Result);
  return Result;
}

/// How often Function is being called already. A function that calls itself at several places would be entered
/// exponentially often otherwise: the calls' values are kept for each frame alone.
static unsigned activations(const FunctionDecl &Function, const Frame &In) {
  unsigned Result = 0;
  for (const Frame *F = &In; F; F = F->Caller)
    Result += F->Function == &Function;
  return Result;
}

Value ShapeEvaluator::VisitCallExpr(const CallExpr *Call, Frame &In) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee)
    return Value::unknown();
  if (std::optional<Value> Modelled = modelledCall(*this, *Call, *Callee, In))
    return *Modelled;
  if (const FunctionDecl *Body = enterable(Callee)) {
    if (In.Depth < MaxCallDepth && activations(*Body, In) < MaxActivations) {
      Value This;
      std::vector<const Expr *> Arguments = callArguments(*Call, In, This);
      Frame Inner = callFrame(*Body, Arguments, This, In);
      return resultOf(Inner);
    }
    ++Limited;
  }
  // Without a body any argument may be read through.
  Value Result = evaluateAll(Call->arguments(), In);
  Result.Depends = Result.Contents = Call->getNumArgs() ? Result.Depends | Result.Contents : unsigned(OnUnknown);
  Result.Sizes = OnNothing;
  return Result;
}

} // namespace memshape::ast
