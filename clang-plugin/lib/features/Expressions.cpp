// Calls, constructions and stores.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "features/Walk.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace memshape::ast {

void Walk::children(const Stmt &S, Frame &In) {
  for (const Stmt *Child : S.children())
    if (Child)
      statement(Child, In);
}

/// A product inside a larger expression is computed into an object of its own first.
void Walk::lazyProduct(const CallExpr &E, Frame &In, const std::string &Name) {
  const auto *Class = cast<ClassTemplateSpecializationDecl>(E.getType()->getAsCXXRecordDecl());
  QualType Factor = Class->getTemplateArgs()[0].getAsType();
  std::optional<Owner> Of;
  // The scalar of the first factor that is an object; expressions of objects have it as their first argument.
  for (int Level = 0; Level < 8 && !Of; ++Level) {
    Of = ownerOf(Context, Factor);
    const auto *Inner =
        dyn_cast_or_null<ClassTemplateSpecializationDecl>(Factor.getNonReferenceType()->getAsCXXRecordDecl());
    if (Of || !Inner)
      break;
    for (const TemplateArgument &Argument : Inner->getTemplateArgs().asArray())
      if (Argument.getKind() == TemplateArgument::Type && Argument.getAsType()->isRecordType()) {
        Factor = Argument.getAsType();
        break;
      }
  }
  AllocationRecord Record = site(E, In, Name, "temporary", Of ? Of->Element : QualType());
  Record.Depends = Eval.evaluate(&E, In).Sizes;
  emit(std::move(Record), In);
}

void Walk::expression(const Expr *E, Frame &In, const std::string &Name, bool Direct) {
  if (!E || E->isTypeDependent())
    return;
  if (isa<LambdaExpr, CXXThrowExpr, UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr, OpaqueValueExpr>(E))
    return; // not evaluated here, or not on the way to a return
  if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(E))
    return expression(Default->getExpr(), In, Name, Direct);
  if (isa<ParenExpr, FullExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr, CXXFunctionalCastExpr>(E) ||
      isa<CastExpr>(E)) {
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E); Cast && Cast->getCastKind() == CK_LValueToRValue) {
      const Expr *Place = stripped(Cast->getSubExpr());
      bool Loads = !isa<DeclRefExpr>(Place) || Place->getType()->isReferenceType();
      if (const ParmVarDecl *Root = Loads ? Eval.evaluate(Place, In).Root : nullptr)
        read(Root);
    }
    for (const Stmt *Child : E->children())
      if (const auto *Inner = dyn_cast_or_null<Expr>(Child))
        expression(Inner, In, Name, Direct);
    return;
  }
  if (const auto *New = dyn_cast<CXXNewExpr>(E))
    return newExpression(*New, In, Name);
  if (const auto *Construction = dyn_cast<CXXConstructExpr>(E))
    return construction(*Construction, In, Name, Direct);
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    if (!Direct && isLazyProduct(E->getType()))
      lazyProduct(*Call, In, Name);
    return call(*Call, In, Name);
  }
  if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(E)) {
    expression(Choice->getCond(), In);
    return control("branch", *Choice, Choice->getCond(), Eval.evaluate(Choice->getCond(), In).Depends, In,
                   {Choice->getTrueExpr(), Choice->getFalseExpr()});
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(E); Binary && Binary->isAssignmentOp()) {
    const VarDecl *Target = baseVariable(Binary->getLHS());
    bool Plain = isa<DeclRefExpr>(stripped(Binary->getLHS()));
    if (!Plain)
      children(*stripped(Binary->getLHS()), In);
    expression(Binary->getRHS(), In, Target ? Target->getNameAsString() : "", true);
    if (Binary->isCompoundAssignmentOp())
      if (const ParmVarDecl *Root = Plain ? nullptr : Eval.evaluate(Binary->getLHS(), In).Root)
        read(Root);
    return store(*Binary->getLHS(), In);
  }
  if (const auto *Unary = dyn_cast<UnaryOperator>(E); Unary && Unary->isIncrementDecrementOp())
    if (!isa<DeclRefExpr>(stripped(Unary->getSubExpr())))
      store(*Unary->getSubExpr(), In);
  children(*E, In);
}

/// Notes a write to an operator's tensor.
void Walk::store(const Expr &Target, Frame &In) {
  const Expr *Place = stripped(&Target);
  const auto *Unary = dyn_cast<UnaryOperator>(Place);
  const auto *Reference = dyn_cast<DeclRefExpr>(Place);
  if ((Unary && Unary->getOpcode() == UO_Deref) || (Reference && Reference->getDecl()->getType()->isReferenceType()) ||
      isa<ArraySubscriptExpr, MemberExpr, CXXOperatorCallExpr, CXXMemberCallExpr>(Place))
    if (const ParmVarDecl *Root = Eval.evaluate(Place, In).Root)
      Tensors[Root].Written = true;
}

/// Notes a read of an operator's tensor; what it wrote itself before is not its input.
void Walk::read(const ParmVarDecl *Root) {
  Output &From = Tensors[Root];
  From.Read |= !From.Written;
}

void Walk::unknown(const std::string &Function, const Expr &E, const char *Why) {
  if (Inside)
    return;
  Place Where = placeOf(Context, E.getExprLoc());
  for (const UnknownRecord &Known : Out.Unknown)
    if (Known.Function == Function && Known.Where.Line == Where.Line && Known.Where.File == Where.File)
      return;
  Out.Unknown.push_back({Function, Where, Why});
}

/// A function that Known says makes an object, or an array of them.
void Walk::madeObject(const CallExpr &E, const FunctionDecl &Callee, const CallModel &Known, Frame &In,
                      const std::string &Name) {
  QualType Element;
  if (const auto *Template = Callee.getTemplateSpecializationArgs(); Template && Template->size())
    if (Template->get(0).getKind() == TemplateArgument::Type)
      Element = Template->get(0).getAsType();
  const bool Array = !Element.isNull() && Element->isArrayType();
  AllocationRecord Record =
      site(E, In, Name, Array ? "array" : "object", Array ? Context.getBaseElementType(Element) : Element);
  if (Array && Known.Count >= 0 && static_cast<unsigned>(Known.Count) < E.getNumArgs()) {
    const Expr *Given = E.getArg(static_cast<unsigned>(Known.Count));
    Record.Depends = Eval.evaluate(Given, In).Depends;
    Record.Size = source(*Given);
  }
  emit(std::move(Record), In);
}

void Walk::call(const CallExpr &E, Frame &In, const std::string &Name) {
  const FunctionDecl *Callee = E.getDirectCallee();
  if (!Callee) {
    unknown(source(*E.getCallee()), E, "called through a pointer");
    return children(E, In);
  }
  std::vector<const Expr *> Arguments(E.arg_begin(), E.arg_end());
  const Expr *Object = nullptr;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&E)) {
    Object = Member->getImplicitObjectArgument();
  } else if (const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
             isa<CXXOperatorCallExpr>(E) && Method && Method->isInstance()) {
    Object = Arguments[0];
    Arguments.erase(Arguments.begin());
  }

  bool NoAlias = false, Constructs = false;
  if (Object) {
    if (std::optional<Owner> Of = ownerOf(Context, Object->getType())) {
      methodOfOwner(E, *Of, *Object, *Callee, Arguments, In);
      // Assigning a product computes it aside first, in case the target is one of its factors.
      Constructs = Callee->getOverloadedOperator() == OO_Equal && Arguments.size() == 1 &&
                   !isLazyProduct(Arguments[0]->getType());
    }
    const TypeModel *Class = modelOf(Object->getType());
    NoAlias = Class && Class->Direct;
  }
  const auto *AsOperator = dyn_cast<CXXOperatorCallExpr>(&E);
  if (Object && AsOperator && AsOperator->isAssignmentOp() && !ownerOf(Context, Object->getType()))
    if (Value Held = Eval.evaluate(Object, In); Held.Root) {
      if (AsOperator->getOperator() != OO_Equal)
        read(Held.Root);
      Tensors[Held.Root].Written = true; // through a view
    }
  if (std::optional<Allocator> By = allocatorOf(*Callee)) {
    allocatorCall(E, *By, In, Name);
  } else if (const CallModel *Known = modelOf(*Callee, E.getNumArgs()); Known && Known->Makes != Making::None) {
    madeObject(E, *Callee, *Known, In, Name);
  } else if (Object && makesObject(*Callee)) {
    if (std::optional<Owner> Of = ownerOf(Context, E.getType())) {
      AllocationRecord Record = site(E, In, Name, "temporary", Of->Element);
      Record.Depends = Eval.evaluate(&E, In).Sizes;
      emit(std::move(Record), In);
    }
  }

  if (Object)
    expression(Object, In);
  for (const Expr *Argument : Arguments)
    expression(Argument, In, "", NoAlias || Constructs);

  const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
  if (const FunctionDecl *Body = enterable(Callee)) {
    Value This;
    std::vector<const Expr *> Bound = Eval.callArguments(E, In, This);
    Frame Inner = Eval.callFrame(*Body, Bound, This, In);
    function(Inner, &E, &In);
    return;
  }
  if (Method && Method->isVirtual() && Method->isPureVirtual())
    unknown(displayName(*Callee), E, "chosen at run time");
  else if (!Callee->getBuiltinID() && !Callee->hasBody() &&
           !Context.getSourceManager().isInSystemHeader(Callee->getLocation()) && !allocatorOf(*Callee))
    unknown(displayName(*Callee), E, "defined elsewhere");
  libraryArguments(E, *Callee, In);
}

/// Tensors that a function without a body here reads and writes, and function objects that it will call.
void Walk::libraryArguments(const CallExpr &E, const FunctionDecl &Callee, Frame &In) {
  const CallModel *Known = modelOf(Callee, E.getNumArgs());
  for (unsigned I = 0; I < E.getNumArgs(); ++I) {
    const Expr *Argument = E.getArg(I);
    if (const auto *Lambda = dyn_cast<LambdaExpr>(stripped(Argument))) {
      if (const FunctionDecl *Body = enterable(Lambda->getCallOperator())) {
        Frame Inner = Eval.callFrame(*Body, {}, {}, In);
        function(Inner, Argument, &In);
      }
      continue;
    }
    QualType Type = I < Callee.getNumParams() ? Callee.getParamDecl(I)->getType() : Argument->getType();
    if (!Type->isPointerType() && !Type->isReferenceType())
      continue;
    Value V = Eval.evaluate(Argument, In);
    if (!V.Root)
      continue;
    if (Type->getPointeeType().isConstQualified()) {
      read(V.Root);
      continue;
    }
    Tensors[V.Root].Written = true;
  }
  if (Known && Known->Fills >= 0)
    if (Value Target = Eval.evaluate(E.getArg(static_cast<unsigned>(Known->Fills)), In); Target.Root)
      Tensors[Target.Root].Written = true;
}

void Walk::allocatorCall(const CallExpr &E, const Allocator &By, Frame &In, const std::string &Name) {
  AllocationRecord Record = site(E, In, Name, "raw");
  Record.Space = By.Space;
  for (int Index : By.Arguments) {
    if (Index < 0 || static_cast<unsigned>(Index) >= E.getNumArgs())
      continue;
    const Expr *Argument = E.getArg(static_cast<unsigned>(Index));
    Record.Depends |= Eval.evaluate(Argument, In).Depends;
    Record.Size += (Record.Size.empty() ? "" : " * ") + source(*Argument);
  }
  if (!By.SizeKnown)
    Record.Depends |= OnUnknown;
  Record.Growth = By.Reallocates;
  // The pointer is the result, or is stored where the first argument points: cudaMalloc(&p, n), posix_memalign(&p,
  // ...).
  QualType Result = E.getType();
  if (!Result->isPointerType() && E.getNumArgs())
    if (const VarDecl *Holder = baseVariable(E.getArg(0)))
      Record.Name = Holder->getNameAsString();
  emit(std::move(Record), In);
}

void Walk::newExpression(const CXXNewExpr &E, Frame &In, const std::string &Name) {
  const FunctionDecl *By = E.getOperatorNew();
  bool Placed = By && By->isReservedGlobalPlacementOperator();
  if (!Placed) {
    AllocationRecord Record = site(E, In, Name, E.isArray() ? "array" : "object", E.getAllocatedType());
    if (E.isArray() && E.getArraySize() && *E.getArraySize()) {
      Record.Depends = Eval.evaluate(*E.getArraySize(), In).Depends;
      Record.Size = source(**E.getArraySize());
    }
    emit(std::move(Record), In);
  }
  for (unsigned I = 0; I < E.getNumPlacementArgs(); ++I)
    expression(E.getPlacementArg(I), In);
  if (E.isArray() && E.getArraySize() && *E.getArraySize())
    expression(*E.getArraySize(), In);
  if (E.getInitializer())
    expression(E.getInitializer(), In, "", true);
}

void Walk::construction(const CXXConstructExpr &E, Frame &In, const std::string &Name, bool Direct) {
  const CXXConstructorDecl &Constructor = *E.getConstructor();
  std::optional<Owner> Of = ownerOf(Context, E.getType());
  bool Moves = Constructor.isMoveConstructor() || E.isElidable();
  bool Allocates = Of && Of->Kind != Owner::Handle && E.getNumArgs() && !isa<CXXDefaultArgExpr>(E.getArg(0)) && !Moves;
  if (Allocates) {
    AllocationRecord Record = site(E, In, Name, "container", Of->Element);
    Record.Depends = Eval.evaluate(&E, In).Sizes;
    llvm::StringRef Separator = "";
    for (const Expr *Argument : E.arguments())
      if (Argument->getType().getNonReferenceType()->isIntegralOrEnumerationType() &&
          !isa<CXXDefaultArgExpr>(Argument) &&
          (Of->Kind == Owner::Matrix || Of->Kind == Owner::Tensor || Record.Size.empty())) {
        Record.Size += Separator.str() + source(*Argument);
        Separator = ", ";
      }
    emit(std::move(Record), In);
  }
  const TypeModel *Class = modelOf(E.getType());
  if (Of && Of->Kind == Owner::Handle && E.getNumArgs() && E.getArg(0)->getType()->isPointerType() && Class &&
      Class->Counts)
    emit(site(E, In, Name, "object"), In); // the counts that the owners share
  bool PassName = (Of && Of->Kind == Owner::Handle) || E.isElidable();
  for (const Expr *Argument : E.arguments())
    expression(Argument, In, PassName ? Name : "", Of.has_value() || (Direct && E.isElidable()));
  if (Of)
    return;
  if (const FunctionDecl *Body = enterable(&Constructor)) {
    std::vector<const Expr *> Arguments(E.arg_begin(), E.arg_end());
    Frame Inner = Eval.callFrame(*Body, Arguments, Eval.evaluate(&E, In), In);
    function(Inner, &E, &In);
  }
}

/// Resizing, growth and assignment of objects that own memory.
void Walk::methodOfOwner(const CallExpr &E, const Owner &Of, const Expr &Object, const FunctionDecl &Method,
                         llvm::ArrayRef<const Expr *> Arguments, Frame &In) {
  Sizing Effect = sizingOf(Of, Method, static_cast<unsigned>(Arguments.size()));
  Value Held = Eval.evaluate(&Object, In);
  if (Held.Root && Effect != Sizing::None && Effect != Sizing::Reserves)
    Tensors[Held.Root].Written = true;
  const Expr *Source = Arguments.empty() ? nullptr : Arguments[0];
  const bool Assigns = Method.getOverloadedOperator() == OO_Equal;
  const auto *Assign = dyn_cast<CXXMethodDecl>(&Method);
  if (Effect == Sizing::None ||
      (Assigns && (!Source || (Assign && Assign->isMoveAssignmentOperator()) || Of.Kind == Owner::Handle)))
    return;
  const VarDecl *Holder = baseVariable(&Object);
  AllocationRecord Record = site(E, In, Holder ? Holder->getNameAsString() : "", "container", Of.Element);
  Record.Growth = Effect == Sizing::Grows;
  Record.Depends = Record.Growth ? Held.Sizes : sizesOf(Eval, Of, Arguments, In).Sizes;
  if (!Record.Growth && Source && Source->getType()->isIntegerType())
    Record.Size = source(*Source);
  // Assigning what already fits allocates nothing.
  const Expr *Made = Assigns && Holder && Holder->getInit() ? stripped(Holder->getInit()) : nullptr;
  if (const auto *Construction = dyn_cast_or_null<CXXConstructExpr>(Made))
    Record.Conditional |= Construction->getNumArgs() != 0;
  emit(std::move(Record), In);
}

} // namespace memshape::ast
