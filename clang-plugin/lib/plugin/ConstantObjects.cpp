//===- ConstantObjects.cpp - Objects that do not change -------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "plugin/ConstantObjects.h"
#include "naming/Definitions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"

using namespace clang;

namespace memshape::ast {

namespace {

/// Checks that a member function only reads a static member of its class, or returns it as const.
class LooksOnly {
public:
  explicit LooksOnly(const VarDecl &Member) : Member(*Member.getCanonicalDecl()) {}

  bool in(const FunctionDecl &F) const {
    const FunctionDecl *Definition = nullptr;
    if (!F.hasBody(Definition)) // its body is in another unit
      return F.isDeleted() || F.isDefaulted() || F.isPureVirtual();
    QualType Result = Definition->getReturnType();
    HandsOut = Result->isReferenceType() && !Result->getPointeeType().isConstQualified();
    return in(Definition->getBody(), nullptr);
  }

private:
  bool in(const Stmt *S, const Stmt *Parent) const {
    if (!S)
      return true;
    if (const auto *Use = dyn_cast<DeclRefExpr>(S); Use && Use->getDecl()->getCanonicalDecl() == &Member) {
      const auto *Cast = dyn_cast_or_null<ImplicitCastExpr>(Parent);
      return (Cast && (Cast->getCastKind() == CK_LValueToRValue || Cast->getType().isConstQualified())) ||
             (isa_and_nonnull<ReturnStmt>(Parent) && !HandsOut);
    }
    if (const auto *Unresolved = dyn_cast<DependentScopeDeclRefExpr>(S);
        Unresolved && Unresolved->getDeclName() == Member.getDeclName())
      return false;
    return llvm::all_of(S->children(), [&](const Stmt *Child) { return in(Child, S); });
  }

  const VarDecl &Member;
  mutable bool HandsOut = false; ///< the function returns a reference through which its caller may write
};

/// A static member of a class template that the template's functions only read, and that other code cannot name.
/// Derived classes could name a protected one; they are assumed not to change it.
bool isPrivateAndOnlyRead(const VarDecl &Variable) {
  const VarDecl *Pattern = Variable.getInstantiatedFromStaticDataMember();
  if (!Pattern || Pattern->getAccess() == AS_public)
    return false;
  const auto *Class = dyn_cast<CXXRecordDecl>(Pattern->getDeclContext());
  const LooksOnly Looks(*Pattern);
  return Class && llvm::all_of(Class->decls(), [&](const Decl *D) {
           if (const auto *Template = dyn_cast<FunctionTemplateDecl>(D))
             return Looks.in(*Template->getTemplatedDecl());
           const auto *F = dyn_cast<FunctionDecl>(D);
           const auto *Inner = dyn_cast<CXXRecordDecl>(D);
           return F ? Looks.in(*F) : !isa<FriendDecl>(D) && (!Inner || Inner->isInjectedClassName());
         });
}

class Finder {
public:
  explicit Finder(ASTContext &Context) : Context(Context), Mangler(Context) {}

  std::vector<std::string> Found;

  void consider(const VarDecl &Variable) {
    if (Variable.isInvalidDecl() || Variable.isTemplated() || !Variable.hasGlobalStorage() ||
        !Variable.isExternallyVisible())
      return;
    QualType Type = Variable.getType();
    const CXXRecordDecl *Class = Context.getBaseElementType(Type)->getAsCXXRecordDecl();
    bool Changes = !isPrivateAndOnlyRead(Variable) && !Type.isConstant(Context) &&
                   !Context.getBaseElementType(Type).isConstQualified();
    if (!Changes && Class && Class->hasDefinition() && !Class->hasMutableFields())
      Found.push_back(Mangler.getName(&Variable));
  }

private:
  ASTContext &Context;
  ASTNameGenerator Mangler;
};

} // namespace

std::vector<std::string> constantObjects(ASTContext &Context) {
  if (!Context.getLangOpts().CPlusPlus)
    return {};
  Finder Find(Context);
  forEachDeclaration<VarDecl, VarTemplateDecl>(*Context.getTranslationUnitDecl(),
                                               [&](const VarDecl &Variable) { Find.consider(Variable); });
  return std::move(Find.Found);
}

} // namespace memshape::ast
