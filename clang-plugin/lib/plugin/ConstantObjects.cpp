// Objects that do not change.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "plugin/ConstantObjects.h"
#include "naming/Definitions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"

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

/// Tells whether a const object leads to something that others can change: to what is not const behind a pointer of its
/// own, or behind one that its const functions hand out, as those of a smart pointer do, and those of a vector do not.
class LeadsToChangeable {
public:
  bool through(QualType T) {
    if (const auto *Pointer = T->getAs<PointerType>())
      return !Pointer->getPointeeType()->isFunctionType() && byReference(Pointer->getPointeeType());
    if (const auto *Array = T->getAsArrayTypeUnsafe())
      return through(Array->getElementType());
    if (T->isReferenceType())
      return byReference(T->getPointeeType());
    if (T->isFunctionType())
      return true; // what is made for functions keeps one, with what that one remembers
    const auto *Class = T->getAsCXXRecordDecl();
    if (!Class || !Seen.insert(Class->getCanonicalDecl()).second)
      return false;
    const auto *Instance = dyn_cast<ClassTemplateSpecializationDecl>(Class);
    if (Instance && llvm::any_of(Instance->getTemplateArgs().asArray(), [&](const TemplateArgument &Argument) {
          return Argument.getKind() == TemplateArgument::Type && through(Argument.getAsType());
        }))
      return true;
    if (!Class->hasDefinition())
      return !Instance; // nobody has needed one so far
    Class = Class->getDefinition();
    // A const function of the program's own may write through a private pointer.
    const bool IsLibrarys = Class->getASTContext().getSourceManager().isInSystemHeader(Class->getLocation());
    return Class->hasMutableFields() ||
           llvm::any_of(Class->bases(),
                        [&](const CXXBaseSpecifier &Base) {
                          return Base.getAccessSpecifier() == AS_public && through(Base.getType());
                        }) ||
           llvm::any_of(Class->fields(),
                        [&](const FieldDecl *F) {
                          return (F->getAccess() == AS_public || !IsLibrarys) && through(F->getType());
                        }) ||
           llvm::any_of(Class->methods(), [&](const CXXMethodDecl *M) { return handsOut(*M); });
  }

private:
  bool byReference(QualType To) { return !To.isConstQualified() || through(To); }

  /// Reserved names are the library's own business.
  bool handsOut(const CXXMethodDecl &M) {
    const IdentifierInfo *Name = M.getIdentifier();
    return M.isConst() && M.getAccess() == AS_public && (!Name || !Name->getName().starts_with("_")) &&
           llvm::all_of(M.parameters(), [](const ParmVarDecl *P) { return P->getType()->isArithmeticType(); }) &&
           through(M.getReturnType());
  }

  llvm::SmallPtrSet<const CXXRecordDecl *, 16> Seen;
};

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
    const bool Changes = !isPrivateAndOnlyRead(Variable) && !Type.isConstant(Context) &&
                         !Context.getBaseElementType(Type).isConstQualified();
    if (!Changes && Class && Class->hasDefinition() && !LeadsToChangeable().through(Type))
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
