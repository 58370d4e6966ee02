// Which functions a pointer can lead to that a unit keeps to itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "naming/FunctionValues.h"
#include "naming/Makers.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace memshape::ast {

namespace {

/// What expressions of one type of pointers to functions come from.
class Sources : public RecursiveASTVisitor<Sources> {
public:
  Sources(ASTContext &Context, QualType Pointer) : Context(Context), Pointer(Pointer.getCanonicalType()) {}
  std::vector<const FunctionDecl *> Own;
  bool Foreign = false;

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool VisitDeclRefExpr(DeclRefExpr *Reference) {
    const auto *Function = dyn_cast<FunctionDecl>(Reference->getDecl());
    if (Function && Context.hasSameType(Context.getPointerType(Function->getType()), Pointer) &&
        !llvm::is_contained(Own, Function->getCanonicalDecl()))
      Own.push_back(Function->getCanonicalDecl());
    return !Foreign;
  }
  bool VisitVarDecl(VarDecl *Variable) {
    if (!holds(Variable->getType()))
      return true;
    const auto *Parameter = dyn_cast<ParmVarDecl>(Variable);
    const auto *Of = Parameter ? dyn_cast<FunctionDecl>(Parameter->getDeclContext()) : nullptr;
    // What a static function is given, another expression of the unit gives.
    Foreign |= Parameter ? !Of || Of->isExternallyVisible()
                         : Variable->isExternallyVisible() && !Variable->getType().isConstQualified();
    return !Foreign;
  }
  bool VisitFieldDecl(FieldDecl *Field) {
    const SourceManager &Files = Context.getSourceManager();
    if (holds(Field->getType()))
      Foreign |= Field->getParent()->isUnion() || !Files.isInMainFile(Files.getExpansionLoc(Field->getLocation()));
    return !Foreign;
  }
  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *Called = Call->getDirectCallee(), *Body = nullptr;
    if (isOne(Call->getType()))
      Foreign |= !Called || !Called->hasBody();
    if (Called)
      Called->hasBody(Body);
    for (unsigned I = 0; I != Call->getNumArgs(); ++I)
      if (Called &&
          (putsNoFunctions(*Called) || (Body && I < Body->getNumParams() && isOnlyFreed(*Body->getParamDecl(I)))))
        Harmless.insert(Call->getArg(I));
    return !Foreign;
  }
  bool VisitCastExpr(CastExpr *Cast) {
    const QualType To = Cast->getType();
    const bool IsHarmless = Harmless.contains(Cast);
    if (IsHarmless)
      Harmless.insert(Cast->getSubExpr());
    else if (!(To->isPointerType() && (To->getPointeeType().isConstQualified() || leadsToOne(To))) &&
             !To->isRecordType())
      Foreign |= isAddress(Cast->getCastKind()) && leadsToOne(Cast->getSubExpr()->getType()); // as bytes
    if (isOne(To))
      switch (Cast->getCastKind()) {
      case CK_NoOp:
      case CK_LValueToRValue:
      case CK_FunctionToPointerDecay:
      case CK_NullToPointer: break;
      default: Foreign |= !Cast->getSubExpr()->isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNull);
      }
    return !Foreign;
  }

private:
  /// A function of the C library that writes zeros, or none.
  static bool putsNoFunctions(const FunctionDecl &Called) {
    static constexpr unsigned Known[] = {Builtin::BIfree, Builtin::BIrealloc, Builtin::BImemset};
    return llvm::is_contained(Known, Called.getBuiltinID());
  }

  static bool isAddress(CastKind Kind) { return Kind == CK_BitCast || Kind == CK_PointerToIntegral; }

  /// Type is of pointers to where pointers of the type lie.
  bool leadsToOne(QualType Type) const {
    if (!Type->isPointerType() || isOne(Type))
      return false;
    const QualType Behind = Type->getPointeeType();
    const RecordDecl *Record = Context.getBaseElementType(Behind)->getAsRecordDecl();
    Record = Record ? Record->getDefinition() : nullptr;
    return holds(Behind) || (Record && llvm::any_of(Record->fields(), [&](const FieldDecl *Field) {
                               return holds(Field->getType()) || leadsToOne(Context.getPointerType(Field->getType()));
                             }));
  }

  bool isOne(QualType Type) const { return Context.hasSameUnqualifiedType(Type.getCanonicalType(), Pointer); }

  /// Pointers of the type lie in a variable of Type, or where it leads to.
  bool holds(QualType Type) const {
    while (!isOne(Type) && (Type->isArrayType() || Type->isPointerType() || Type->isReferenceType()))
      Type = Type->isArrayType() ? Context.getBaseElementType(Type) : Type->getPointeeType();
    return isOne(Type);
  }

  ASTContext &Context;
  const QualType Pointer;
  llvm::SmallPtrSet<const Expr *, 8> Harmless; ///< addresses to which no function is written
};

} // namespace

std::optional<std::vector<const FunctionDecl *>> ownFunctions(const ASTContext &Context, QualType Pointer) {
  Sources Found(const_cast<ASTContext &>(Context), Pointer); // which a visitor of expressions takes so
  for (Decl *Each : Context.getTranslationUnitDecl()->decls())
    if (!Context.getSourceManager().isInSystemHeader(Each->getLocation()) && !Found.TraverseDecl(Each))
      break;
  if (Found.Foreign)
    return std::nullopt;
  return std::move(Found.Own);
}

} // namespace memshape::ast
