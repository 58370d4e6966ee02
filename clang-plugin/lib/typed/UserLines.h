// What MEMSHAPE_BUILD says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line of the user's own says how a type is built:
//
//     MEMSHAPE_BUILD(Cube, (int ni, int nx), Cube(ni, nx))
//
// It becomes a function with an annotation, which nobody but a builder calls. The function returns the object, or a
// pointer or a reference to it. (memshape/operator.h)

#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

#include <string>
#include <vector>

namespace memshape::ast {

/// The lines of a unit.
class UserLines {
public:
  explicit UserLines(const clang::ASTContext &Context);

  /// The line that builds objects of Type, the first of several; null where there is none.
  const clang::FunctionDecl *of(clang::QualType Type) const;

private:
  std::vector<const clang::FunctionDecl *> Lines;
};

/// How the text of a builder calls the function, wherever it is declared.
std::string calledAs(const clang::FunctionDecl &Function);

/// The class of the object that a line makes: that of its expression. Null where only a run knows, because a pointer or
/// reference may be to an object of a derived class.
clang::QualType madeBy(const clang::FunctionDecl &Line);

} // namespace memshape::ast
