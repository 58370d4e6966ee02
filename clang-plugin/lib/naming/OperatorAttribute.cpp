// [[memshape::operator]].
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attribute is another spelling of annotate("memshape.operator"): it adds exactly that annotation.

#include "naming/Operators.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace {

struct OperatorAttribute : ParsedAttrInfo {
  OperatorAttribute() {
    static constexpr Spelling Names[] = {{ParsedAttr::AS_CXX11, "memshape::operator"},
                                         {ParsedAttr::AS_C23, "memshape::operator"}};
    Spellings = Names;
  }

  bool diagAppertainsToDecl(Sema &S, const ParsedAttr &Attribute, const Decl *D) const override {
    if (isa<FunctionDecl>(D))
      return true;
    unsigned ID = S.getDiagnostics().getCustomDiagID(DiagnosticsEngine::Error,
                                                     "'memshape::operator' names a function, it cannot stand here");
    S.getDiagnostics().Report(Attribute.getLoc(), ID) << Attribute.getRange();
    return false;
  }

  AttrHandling handleDeclAttribute(Sema &S, Decl *D, const ParsedAttr &Attribute) const override {
    D->addAttr(AnnotateAttr::Create(S.Context, memshape::ast::OperatorAnnotation, nullptr, 0, Attribute.getRange()));
    return AttributeApplied;
  }
};

} // namespace

static ParsedAttrInfoRegistry::Add<OperatorAttribute> Registration("memshape-operator",
                                                                   "marks a function as a memshape operator");
