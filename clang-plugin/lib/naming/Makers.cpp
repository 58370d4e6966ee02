// Functions that make the object behind a handle.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "naming/Makers.h"
#include "naming/ArrayUse.h"
#include "naming/Definitions.h"
#include "naming/Operators.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/SaveAndRestore.h"

#include <map>
#include <tuple>

using namespace clang;

namespace memshape::ast {

namespace {

const RecordDecl *pointedRecord(QualType Type) {
  const RecordDecl *Record = Type->isPointerType() ? Type->getPointeeType()->getAsRecordDecl() : nullptr;
  return Record ? Record->getDefinition() : nullptr;
}

/// A body reads a variable that outlives it and leads to a Record: what it returns may have been there before.
class Lookups : public RecursiveASTVisitor<Lookups> {
public:
  explicit Lookups(const RecordDecl &Record) : Record(Record) {}
  bool Found = false;

  bool VisitDeclRefExpr(DeclRefExpr *Reference) {
    const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
    const Type *Of = Variable ? Variable->getType().getTypePtr() : nullptr;
    while (Of && (Of->isPointerType() || Of->isArrayType()))
      Of = Of->getPointeeOrArrayElementType();
    const RecordDecl *Behind = Of ? Of->getAsRecordDecl() : nullptr;
    Found |= Behind && Variable->hasGlobalStorage() && Behind->getDefinition() == &Record;
    return !Found;
  }

private:
  const RecordDecl &Record;
};

/// A parameter that a maker is asked about: its name is that of a symbol or a setting.
bool isNumberOf(const ParmVarDecl *P) {
  const QualType Type = P->getType().getCanonicalType();
  return Type->isIntegerType() || Type->isRealFloatingType();
}

/// A pointer to numbers that a maker reads. A text says what to make.
bool isRead(const ParmVarDecl *P) {
  const QualType Type = P->getType().getCanonicalType();
  const QualType Read = Type->isPointerType() ? Type->getPointeeType() : QualType();
  return !Read.isNull() && Read.isConstQualified() && Read->isArithmeticType() &&
         !Read->isSpecificBuiltinType(BuiltinType::Char_S) && !Read->isSpecificBuiltinType(BuiltinType::Char_U);
}

/// A structure that a maker reads and cannot do without: it has symbols of its own.
bool isDescription(const ParmVarDecl &P) {
  const RecordDecl *Record = pointedRecord(P.getType().getCanonicalType());
  return Record && !Record->isUnion() && P.getType()->getPointeeType().isConstQualified() && isRefusedAsNull(P);
}

/// A function returns a Record that it has made: nobody hands it one.
bool returnsNew(const FunctionDecl &Function, const RecordDecl &Record) {
  const auto LeadsThere = [&](const ParmVarDecl *P) {
    return pointedRecord(P->getType().getCanonicalType()) == &Record;
  };
  if (pointedRecord(Function.getReturnType().getCanonicalType()) != &Record || !Function.hasBody() ||
      llvm::any_of(Function.parameters(), LeadsThere))
    return false;
  Lookups Known(Record);
  Known.TraverseStmt(Function.getBody());
  return !Known.Found;
}

/// Inner: it makes what another maker takes, and takes no such thing itself.
bool makes(const FunctionDecl &Function, const RecordDecl &Record, bool Inner) {
  const bool TakesSizes = llvm::any_of(Function.parameters(),
                                       [](const ParmVarDecl *P) { return isSymbol(P->getType().getCanonicalType()); });
  const auto IsTaken = [&](const ParmVarDecl *P) {
    return isNumberOf(P) || isLeftOut(*P) || isDescription(*P) || (isRead(P) && TakesSizes) ||
           (!Inner && innerMakerOf(*P));
  };
  // What it takes is looked at last: that looks at all functions of the unit.
  return !Function.isVariadic() && !isa<CXXMethodDecl>(Function) && !Function.isTemplateInstantiation() &&
         returnsNew(Function, Record) && !Function.getReturnType()->getPointeeType().isConstQualified() &&
         llvm::all_of(Function.parameters(), IsTaken);
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

/// What a function's body does with a parameter: frees it, or something else.
class Freeing : public RecursiveASTVisitor<Freeing> {
public:
  static bool only(const ParmVarDecl &P) {
    Freeing Uses(P);
    return Uses.look() && Uses.Frees == Uses.All;
  }
  /// By itself, or by a function of the unit.
  static bool any(const ParmVarDecl &P) {
    llvm::SmallPtrSet<const ParmVarDecl *, 8> Seen;
    return any(P, Seen);
  }

  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *Called = Call->getDirectCallee(), *Body = nullptr;
    if (Called)
      Called->hasBody(Body);
    for (unsigned I = 0; Called && I != Call->getNumArgs(); ++I)
      if (isParameter(*Call->getArg(I))) {
        Frees += Called->getBuiltinID() == Builtin::BIfree;
        Reallocates |= Called->getBuiltinID() == Builtin::BIrealloc;
        if (Body && !isa<CXXMethodDecl>(Called) && I < Body->getNumParams())
          GivenTo.push_back(Body->getParamDecl(I));
      }
    return true;
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *Delete) {
    Frees += isParameter(*Delete->getArgument());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Reference) {
    All += Reference->getDecl() == &P;
    return true;
  }

private:
  explicit Freeing(const ParmVarDecl &P) : P(P) {}
  static bool any(const ParmVarDecl &P, llvm::SmallPtrSetImpl<const ParmVarDecl *> &Seen) {
    Freeing Uses(P);
    return Seen.insert(&P).second && Uses.look() &&
           (Uses.Frees || Uses.Reallocates ||
            llvm::any_of(Uses.GivenTo, [&](const ParmVarDecl *To) { return any(*To, Seen); }));
  }
  bool look() {
    const auto *Owner = dyn_cast<FunctionDecl>(P.getDeclContext());
    return Owner && Owner->hasBody() && TraverseStmt(Owner->getBody());
  }
  bool isParameter(const Expr &Argument) const {
    const auto *Reference = dyn_cast<DeclRefExpr>(Argument.IgnoreParenCasts());
    return Reference && Reference->getDecl() == &P;
  }

  const ParmVarDecl &P;
  unsigned Frees = 0, All = 0;
  bool Reallocates = false;
  llvm::SmallVector<const ParmVarDecl *, 4> GivenTo;
};

/// A function that another unit may define, each of whose parameters is one of its code, too.
bool isOfPlainArguments(const FunctionDecl &Function) {
  const auto IsPlain = [](QualType Type) { return Type->isScalarType() || Type->isVoidType(); };
  return Function.isExternallyVisible() && !isa<CXXMethodDecl>(Function) && !Function.isVariadic() &&
         !Function.getBuiltinID() && IsPlain(Function.getReturnType()) &&
         llvm::all_of(Function.parameters(), [&](const ParmVarDecl *P) { return IsPlain(P->getType()); });
}

/// Which members of a Record functions may change, or what those lead to. Pointers into one are followed from variable to
/// variable, and into the functions of the unit. Copying one onto another changes nothing.
class Changes : public RecursiveASTVisitor<Changes> {
public:
  using Members = llvm::SmallPtrSet<const FieldDecl *, 4>;

  /// LeavesNull: a pointer that is set to null is as if it were not set.
  explicit Changes(const RecordDecl &Record, bool LeavesNull = false) : Record(Record), LeavesNull(LeavesNull) {}
  Members Changed, Replaced;                     ///< or what they lead to; they themselves
  std::map<const FieldDecl *, Outsiders> Handed; ///< what they lead to, to functions of other units
  bool ChangesAll = false;
  /// What is done there is done before: only where pointers into a Record go is looked at.
  void follow(Stmt *Body) {
    const llvm::SaveAndRestore Before(IsDoneBefore, true);
    const llvm::SaveAndRestore All(ChangesAll);
    TraverseStmt(Body);
  }
  size_t followed() const { return Followed; }

  /// The members that an address handed on may change in place: it may be that of a structure or an array, but not of a
  /// pointer.
  bool isReplaced(const FieldDecl &Field) const {
    return ChangesAll || Replaced.contains(&Field) || (Changed.contains(&Field) && !Field.getType()->isPointerType());
  }

  bool VisitBinaryOperator(BinaryOperator *Operation) {
    if (!Operation->isAssignmentOp() || isRecord(Operation->getRHS()->getType()) ||
        (LeavesNull && isNull(*Operation->getRHS())))
      return true;
    change(Operation->getLHS());
    const auto *To = dyn_cast<DeclRefExpr>(Operation->getLHS()->IgnoreParenCasts());
    handOn(Operation->getRHS(), To ? dyn_cast<VarDecl>(To->getDecl()) : nullptr);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *Operation) {
    if (Operation->isIncrementDecrementOp() || Operation->getOpcode() == UO_AddrOf)
      change(Operation->getSubExpr());
    return true;
  }
  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *Called = Call->getDirectCallee();
    const unsigned Known = Called ? Called->getBuiltinID() : 0;
    if (Known == Builtin::BIfree)
      return true;
    if ((Known == Builtin::BImemcpy || Known == Builtin::BImemmove) &&
        pointedRecord(Call->getArg(1)->IgnoreParenCasts()->getType().getCanonicalType()) == &Record)
      return true;
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Called);
    const bool IsOperator = isa<CXXOperatorCallExpr>(Call) && Method && !Method->isStatic();
    handOnAll(Called, {Call->getArgs(), Call->getNumArgs()}, IsOperator, Called ? nullptr : Call);
    const bool IsSeen = Method && Method->getParent()->getDefinition() == &Record && Method->hasBody();
    if (Method && !Method->isStatic() && !Method->isConst() && !IsSeen) {
      const auto *OfMember = dyn_cast<CXXMemberCallExpr>(Call);
      change(OfMember ? OfMember->getImplicitObjectArgument() : Call->getArg(0));
    }
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Made) {
    handOnAll(Made->getConstructor(), {Made->getArgs(), Made->getNumArgs()}, false);
    return true;
  }
  bool VisitVarDecl(VarDecl *Variable) {
    if (const Expr *Value = Variable->getInit()) {
      handOn(Value, Variable);
      if (Variable->getType()->isReferenceType() && !Variable->getType()->getPointeeType().isConstQualified())
        change(Value);
    }
    return true;
  }
  bool VisitInitListExpr(InitListExpr *List) {
    for (const Expr *Value : List->inits())
      handOn(Value, nullptr);
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *Return) {
    if (Expr *Value = Return->getRetValue()) {
      handOn(Value, nullptr);
      if (Value->isGLValue() && !Value->getType().isConstQualified())
        change(Value);
    }
    return true;
  }

private:
  /// Nobody else knows where its members lie.
  bool isKeptToUnit() const {
    const SourceManager &Sources = Record.getASTContext().getSourceManager();
    return Sources.isInMainFile(Sources.getExpansionLoc(Record.getLocation()));
  }
  /// Also `second = NULL` in `first = second = NULL`.
  bool isNull(const Expr &Value) const {
    const auto *Set = dyn_cast<BinaryOperator>(Value.IgnoreParenImpCasts());
    return Set && Set->getOpcode() == BO_Assign
               ? isNull(*Set->getRHS())
               : Value.getType()->isPointerType() &&
                     Value.isNullPointerConstant(Record.getASTContext(), Expr::NPC_NeverValueDependent) !=
                         Expr::NPCK_NotNull;
  }
  bool isRecord(QualType Type) const {
    const RecordDecl *Of = Type->getAsRecordDecl();
    return Of && Of->getDefinition() == &Record;
  }

  /// The members in which E lies, or behind which; All: it may be any. Behind: a pointer in a member leads there.
  /// IsBehind: what E leads to is asked for.
  Members membersOf(const Expr *E, bool &All, bool *Behind = nullptr, bool IsBehind = false) const {
    for (const Expr *At = nullptr; E && E != At;) {
      At = E;
      E = E->IgnoreParenCasts();
      if (isRecord(E->getType()))
        return All = true, Members();
      if (const auto *Member = dyn_cast<MemberExpr>(E)) {
        const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
        if (Field && Field->getParent()->getDefinition() == &Record) {
          Members One;
          One.insert(Field);
          if (Behind)
            *Behind = IsBehind;
          return One;
        }
        IsBehind |= Member->isArrow();
        E = Member->getBase();
      } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E)) {
        IsBehind |= Element->getBase()->IgnoreParenCasts()->getType()->isPointerType();
        E = Element->getBase();
      } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
        IsBehind |= Unary->getOpcode() == UO_Deref;
        E = Unary->getSubExpr();
      } else if (const auto *Sum = dyn_cast<BinaryOperator>(E)) {
        E = Sum->getLHS()->getType()->isPointerType() ? Sum->getLHS() : Sum->getRHS();
      } else if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
        const auto Found = Pointers.find(Reference->getDecl());
        if (Behind)
          *Behind = true;
        return IsBehind && Found != Pointers.end() ? Found->second : Members();
      } else {
        return membersIn(*E, All, Behind, IsBehind);
      }
    }
    return {};
  }

  /// The same for any part of E, as of a choice of two, a call that gives back what it takes, statements with a value.
  Members membersIn(const Stmt &E, bool &All, bool *Behind, bool IsBehind) const {
    const auto MayLead = [&](const Expr &Value) {
      const QualType Type = Value.getType();
      return !isRecord(Type) && (Value.isGLValue() || (Type->isPointerType() && !Type->isFunctionPointerType()));
    };
    Members Any;
    for (const Stmt *Part : E.children()) {
      const auto *Value = dyn_cast_or_null<Expr>(Part);
      if (!Part || (Value && !MayLead(*Value)))
        continue;
      bool Each = true;
      const Members Hit = Value ? membersOf(Value, All, &Each, IsBehind) : membersIn(*Part, All, &Each, IsBehind);
      if (Behind && !Hit.empty())
        *Behind &= Each;
      Any.insert(Hit.begin(), Hit.end());
    }
    return Any;
  }

  void change(const Expr *To) {
    if (IsDoneBefore)
      return;
    bool Behind = true;
    const Members Hit = membersOf(To, ChangesAll, &Behind);
    Changed.insert(Hit.begin(), Hit.end());
    if (!Behind)
      Replaced.insert(Hit.begin(), Hit.end());
  }

  /// A pointer by which what a member leads to may be changed goes into To; null: somewhere. WithoutSize: to a function
  /// that is not told how long it is. Outside: to a function of another unit, as that argument.
  void handOn(const Expr *Value, const VarDecl *To, bool WithoutSize = false,
              std::pair<const FunctionDecl *, unsigned> Outside = {}) {
    const QualType Type = Value->getType().getCanonicalType();
    const Expr *Bare = Value->IgnoreParenCasts();
    const QualType Was = Bare->getType().getCanonicalType();
    const bool MayChange = (Type->isPointerType() && !Type->getPointeeType().isConstQualified()) ||
                           (Value->isGLValue() && Was->isArrayType());
    if (!MayChange || pointedRecord(Type) == &Record)
      return; // who takes the object itself is looked at, too
    if (pointedRecord(Was) == &Record) {
      const auto *Freed = dyn_cast_or_null<ParmVarDecl>(To);
      const bool IsFreed = Freed ? Freeing::only(*Freed) : WithoutSize && Type->isVoidPointerType() && isKeptToUnit();
      ChangesAll |= !IsFreed; // as bytes
      return;
    }
    const Members Led = membersOf(Bare, ChangesAll, nullptr, /*IsBehind=*/true);
    if (Led.empty())
      return;
    for (const FieldDecl *Field : Led)
      if (Outside.first && !Field->getType()->isPointerType())
        Changed.insert(Field);
      else if (Outside.first && !llvm::is_contained(Handed[Field], Outside))
        Handed[Field].push_back(Outside);
    if (Outside.first)
      return;
    Members &Into = To ? Pointers[To] : Changed;
    const size_t Before = Into.size();
    Into.insert(Led.begin(), Led.end());
    Followed += Into.size() - Before;
  }

  /// A call through a pointer may reach a function of the unit, which knows how long a Record is.
  bool mayCallOwn(const CallExpr &Call) const {
    const ASTContext &Context = Record.getASTContext();
    const QualType Type = Call.getCallee()->getType()->getPointeeType();
    bool Found = Type.isNull();
    forEachFunction(Context,
                    [&](const FunctionDecl &Each) { Found |= Found || Context.hasSameType(Each.getType(), Type); });
    return Found;
  }

  /// Through: the call, if it is one through a pointer.
  void handOnAll(const FunctionDecl *Called, ArrayRef<Expr *> Arguments, bool FirstIsObject,
                 const CallExpr *Through = nullptr) {
    const auto IsSize = [](const Expr *Each) { return Each->getType()->isIntegralOrEnumerationType(); };
    const auto IsRecordAsBytes = [&](const Expr *Each) {
      return Each->getType()->isVoidPointerType() &&
             pointedRecord(Each->IgnoreParenCasts()->getType().getCanonicalType()) == &Record;
    };
    const bool WithoutSize = llvm::any_of(Arguments, IsRecordAsBytes) && llvm::none_of(Arguments, IsSize) &&
                             (Through ? !mayCallOwn(*Through) : Called && !isa<CXXMethodDecl>(Called));
    const FunctionDecl *Body = nullptr;
    if (const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Called); Called && !(Method && Method->isVirtual()))
      Called->hasBody(Body);
    if (IsDoneBefore && !Body)
      return;
    for (size_t I = FirstIsObject; I < Arguments.size(); ++I) {
      const size_t Number = I - FirstIsObject;
      const bool IsKnown = Called && Number < Called->getNumParams();
      const bool IsOutside = IsKnown && !Body && isOfPlainArguments(*Called);
      handOn(Arguments[I], Body && IsKnown ? Body->getParamDecl(unsigned(Number)) : nullptr, WithoutSize,
             {IsOutside ? Called : nullptr, unsigned(Number)});
      const QualType Type = IsKnown ? Called->getParamDecl(unsigned(Number))->getType() : QualType();
      if (IsKnown && Type->isReferenceType() && !Type->getPointeeType().isConstQualified())
        change(Arguments[I]);
    }
  }

  const RecordDecl &Record;
  const bool LeavesNull;
  std::map<const ValueDecl *, Members> Pointers; ///< variables that may lead behind members
  size_t Followed = 0;
  bool IsDoneBefore = false;
};

/// A function's body calls another one.
class CallOf : public RecursiveASTVisitor<CallOf> {
public:
  static bool in(const FunctionDecl &Caller, const FunctionDecl &Called) {
    CallOf Calls(Called);
    Calls.TraverseStmt(Caller.getBody());
    return Calls.Found;
  }
  bool VisitCallExpr(CallExpr *Call) {
    Found |= declaresSameEntity(Call->getDirectCallee(), &Called);
    return !Found;
  }

private:
  explicit CallOf(const FunctionDecl &Called) : Called(Called) {}
  const FunctionDecl &Called;
  bool Found = false;
};

/// Code names a function.
class NameOf : public RecursiveASTVisitor<NameOf> {
public:
  explicit NameOf(const FunctionDecl &Named) : Named(Named) {}
  bool Found = false;
  bool VisitDeclRefExpr(DeclRefExpr *Reference) {
    Found |= declaresSameEntity(Reference->getDecl(), &Named);
    return !Found;
  }

private:
  const FunctionDecl &Named;
};

/// A part of Maker, which nobody else can call.
bool isPartOf(const FunctionDecl &Maker, const FunctionDecl &Part) {
  if (Part.isExternallyVisible() || !CallOf::in(Maker, Part))
    return false;
  NameOf Elsewhere(Part);
  forEachFunction(Part.getASTContext(), [&](const FunctionDecl &Each) {
    if (!declaresSameEntity(&Each, &Maker) && !declaresSameEntity(&Each, &Part))
      Elsewhere.TraverseStmt(Each.getBody());
  });
  forEachDeclaration<VarDecl, VarTemplateDecl>(
      *Part.getASTContext().getTranslationUnitDecl(),
      [&](const VarDecl &Each) { Elsewhere.TraverseStmt(const_cast<Expr *>(Each.getInit())); }, /*OwnOnly=*/true);
  return !Elsewhere.Found;
}

/// In another file than the one that defines it: users have that declaration alone.
bool isDeclaredElsewhere(const RecordDecl &Shown) {
  const SourceManager &Sources = Shown.getASTContext().getSourceManager();
  const auto FileOf = [&](const Decl &D) { return Sources.getFileID(Sources.getExpansionLoc(D.getLocation())); };
  return llvm::any_of(Shown.redecls(), [&](const Decl *Each) { return FileOf(*Each) != FileOf(Shown); });
}

} // namespace

bool isLeftOut(const ParmVarDecl &P) {
  const QualType Type = P.getType().getCanonicalType();
  const bool IsOption = Type->isFunctionPointerType() || pointedRecord(Type);
  return IsOption ? isTestedForNull(P) && !isRefusedAsNull(P)
                  : Type->isPointerType() && !Type->getPointeeType().isConstQualified();
}

bool isOnlyFreed(const ParmVarDecl &Parameter) { return Freeing::only(Parameter); }
bool isFreed(const ParmVarDecl &Parameter) { return Freeing::any(Parameter); }

/// Of a structure that users see, as many numbers as a maker takes are members under their names, and the others follow.
static bool followsFrom(const RecordDecl &Shown, const FunctionDecl &Maker) {
  const auto IsSymbol = [](const ValueDecl *D) { return isSymbol(D->getType().getCanonicalType()); };
  const auto IsMember = [&](const ParmVarDecl *P) {
    return !isNumberOf(P) ||
           llvm::any_of(Shown.fields(), [&](const FieldDecl *F) { return F->getName() == P->getName(); });
  };
  const auto Given = llvm::count_if(Maker.parameters(), IsSymbol), Held = llvm::count_if(Shown.fields(), IsSymbol);
  return Given && Given < Held && llvm::all_of(Maker.parameters(), IsMember) &&
         llvm::any_of(Shown.fields(), [](const FieldDecl *F) { return F->getType()->isPointerType(); });
}

static const FunctionDecl *makerOf(const ParmVarDecl &Handle, bool Inner) {
  const QualType Type = Handle.getType().getCanonicalType();
  const RecordDecl *Shown = pointedRecord(Type);
  const auto *Class = dyn_cast_or_null<CXXRecordDecl>(Shown);
  if (!Shown || Shown->isUnion() || (Class && (!Class->isAggregate() || Class->getNumBases())) ||
      Handle.getASTContext().getSourceManager().isInSystemHeader(Shown->getLocation()) || isUsedAsArray(Handle) ||
      llvm::none_of(Shown->fields(), [](const FieldDecl *F) {
        return isSymbol(F->getType().getCanonicalType()) || F->getType()->isPointerType();
      }))
    return nullptr;
  const bool IsHandle = isDeclaredElsewhere(*Shown) || Handle.getType()->getAs<TypedefType>();
  const auto Rank = [](const FunctionDecl &Maker) {
    return std::make_tuple(llvm::none_of(Maker.parameters(), isRead), llvm::count_if(Maker.parameters(), isNumberOf),
                           -int(Maker.getNumParams()));
  };
  const FunctionDecl *Best = nullptr;
  forEachFunction(Handle.getASTContext(), [&](const FunctionDecl &Each) {
    if (makes(Each, *Shown, Inner) && (IsHandle || followsFrom(*Shown, Each)) && (!Best || Rank(Each) > Rank(*Best)))
      Best = &Each;
  });
  return Best;
}

const FunctionDecl *makerOf(const ParmVarDecl &Handle) { return makerOf(Handle, /*Inner=*/false); }
const FunctionDecl *innerMakerOf(const ParmVarDecl &Handle) { return makerOf(Handle, /*Inner=*/true); }

SinceMade changedSinceMade(const RecordDecl &Record, const FunctionDecl &Maker) {
  const RecordDecl &Shown = *Record.getDefinition();
  const SourceManager &Sources = Record.getASTContext().getSourceManager();
  Changes Made(Shown);
  for (size_t Before = ~size_t(0); Before != Made.followed();) {
    Before = Made.followed();
    forEachFunction(Record.getASTContext(), [&](const FunctionDecl &Each) {
      if (declaresSameEntity(&Each, &Maker) || (returnsNew(Each, Shown) && CallOf::in(Maker, Each)) ||
          isPartOf(Maker, Each))
        Made.follow(Each.getBody());
      else
        Made.TraverseStmt(Each.getBody());
    });
  }
  Changes Own(Shown, /*LeavesNull=*/true);
  forEachFunction(Record.getASTContext(), [&](const FunctionDecl &Each) {
    if (declaresSameEntity(&Each, &Maker) || CallOf::in(Maker, Each))
      Own.TraverseStmt(Each.getBody());
  });
  SinceMade Since;
  Since.AnyContents = Made.ChangesAll || (!isDeclaredElsewhere(Shown) &&
                                          !Sources.isInMainFile(Sources.getExpansionLoc(Shown.getLocation())));
  for (const FieldDecl *Field : Shown.fields()) {
    const auto Handed = Made.Handed.find(Field);
    if (Made.Changed.contains(Field))
      Since.Changed.push_back(Field);
    else if (Handed != Made.Handed.end())
      Since.Handed.push_back({Field, Handed->second});
    if (Made.isReplaced(*Field))
      Since.Replaced.push_back(Field);
    if (!Own.Changed.contains(Field) && !Own.Handed.count(Field))
      Since.Unset.push_back(Field);
  }
  return Since;
}

} // namespace memshape::ast
