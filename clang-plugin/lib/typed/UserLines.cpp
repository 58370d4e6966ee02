// What MEMSHAPE_BUILD says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "typed/UserLines.h"
#include "libraries/reader/Object.h"
#include "naming/Definitions.h"
#include "naming/Operators.h"
#include "typed/Construction.h"
#include "typed/TypeKinds.h"

#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"

using namespace clang;

namespace memshape::ast {

/// The annotation of memshape/operator.h.
static constexpr llvm::StringLiteral BuildAnnotation = "memshape.build";

UserLines::UserLines(const ASTContext &Context) {
  forEachDeclaration<FunctionDecl, FunctionTemplateDecl>(
      *Context.getTranslationUnitDecl(), [&](const FunctionDecl &Function) {
        if (Function.doesThisDeclarationHaveABody() && !Function.isDependentContext() && !Function.isInvalidDecl() &&
            llvm::any_of(Function.specific_attrs<AnnotateAttr>(),
                         [](const AnnotateAttr *A) { return A->getAnnotation() == BuildAnnotation; }))
          Lines.push_back(&Function);
      });
}

/// What a function returns, or what the pointer or reference that it returns refers to.
static QualType returnedObject(const FunctionDecl &Function) {
  const QualType Type = Function.getReturnType().getCanonicalType();
  const bool Refers = Type->isPointerType() || Type->isReferenceType();
  return (Refers ? Type->getPointeeType() : Type).getCanonicalType().getUnqualifiedType();
}

const FunctionDecl *UserLines::of(QualType Type) const {
  Type = Type.getCanonicalType().getUnqualifiedType();
  const auto Found = llvm::find_if(Lines, [&](const FunctionDecl *Line) { return returnedObject(*Line) == Type; });
  return Found == Lines.end() ? nullptr : *Found;
}

std::string calledAs(const FunctionDecl &Function) {
  std::string Name = Function.getNameAsString();
  if (!Function.getASTContext().getLangOpts().CPlusPlus)
    return Name;
  for (const DeclContext *At = Function.getDeclContext(); At && !At->isTranslationUnit(); At = At->getParent())
    if (const auto *Named = dyn_cast<NamedDecl>(At); Named && Named->getIdentifier())
      Name = Named->getNameAsString() + "::" + Name;
  return "::" + Name;
}

QualType madeBy(const FunctionDecl &Line) {
  const QualType Stated = returnedObject(Line);
  const QualType Returned = Line.getReturnType().getCanonicalType();
  if (!Returned->isPointerType() && !Returned->isReferenceType())
    return Stated;
  const Expr *Made = nullptr;
  if (const auto *Body = dyn_cast_or_null<CompoundStmt>(Line.getBody()))
    for (const Stmt *Each : Body->body())
      if (const auto *Return = dyn_cast<ReturnStmt>(Each))
        Made = Return->getRetValue();
  Made = Made ? Made->IgnoreImplicit()->IgnoreParenImpCasts() : nullptr;
  if (!Made)
    return QualType();
  const QualType Of = Made->getType().getCanonicalType();
  const QualType Class = (Of->isPointerType() ? Of->getPointeeType() : Of).getCanonicalType().getUnqualifiedType();
  const CXXRecordDecl *Record = Class->getAsCXXRecordDecl();
  const bool MayBeDerived = Record && Record->getDefinition() && Record->isPolymorphic() &&
                            !Record->isEffectivelyFinal() && !isa<CXXNewExpr>(Made);
  return MayBeDerived ? QualType() : Class->isRecordType() ? Class : Stated;
}

/// Objects of the class that the line's function makes; with New, one that outlives its block.
bool Construction::fromLine(const FunctionDecl &Line, QualType Type, const std::string &Display,
                            const std::string &Object, bool New) {
  const QualType Made = madeBy(Line);
  const std::string Written = "'" + Type.getAsString(Context.getPrintingPolicy()) + "'";
  if (Made.isNull())
    return fail("what the line MEMSHAPE_BUILD of its type " + Written +
                " makes may be of a class derived from it: let the line say new");
  if (const BuildModel *Entry = entryOf(Context, Made); Entry && Entry->Fixed && Entry->Data.empty() &&
                                                        Entry->Contents.empty() && Entry->Inner.empty() &&
                                                        !Entry->Members)
    return fail("its type " + Written + " only refers to what it holds, which a line MEMSHAPE_BUILD does not tell");
  std::string Arguments;
  for (const ParmVarDecl *P : Line.parameters()) {
    const QualType Given = P->getType().getCanonicalType().getUnqualifiedType();
    ParameterFact Fact = describeParameter(Context, *P);
    Fact.Name = Display + "." + P->getNameAsString();
    std::string As = Names.of(Given);
    if (Fact.Role == ParameterRole::Shape)
      As = "long long", Fact.Bits = 64, Fact.Signed = true;
    else if (P->getName().empty() || Given->isReferenceType() ||
             (Fact.Role != ParameterRole::Setting && Fact.Role != ParameterRole::Tensor))
      return fail("the line MEMSHAPE_BUILD of its type " + Written +
                  " takes something else than named numbers and pointers to numbers");
    Arguments += (Arguments.empty() ? "(" : ", (") + Names.of(Given) + ")" + parameter(std::move(Fact), As);
  }
  const std::string Call = calledAs(Line) + "(" + Arguments + ")", Name = Names.of(Type);
  const bool Points = Line.getReturnType()->isPointerType(), Refers = Line.getReturnType()->isReferenceType();
  std::string Built = Object;
  if (!Context.getLangOpts().CPlusPlus && Points)
    Built = behindPointer(Object, Call);
  else if (Points || Refers)
    Statements += Name + " &" + Object + " = const_cast<" + Name + " &>(" + (Points ? "*" : "") + Call + ");\n";
  else if (New)
    Statements += Name + " &" + Object + " = *new " + Name + "(" + Call + ");\n";
  else
    Statements += Name + " " + Object + " = " + Call + ";\n";
  if (!Context.hasSameType(Made, Type))
    Built = "static_cast<" + Names.of(Made) + " &>(" + Built + ")";
  return declareContents(Made, Built);
}

} // namespace memshape::ast
