// Text that tells what an operator has made.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operator returns, and what it leaves in objects that it may change, has extents, too. Behind the call the
// builder tells them, by the accessors that Reading finds:
//
//     static void memshape_tell_0(arma::mat *memshape_told_0) {
//       memshape_result(0, memshape_told_0->n_rows);
//       memshape_result(1, memshape_told_0->n_cols);
//     }
//
// It is a function of its own so that the pass can see that it does nothing else.

#pragma once

#include "typed/Construction.h"
#include "typed/Reading.h"

namespace memshape::ast {

class Results {
public:
  Results(const clang::ASTContext &Context, TypeNames &Names) : Context(Context), Names(Names) {}

  /// What the operator returns, in the text the variable memshape_result: an object, or a pointer or a reference to one.
  void addReturned(const clang::FunctionDecl &Operator, const UserLines &Lines);
  /// What an argument of that class holds then. Made: what has built it.
  void addArgument(clang::QualType Class, const std::string &Display, const std::string &Object,
                   const Construction &Made);

  /// The definition of the function that tells, and a statement that calls it; "" where there is nothing to tell.
  std::string definition(const std::string &Suffix) const;
  std::string call(const std::string &Suffix) const;

  std::vector<std::string> Symbols; ///< of what is told, by their numbers

private:
  void tell(clang::QualType Type, const std::string &Display, const std::string &Object, const Construction &Like);
  void tellSymbols(const std::vector<BuilderParameter> &Parameters, const Reading &Found);
  std::string told(clang::QualType Type, const std::string &Object);

  const clang::ASTContext &Context;
  TypeNames &Names;
  std::string Declared, Passed, Body;
  unsigned Objects = 0;
};

} // namespace memshape::ast
