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

namespace {

constexpr unsigned MaxCallDepth = 24;
constexpr unsigned MaxActivations = 2; ///< of one function in a call chain: more say nothing new of its dependence
constexpr unsigned MaxNesting = 400;   ///< nodes of expressions under evaluation at once

/// True for one call of a rounding function: its value is an integer already.
bool isRounding(llvm::StringRef Text) {
  std::size_t At = Text.find('(');
  llvm::StringRef Name = Text.take_front(At == llvm::StringRef::npos ? 0 : At);
  if (!Name.starts_with("ceil") && !Name.starts_with("floor") && !Name.starts_with("round") &&
      !Name.starts_with("trunc") && !Name.starts_with("rint"))
    return false;
  int Open = 0;
  for (; At < Text.size(); ++At) {
    Open += (Text[At] == '(') - (Text[At] == ')');
    if (!Open)
      return At + 1 == Text.size();
  }
  return false;
}

} // namespace

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

std::optional<std::int64_t> UnitFacts::constant(const Expr &E) {
  auto [At, New] = Constants.try_emplace(&E);
  Expr::EvalResult Found;
  if (New && E.EvaluateAsInt(Found, Context, Expr::SE_NoSideEffects) && Found.Val.getInt().getSignificantBits() <= 64)
    At->second = Found.Val.getInt().getExtValue();
  return At->second;
}

MaybeFormula ShapeEvaluator::bytesOf(QualType Type) const {
  if (Type.isNull() || Type->isDependentType() || Type->isIncompleteType() || Type->isFunctionType())
    return std::nullopt;
  return ShapeExpression::constant(Context.getTypeSizeInChars(Type).getQuantity());
}

Value ShapeEvaluator::describe(const ParmVarDecl &Parameter, unsigned Index) {
  Value V;
  V.Text = Parameter.getNameAsString();
  QualType Type = Parameter.getType().getCanonicalType();
  if (Type->isIntegralOrEnumerationType() && !Type->isBooleanType()) {
    V.Depends = OnShape;
    if (!V.Text.empty())
      V.Number = ShapeExpression::symbol(V.Text, Index);
  } else if (Type->isBooleanType() || Type->isRealFloatingType()) {
    V.Depends = OnSetting;
  } else if (Type->isPointerType() || Type->isReferenceType()) {
    bool Object = Type->getPointeeType()->isRecordType();
    V.Root = &Parameter;
    V.Number = ShapeExpression();
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
  unsigned Index = 0;
  for (const ParmVarDecl *Parameter : Function.parameters()) {
    Result.Bound[Parameter] = describe(*Parameter, Index);
    ++Index;
  }
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
  if (E->isPRValue() && E->getType()->isIntegralOrEnumerationType())
    if (std::optional<std::int64_t> Constant = Unit.constant(*E))
      return Value::number(ShapeExpression::constant(*Constant), OnNothing);
  if (const auto *Cast = dyn_cast<CastExpr>(E))
    return evaluateCast(*Cast, In);
  if (const Expr *Inner = stripped(E); Inner != E)
    return evaluate(Inner, In);
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
    return evaluateReference(*Reference, In);
  if (const auto *Binary = dyn_cast<BinaryOperator>(E))
    return evaluateBinary(*Binary, In);
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return evaluateMember(*Member, In);
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return evaluateCall(*Call, In);
  if (const auto *Construction = dyn_cast<CXXConstructExpr>(E))
    return evaluateConstruction(*Construction, In);
  if (isa<CXXThisExpr>(E)) {
    for (Frame *F = &In; F; F = F->Lexical)
      if (!F->Lexical)
        return F->This;
    return In.This;
  }
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
    return evaluateSubscript(*Subscript, In);
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return evaluateUnary(*Unary, In);
  if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(E))
    return evaluateChoice(*Choice, In);
  if (const auto *New = dyn_cast<CXXNewExpr>(E))
    return evaluateNew(*New, In);
  if (const auto *Literal = dyn_cast<FloatingLiteral>(E)) {
    Value Result;
    llvm::SmallString<16> Digits;
    Literal->getValue().toString(Digits, 6);
    Result.Text = Digits.str().str();
    return Result;
  }
  if (isa<LambdaExpr>(E))
    return {};
  if (const auto *List = dyn_cast<InitListExpr>(E); List && List->getType()->isRecordType())
    return evaluateFields(*List, In);
  if (const auto *Size = dyn_cast<UnaryExprOrTypeTraitExpr>(E); Size && Size->getKind() == UETT_SizeOf)
    return evaluateSizeOf(*Size, In);
  return everything(*E, In);
}

Value ShapeEvaluator::evaluateSubscript(const ArraySubscriptExpr &E, Frame &In) {
  Value Base = evaluate(E.getBase(), In), Index = evaluate(E.getIdx(), In);
  Value Element;
  Element.Contents = Base.Contents;
  Element.Depends = Base.Contents | Index.Depends;
  Element.Root = Base.Root;
  Element.Number = std::nullopt;
  return Element;
}

Value ShapeEvaluator::evaluateUnary(const UnaryOperator &E, Frame &In) {
  Value Operand = evaluate(E.getSubExpr(), In);
  switch (E.getOpcode()) {
  case UO_Deref:
    Operand.Depends |= Operand.Contents;
    Operand.Number = std::nullopt;
    return Operand;
  case UO_AddrOf: {
    // The place of v[i] in v, so that a pointer to it still has an offset.
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(stripped(E.getSubExpr()))) {
      Value Base = evaluate(Subscript->getBase(), In), Index = evaluate(Subscript->getIdx(), In);
      Base.Number = add(Base.Number, Index.Number);
      Base.Depends |= Index.Depends;
      Base.Extents = std::nullopt;
      return Base;
    }
    Value Address = Operand;
    Address.Contents |= Operand.Depends;
    Address.Depends = OnNothing;
    Address.Number = Operand.Root ? MaybeFormula(ShapeExpression()) : std::nullopt;
    return Address;
  }
  case UO_Minus:
    Operand.Number = multiply(Operand.Number, ShapeExpression::constant(-1));
    Operand.Text = Operand.Text.empty() ? "" : "-" + Operand.Text;
    return Operand;
  case UO_Plus:
  case UO_Extension:
    return Operand;
  default:
    Operand.Number = std::nullopt;
    Operand.Text.clear();
    return Operand;
  }
}

/// One of two values; of two that are compared, the least or the greatest.
Value ShapeEvaluator::evaluateChoice(const AbstractConditionalOperator &E, Frame &In) {
  Value Condition = evaluate(E.getCond(), In);
  Value A = evaluate(E.getTrueExpr(), In), B = evaluate(E.getFalseExpr(), In);
  Value Result = merge(A, B);
  Result.Depends |= Condition.Depends;
  const auto *Compared = dyn_cast<BinaryOperator>(stripped(E.getCond()));
  if (!Result.Number && Compared && Compared->isRelationalOp() && A.Number && B.Number) {
    Value L = evaluate(Compared->getLHS(), In), R = evaluate(Compared->getRHS(), In);
    bool Less = Compared->getOpcode() == BO_LT || Compared->getOpcode() == BO_LE;
    if (L.Number == A.Number && R.Number == B.Number)
      Result.Number =
          Less ? ShapeExpression::minimum(*A.Number, *B.Number) : ShapeExpression::maximum(*A.Number, *B.Number);
    else if (L.Number == B.Number && R.Number == A.Number)
      Result.Number =
          Less ? ShapeExpression::maximum(*A.Number, *B.Number) : ShapeExpression::minimum(*A.Number, *B.Number);
  }
  return Result;
}

Value ShapeEvaluator::evaluateNew(const CXXNewExpr &E, Frame &In) {
  Value Result;
  if (E.isArray() && E.getArraySize() && *E.getArraySize()) {
    Value Count = evaluate(*E.getArraySize(), In);
    Result.Sizes = Count.Depends;
    if (Count.Number)
      Result.Extents = std::vector{*Count.Number};
  } else {
    Result.Extents = std::vector{ShapeExpression::constant(1)};
  }
  return Result;
}

/// A record with a value for each of its fields.
Value ShapeEvaluator::evaluateFields(const InitListExpr &E, Frame &In) {
  Value Result = everything(E, In);
  auto Fields = std::make_shared<std::map<const FieldDecl *, Value>>();
  const RecordDecl *Record = E.getType()->getAsRecordDecl();
  const auto *Class = dyn_cast<CXXRecordDecl>(Record);
  if (Record->isUnion() || (Class && Class->getNumBases()))
    return Result;
  unsigned Index = 0;
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isUnnamedBitField())
      continue;
    if (Index < E.getNumInits())
      (*Fields)[Field] = evaluate(E.getInit(Index), In);
    ++Index;
  }
  Result.Fields = Fields;
  return Result;
}

/// Of a type of variable length: any other size is a constant.
Value ShapeEvaluator::evaluateSizeOf(const UnaryExprOrTypeTraitExpr &E, Frame &In) {
  MaybeFormula Bytes = ShapeExpression::constant(1);
  unsigned On = OnNothing;
  QualType Type = E.getTypeOfArgument();
  while (const VariableArrayType *Array = Context.getAsVariableArrayType(Type)) {
    Value Extent = evaluate(Array->getSizeExpr(), In);
    Bytes = multiply(Bytes, Extent.Number);
    On |= Extent.Depends;
    Type = Array->getElementType();
  }
  return Value::number(multiply(Bytes, bytesOf(Type)), On);
}

/// An expression without a meaning of its own here: it depends on all that stands in it.
Value ShapeEvaluator::everything(const Stmt &E, Frame &In) {
  Value Result;
  for (const Stmt *Child : E.children())
    if (const auto *Part = dyn_cast_or_null<Expr>(Child)) {
      Value V = evaluate(Part, In);
      Result.Depends |= V.Depends;
      Result.Contents |= V.Contents | V.Depends;
    }
  return Result;
}

Value ShapeEvaluator::evaluateCast(const CastExpr &E, Frame &In) {
  Value V = evaluate(E.getSubExpr(), In);
  switch (E.getCastKind()) {
  case CK_FloatingToIntegral:
    V.Number = V.Text.empty() ? std::nullopt
                              : ShapeExpression::composed(isRounding(V.Text) ? V.Text : "trunc(" + V.Text + ")");
    V.Text.clear();
    return V;
  case CK_IntegralToFloating:
    V.Text = V.Number && !V.Number->mentionsLoops() ? V.Number->factorText() : "";
    V.Number = std::nullopt;
    return V;
  case CK_ArrayToPointerDecay:
    // An array holds what its pointer points to.
    V.Contents |= V.Depends;
    V.Depends = OnNothing;
    return V;
  default:
    return V;
  }
}

Value ShapeEvaluator::evaluateReference(const DeclRefExpr &E, Frame &In) {
  if (const auto *Binding = dyn_cast<BindingDecl>(E.getDecl()))
    return Binding->getBinding() ? evaluate(Binding->getBinding(), In) : Value::unknown();
  const auto *Variable = dyn_cast<VarDecl>(E.getDecl());
  return Variable ? variable(Variable, In) : Value();
}

Value ShapeEvaluator::evaluateBinary(const BinaryOperator &E, Frame &In) {
  if (E.getOpcode() == BO_Comma || E.getOpcode() == BO_Assign)
    return evaluate(E.getRHS(), In);
  Value A = evaluate(E.getLHS(), In), B = evaluate(E.getRHS(), In);
  Value Result;
  Result.Depends = A.Depends | B.Depends;
  Result.Contents = A.Contents | B.Contents;
  if (E.getType()->isPointerType()) {
    const Value &Pointer = E.getLHS()->getType()->isPointerType() ? A : B;
    Result.Root = Pointer.Root;
    Result.Contents = Pointer.Contents;
    Result.Number = E.getOpcode() == BO_Add ? add(A.Number, B.Number) : subtract(A.Number, B.Number);
    if (!Pointer.Root)
      Result.Number = std::nullopt;
    return Result;
  }
  if (E.getLHS()->getType()->isPointerType() && E.getOpcode() == BO_Sub) {
    if (A.Root && A.Root == B.Root)
      Result.Number = subtract(A.Number, B.Number);
    return Result;
  }
  bool Texts = !A.Text.empty() && !B.Text.empty() && E.getType()->isRealFloatingType();
  auto Both = [&](const char *Operator) {
    if (Texts)
      Result.Text = "(" + A.Text + Operator + B.Text + ")";
  };
  std::optional<std::int64_t> Shift = B.Number ? B.Number->asConstant() : std::nullopt;
  bool ShiftFits = Shift && *Shift >= 0 && *Shift < 62;
  switch (E.getOpcode()) {
  case BO_Add:
    Result.Number = add(A.Number, B.Number);
    Both(" + ");
    break;
  case BO_Sub:
    Result.Number = subtract(A.Number, B.Number);
    Both(" - ");
    break;
  case BO_Mul:
    Result.Number = multiply(A.Number, B.Number);
    if (Texts)
      Result.Text = A.Text + "*" + B.Text;
    break;
  case BO_Div:
    if (A.Number && B.Number && !A.Number->mentionsLoops() && !B.Number->mentionsLoops())
      Result.Number = ShapeExpression::quotient(*A.Number, *B.Number);
    // A product is no divisor without parentheses.
    if (B.Text.find('*') != std::string::npos)
      B.Text = "(" + B.Text + ")";
    Both("/");
    break;
  case BO_Rem:
    if (A.Number && B.Number && !A.Number->mentionsLoops() && !B.Number->mentionsLoops())
      Result.Number = ShapeExpression::composed("mod(" + A.Number->text() + ", " + B.Number->text() + ")");
    break;
  case BO_Shl:
    if (ShiftFits)
      Result.Number = multiply(A.Number, ShapeExpression::constant(std::int64_t(1) << *Shift));
    break;
  case BO_Shr:
    if (ShiftFits && A.Number && !A.Number->mentionsLoops())
      Result.Number = ShapeExpression::quotient(*A.Number, ShapeExpression::constant(std::int64_t(1) << *Shift));
    break;
  default:
    break;
  }
  return Result;
}

Value ShapeEvaluator::evaluateMember(const MemberExpr &E, Frame &In) {
  Value Object = evaluate(E.getBase(), In);
  const auto *Field = dyn_cast<FieldDecl>(E.getMemberDecl());
  if (Field && Object.Fields)
    if (auto At = Object.Fields->find(Field); At != Object.Fields->end())
      return At->second;
  Value Result;
  Result.Contents = Object.Contents;
  Result.Depends = Object.Contents | Object.Depends;
  Result.Root = Object.Root;
  if (Object.Sizes == OnShape && !Object.Text.empty() && E.getType()->isIntegerType()) {
    // A count inside an object that the caller made: the shape in another dress.
    Result.Depends = OnShape;
    Result.Number = ShapeExpression::composed(Object.Text + "." + E.getMemberDecl()->getNameAsString());
  }
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
            (V.Number ? V.Number->text() : "?") + "," + V.Text + "," +
            std::to_string(reinterpret_cast<std::uintptr_t>(V.Root));
    if (V.Extents)
      for (const ShapeExpression &Extent : *V.Extents)
        Text += ";" + Extent.text();
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

/// A loop's variable stands for another value in each call.
static bool mentionsLoops(const Value &V) {
  return (V.Number && V.Number->mentionsLoops()) ||
         (V.Extents && llvm::any_of(*V.Extents, [](const ShapeExpression &F) { return F.mentionsLoops(); })) ||
         (V.Fields && llvm::any_of(*V.Fields, [](const auto &Field) { return mentionsLoops(Field.second); }));
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
  if (Limited == Before && !mentionsLoops(Result))
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

Value ShapeEvaluator::evaluateCall(const CallExpr &Call, Frame &In) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee)
    return Value::unknown();
  if (std::optional<Value> Modelled = modelledCall(*this, Call, *Callee, In))
    return *Modelled;
  if (const FunctionDecl *Body = enterable(Callee)) {
    if (In.Depth < MaxCallDepth && activations(*Body, In) < MaxActivations) {
      Value This;
      std::vector<const Expr *> Arguments = callArguments(Call, In, This);
      Frame Inner = callFrame(*Body, Arguments, This, In);
      return resultOf(Inner);
    }
    ++Limited;
  }
  Value Result;
  const CallModel *Known = modelOf(*Callee, Call.getNumArgs());
  bool Texts = Known && Known->Value == CallModel::Number;
  std::string Text;
  for (const Expr *Argument : Call.arguments()) {
    Value V = evaluate(Argument, In);
    // Without a body any argument may be read through.
    Result.Depends |= V.Depends | V.Contents;
    Result.Contents |= V.Depends | V.Contents;
    if (V.Text.empty() && V.Number && !V.Number->mentionsLoops())
      V.Text = V.Number->text();
    Texts = Texts && !V.Text.empty();
    Text += (Text.empty() ? "" : ", ") + V.Text;
  }
  if (!Call.getNumArgs())
    Result.Depends = Result.Contents = OnUnknown;
  if (Texts && Text.size() < 100) {
    Result.Text = Callee->getName().str() + "(" + Text + ")";
    if (Call.getType()->isIntegerType())
      Result.Number = ShapeExpression::composed(Result.Text);
  }
  return Result;
}

} // namespace memshape::ast
