// Functions that make the object behind a handle.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "naming/Makers.h"
#include "naming/Definitions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace memshape::ast {

namespace {

bool isInteger(QualType Type) {
  return Type->isIntegerType() && !Type->isBooleanType() && !Type->isEnumeralType() && !Type->isAnyCharacterType();
}

const RecordDecl *pointedRecord(QualType Type) {
  const RecordDecl *Record = Type->isPointerType() ? Type->getPointeeType()->getAsRecordDecl() : nullptr;
  return Record ? Record->getDefinition() : nullptr;
}

/// The function, or one that it is written beside, asks for new memory.
class Requests : public RecursiveASTVisitor<Requests> {
public:
  bool Found = false;
  bool VisitCXXNewExpr(CXXNewExpr *) { return !(Found = true); }
  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *Called = Call->getDirectCallee();
    Found |= Called && Called->getIdentifier() && Called->getName().contains_insensitive("alloc");
    return !Found;
  }
};

bool makes(const FunctionDecl &Function, const RecordDecl &Record) {
  const QualType Result = Function.getReturnType().getCanonicalType();
  if (Function.isVariadic() || isa<CXXMethodDecl>(Function) || Function.isTemplateInstantiation() ||
      pointedRecord(Result) != &Record || Result->getPointeeType().isConstQualified() || !Function.hasBody())
    return false;
  const auto IsTaken = [](const ParmVarDecl *P) {
    const QualType Type = P->getType().getCanonicalType();
    return Type->isIntegerType() || Type->isRealFloatingType() ||
           (Type->isPointerType() && !Type->getPointeeType().isConstQualified() && !pointedRecord(Type));
  };
  const auto Counts = [](const ParmVarDecl *P) { return isInteger(P->getType().getCanonicalType()); };
  if (!llvm::all_of(Function.parameters(), IsTaken) || !llvm::any_of(Function.parameters(), Counts))
    return false;
  Requests Asks;
  Asks.TraverseStmt(Function.getBody());
  return Asks.Found;
}

template <class Visitor> void forEachFunction(const ASTContext &Context, Visitor &&Visit) {
  forEachDeclaration<FunctionDecl, FunctionTemplateDecl>(
      *Context.getTranslationUnitDecl(),
      [&](const FunctionDecl &Each) {
        if (Each.doesThisDeclarationHaveABody() && !Each.isDependentContext() && !Each.isInvalidDecl())
          Visit(Each);
      },
      /*OwnOnly=*/true);
}

/// Whether functions may change members of a Record, or what they lead to. Pointers into one are followed from variable
/// to variable, and into the functions of the unit.
class Changes : public RecursiveASTVisitor<Changes> {
public:
  explicit Changes(const RecordDecl &Record) : Record(Record) {}
  bool Found = false;
  size_t followed() const { return Pointers.size(); }

  bool VisitBinaryOperator(BinaryOperator *Operation) {
    if (!Operation->isAssignmentOp())
      return true;
    change(Operation->getLHS());
    const auto *To = dyn_cast<DeclRefExpr>(Operation->getLHS()->IgnoreParenCasts());
    handOn(Operation->getRHS(), To ? dyn_cast<VarDecl>(To->getDecl()) : nullptr);
    return !Found;
  }
  bool VisitUnaryOperator(UnaryOperator *Operation) {
    if (Operation->isIncrementDecrementOp() || Operation->getOpcode() == UO_AddrOf)
      change(Operation->getSubExpr());
    return !Found;
  }
  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *Called = Call->getDirectCallee();
    if (Called && Called->getBuiltinID() == Builtin::BIfree)
      return true;
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Called);
    const bool IsOperator = isa<CXXOperatorCallExpr>(Call) && Method && !Method->isStatic();
    handOnAll(Called, {Call->getArgs(), Call->getNumArgs()}, IsOperator);
    if (Method && !Method->isStatic() && !Method->isConst()) {
      const auto *OfMember = dyn_cast<CXXMemberCallExpr>(Call);
      change(OfMember ? OfMember->getImplicitObjectArgument() : Call->getArg(0));
    }
    return !Found;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Made) {
    handOnAll(Made->getConstructor(), {Made->getArgs(), Made->getNumArgs()}, false);
    return !Found;
  }
  bool VisitVarDecl(VarDecl *Variable) {
    if (const Expr *Value = Variable->getInit()) {
      handOn(Value, Variable);
      if (Variable->getType()->isReferenceType() && !Variable->getType()->getPointeeType().isConstQualified())
        change(Value);
    }
    return !Found;
  }
  bool VisitInitListExpr(InitListExpr *List) {
    for (const Expr *Value : List->inits())
      handOn(Value, nullptr);
    return !Found;
  }
  bool VisitReturnStmt(ReturnStmt *Return) {
    if (Return->getRetValue())
      handOn(Return->getRetValue(), nullptr);
    return !Found;
  }

private:
  bool isOurs(const Expr &E) const {
    const RecordDecl *Of = E.getType()->getAsRecordDecl();
    return Of && Of->getDefinition() == &Record;
  }

  /// To lies in a Record, or behind one of its members: seen from outside, what leads to it.
  bool leadsInto(const Expr *To) const {
    bool IsBehind = false;
    for (const Expr *At = nullptr; To && To != At;) {
      At = To;
      To = To->IgnoreParenCasts();
      if (isOurs(*To))
        return true;
      if (const auto *Member = dyn_cast<MemberExpr>(To)) {
        IsBehind |= Member->isArrow();
        To = Member->getBase();
        if (Member->isArrow() && pointedRecord(To->getType().getCanonicalType()) == &Record)
          return true;
      } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(To)) {
        IsBehind = true;
        To = Element->getBase();
      } else if (const auto *Behind = dyn_cast<UnaryOperator>(To)) {
        IsBehind |= Behind->getOpcode() == UO_Deref;
        To = Behind->getSubExpr();
      } else if (const auto *Sum = dyn_cast<BinaryOperator>(To)) {
        To = Sum->getLHS()->getType()->isPointerType() ? Sum->getLHS() : Sum->getRHS();
      } else if (const auto *Reference = dyn_cast<DeclRefExpr>(To)) {
        return IsBehind && Pointers.contains(Reference->getDecl());
      }
    }
    return false;
  }

  void change(const Expr *To) { Found |= leadsInto(To); }

  /// A pointer by which what a member leads to may be changed goes into To; null: somewhere.
  void handOn(const Expr *Value, const VarDecl *To) {
    const QualType Type = Value->getType().getCanonicalType();
    const Expr *Bare = Value->IgnoreParenCasts();
    const QualType Was = Bare->getType().getCanonicalType();
    const bool MayChange = (Type->isPointerType() && !Type->getPointeeType().isConstQualified()) ||
                           (Value->isGLValue() && Was->isArrayType());
    if (!MayChange || pointedRecord(Type) == &Record)
      return; // who takes the object itself is looked at, too
    const auto *Reference = dyn_cast<DeclRefExpr>(Bare);
    const bool Leads = leadsInto(Bare) || (Reference && Pointers.contains(Reference->getDecl()));
    Found |= pointedRecord(Was) == &Record || (Leads && !To); // as bytes
    if (Leads && To)
      Pointers.insert(To);
  }

  void handOnAll(const FunctionDecl *Called, ArrayRef<Expr *> Arguments, bool FirstIsObject) {
    const FunctionDecl *Body = nullptr;
    if (Called)
      Called->hasBody(Body);
    for (size_t I = FirstIsObject; I < Arguments.size(); ++I) {
      const size_t Number = I - FirstIsObject;
      const bool IsKnown = Called && Number < Called->getNumParams();
      handOn(Arguments[I], Body && IsKnown ? Body->getParamDecl(unsigned(Number)) : nullptr);
      const QualType Type = IsKnown ? Called->getParamDecl(unsigned(Number))->getType() : QualType();
      if (IsKnown && Type->isReferenceType() && !Type->getPointeeType().isConstQualified())
        change(Arguments[I]);
    }
  }

  const RecordDecl &Record;
  llvm::SmallPtrSet<const ValueDecl *, 8> Pointers; ///< variables that may lead behind members
};

} // namespace

const FunctionDecl *makerOf(const RecordDecl &Record) {
  const RecordDecl *Shown = Record.getDefinition();
  if (!Shown || Shown->isUnion() || Shown->isInStdNamespace() ||
      Record.getASTContext().getSourceManager().isInSystemHeader(Shown->getLocation()) ||
      llvm::none_of(Shown->fields(), [](const FieldDecl *F) {
        return isInteger(F->getType().getCanonicalType()) || F->getType()->isPointerType();
      }))
    return nullptr;
  const FunctionDecl *Best = nullptr;
  forEachFunction(Record.getASTContext(), [&](const FunctionDecl &Each) {
    if (makes(Each, *Shown) && (!Best || Each.getNumParams() > Best->getNumParams()))
      Best = &Each;
  });
  return Best;
}

/// Users have a declaration of it alone: it is defined in the unit's main file, or in another one than that declares it.
static bool isOpaque(const RecordDecl &Shown) {
  const SourceManager &Sources = Shown.getASTContext().getSourceManager();
  const auto FileOf = [&](const Decl &D) { return Sources.getFileID(Sources.getExpansionLoc(D.getLocation())); };
  return FileOf(Shown) == Sources.getMainFileID() ||
         llvm::any_of(Shown.redecls(), [&](const Decl *Each) { return FileOf(*Each) != FileOf(Shown); });
}

bool keepsWhatIsMade(const RecordDecl &Record, const FunctionDecl &Maker) {
  const RecordDecl &Shown = *Record.getDefinition();
  const ASTContext &Context = Record.getASTContext();
  if (!isOpaque(Shown))
    return false;
  Changes Made(Shown);
  for (size_t Before = ~size_t(0); Before != Made.followed() && !Made.Found;) {
    Before = Made.followed();
    forEachFunction(Context, [&](const FunctionDecl &Each) {
      if (!declaresSameEntity(&Each, &Maker) && !Made.Found)
        Made.TraverseStmt(Each.getBody());
    });
  }
  return !Made.Found;
}

} // namespace memshape::ast
