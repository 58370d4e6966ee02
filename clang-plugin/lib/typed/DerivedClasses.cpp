// Arguments that may be of a derived class.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "typed/DerivedClasses.h"
#include "typed/TypeKinds.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/SetVector.h"
#include <set>

using namespace clang;

namespace memshape::ast {

namespace {

using Classes = llvm::SmallSetVector<const CXXRecordDecl *, 4>;

/// Something that leads to objects as a pointer does: shared_ptr<T>.
bool pointsOn(const CXXRecordDecl &Class) {
  return llvm::any_of(Class.methods(), [](const CXXMethodDecl *M) { return M->getOverloadedOperator() == OO_Arrow; }) ||
         llvm::any_of(Class.bases(), [](const CXXBaseSpecifier &Base) {
           const CXXRecordDecl *Of = Base.getType()->getAsCXXRecordDecl();
           return Of && Of->hasDefinition() && pointsOn(*Of->getDefinition());
         });
}

/// The classes that others may derive from, of objects that are reached from Type through pointers or references.
class OpenClasses {
public:
  OpenClasses(const ASTContext &Context, const UserLines &Lines) : Context(Context), Lines(Lines) {}

  void add(QualType Type, bool BehindPointer) {
    constexpr unsigned Deepest = 4;
    Type = Type.getCanonicalType();
    if (Depth > Deepest || (BehindPointer && Lines.of(Type)))
      return;
    if (Type->isPointerType() || Type->isReferenceType()) {
      if (!Lines.of(Type))
        add(Type->getPointeeType(), true);
      return;
    }
    const CXXRecordDecl *Class = Type->getAsCXXRecordDecl();
    if (!Class || !Class->hasDefinition() || !Seen.insert({Class, BehindPointer}).second)
      return;
    Class = Class->getDefinition();
    ++Depth;
    if (BehindPointer && Class->isPolymorphic() && !Class->isEffectivelyFinal() && !entryOf(Context, Type))
      Found.insert(Class);
    if (const auto *Special = dyn_cast<ClassTemplateSpecializationDecl>(Class)) {
      for (const TemplateArgument &Each : Special->getTemplateArgs().asArray())
        if (Each.getKind() == TemplateArgument::Type)
          add(Each.getAsType(), pointsOn(*Class));
    } else {
      for (const FieldDecl *Field : Class->fields())
        add(Field->getType(), false);
    }
    --Depth;
  }

  Classes Found;

private:
  const ASTContext &Context;
  const UserLines &Lines;
  std::set<std::pair<const CXXRecordDecl *, bool>> Seen;
  unsigned Depth = 0;
};

/// Looks through a function and those that it calls for what depends on the class that an object really has.
class ClassUses : public RecursiveASTVisitor<ClassUses> {
public:
  explicit ClassUses(const Classes &Open) : Open(Open) {}

  bool shouldVisitImplicitCode() const { return true; }

  void look(const FunctionDecl &First) {
    constexpr unsigned Most = 1000; // of a program, not of its libraries
    Functions.insert(&First);
    for (unsigned I = 0; I < Functions.size() && I < Most && !Found; ++I)
      if (const FunctionDecl *Body = nullptr; Functions[I]->hasBody(Body))
        TraverseDecl(const_cast<FunctionDecl *>(Body));
  }

  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *E) {
    const CXXMethodDecl *Method = E->getMethodDecl();
    const auto *Member = dyn_cast<MemberExpr>(E->getCallee()->IgnoreParens());
    return !Method || !Method->isVirtual() || Method->hasAttr<FinalAttr>() || (Member && Member->hasQualifier()) ||
           isa<CXXDestructorDecl>(Method) || note(Method->getParent());
  }
  /// &Kernel::width
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    const auto *Method = dyn_cast<CXXMethodDecl>(E->getDecl());
    return !Method || !Method->isVirtual() || note(Method->getParent());
  }
  bool VisitCXXDynamicCastExpr(CXXDynamicCastExpr *E) { return note(classOf(E->getSubExpr()->getType())); }
  bool VisitCXXTypeidExpr(CXXTypeidExpr *E) {
    return E->isTypeOperand() || !E->isPotentiallyEvaluated() || note(classOf(E->getExprOperand()->getType()));
  }
  bool VisitCallExpr(CallExpr *E) { return follow(E->getDirectCallee()); }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) { return follow(E->getConstructor()); }

  const CXXRecordDecl *Found = nullptr;

private:
  static const CXXRecordDecl *classOf(QualType Type) {
    return Type->isPointerType() ? Type->getPointeeCXXRecordDecl() : Type->getAsCXXRecordDecl();
  }
  bool follow(const FunctionDecl *Callee) {
    if (!Callee)
      return true;
    Functions.insert(Callee->getCanonicalDecl());
    return Callee->hasBody() || Callee->isDefaulted() || isa<CXXConstructorDecl>(Callee) ||
           isa<CXXDestructorDecl>(Callee) || handOut(*Callee);
  }
  /// Another unit may do with the object what this one does not.
  bool handOut(const FunctionDecl &Callee) {
    if (const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
        Method && Method->isInstance() && !note(Method->getParent()))
      return false;
    return llvm::all_of(Callee.parameters(), [&](const ParmVarDecl *Each) {
      const QualType Type = Each->getType();
      return !(Type->isPointerType() || Type->isReferenceType()) || note(classOf(Type->getPointeeType()));
    });
  }
  /// Something depends on which class that is one of Class, or derived from it, an object has.
  bool note(const CXXRecordDecl *Class) {
    if (!Class || !Class->hasDefinition())
      return true;
    Class = Class->getDefinition();
    for (const CXXRecordDecl *Each : Open)
      if (Each == Class || Each->isDerivedFrom(Class) || Class->isDerivedFrom(Each))
        Found = Each;
    return !Found;
  }

  const Classes &Open;
  llvm::SmallSetVector<const FunctionDecl *, 32> Functions;
};

} // namespace

std::string classChosenByCaller(const ASTContext &Context, const UserLines &Lines, const Operator &Op) {
  OpenClasses Open(Context, Lines);
  if (Op.Fact.HasThis && !isa<CXXConstructorDecl>(Op.Function))
    Open.add(cast<CXXMethodDecl>(Op.Function)->getThisType(), false);
  for (const ParmVarDecl *Parameter : Op.Function->parameters())
    Open.add(Parameter->getType(), false);
  if (Open.Found.empty())
    return "";
  ClassUses Uses(Open.Found);
  Uses.look(*Op.Function);
  return Uses.Found ? Uses.Found->getQualifiedNameAsString() : "";
}

} // namespace memshape::ast
