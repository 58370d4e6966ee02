// Declarations of a unit, instances included.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A walk over namespaces and classes that does not look into bodies.

#pragma once

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

namespace memshape::ast {

/// Calls Visit with every Kind in Scope and in the namespaces and classes within, and with the instances of each
/// Template: FunctionDecl and FunctionTemplateDecl, or VarDecl and VarTemplateDecl. A declaration may come twice. OwnOnly:
/// reads no declaration from a file, which would have the code generator make what is read.
template <class Kind, class Template, class Visitor>
void forEachDeclaration(const clang::DeclContext &Scope, Visitor &&Visit, bool OwnOnly = false) {
  for (const clang::Decl *D : OwnOnly ? Scope.noload_decls() : Scope.decls()) {
    if (OwnOnly && D->isFromASTFile())
      continue;
    if (const auto *Declared = llvm::dyn_cast<Kind>(D)) {
      Visit(*Declared);
    } else if (const auto *Pattern = llvm::dyn_cast<Template>(D)) {
      for (const Kind *Instance : Pattern->specializations())
        Visit(*Instance);
    } else if (const auto *Class = llvm::dyn_cast<clang::ClassTemplateDecl>(D)) {
      if (Class->isCanonicalDecl())
        for (const clang::ClassTemplateSpecializationDecl *Instance : Class->specializations())
          forEachDeclaration<Kind, Template>(*Instance, Visit, OwnOnly);
    } else if (const auto *Inner = llvm::dyn_cast<clang::DeclContext>(D)) {
      if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl, clang::ExportDecl>(D) ||
          (llvm::isa<clang::RecordDecl>(D) && !llvm::isa<clang::ClassTemplateSpecializationDecl>(D)))
        forEachDeclaration<Kind, Template>(*Inner, Visit, OwnOnly);
    }
  }
}

} // namespace memshape::ast
