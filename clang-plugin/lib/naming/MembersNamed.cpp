// Which members a function's code names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "naming/MembersNamed.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace memshape::ast {

namespace {

class Names : public RecursiveASTVisitor<Names> {
public:
  explicit Names(llvm::SmallPtrSetImpl<const FieldDecl *> &Found) : Found(Found) {}
  bool All = false;

  bool follow(const FunctionDecl *Function) {
    const FunctionDecl *Body = nullptr;
    if (!Function || !Function->hasBody(Body)) {
      All |= !IsInSystem && !(Function && (isOfSystem(*Function) || Function->isTrivial()));
    } else if (Seen.insert(Body).second) {
      const llvm::SaveAndRestore Within(IsInSystem, isOfSystem(*Body));
      TraverseDecl(const_cast<FunctionDecl *>(Body)); // which a visitor of declarations takes so
    }
    return !All;
  }

  bool VisitMemberExpr(MemberExpr *Member) {
    if (const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl()))
      Found.insert(Field);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *Reference) { // of a pointer to a member
    All |= isa<FieldDecl>(Reference->getDecl());
    return !All;
  }
  bool VisitDecompositionDecl(DecompositionDecl *) { return !(All = true); }
  bool VisitCallExpr(CallExpr *Call) {
    const FunctionDecl *Called = Call->getDirectCallee();
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Called);
    if (isa<CXXPseudoDestructorExpr>(Call->getCallee()->IgnoreParens()))
      return true;
    All |= !IsInSystem && Method && Method->isVirtual();
    return !All && follow(Called);
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *Made) {
    const CXXConstructorDecl *Constructor = Made->getConstructor();
    // What a copy names is written nowhere.
    All |= Constructor->isCopyOrMoveConstructor() && Constructor->isImplicit() && !isOfSystem(*Constructor);
    return !All && follow(Constructor);
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *Given) { return TraverseStmt(Given->getExpr()); }

private:
  static bool isOfSystem(const FunctionDecl &Function) {
    return Function.getBuiltinID() ||
           Function.getASTContext().getSourceManager().isInSystemHeader(Function.getLocation());
  }

  llvm::SmallPtrSetImpl<const FieldDecl *> &Found;
  llvm::SmallPtrSet<const FunctionDecl *, 16> Seen;
  bool IsInSystem = false; ///< whose code knows no members but by what it is handed
};

} // namespace

MembersNamed::MembersNamed(const FunctionDecl &Function) {
  Names In(Found);
  In.follow(&Function);
  All = In.All;
}

} // namespace memshape::ast
