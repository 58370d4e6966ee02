// Arguments of class type, from shape symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operator that takes objects is sliced behind a function that builds them:
//
//     arma::mat f(const arma::mat &a, double s);
//
//     extern "C" void memshape_typed_0(long long a_n_rows, long long a_n_cols, double s) {
//       /* caller 1 */ T0 &a = *new (place) T0(a_n_rows, a_n_cols); memshape_data(a.memptr(), 1); /* caller 0 */
//       memshape_call_0(a, s);
//     }
//
// What the operator has made, it tells before it ends: Results.h.
//
// A second function tells the values of that function's parameters from what a call is given, so that runs have shapes,
// too. It takes the same arguments in the same places. Bit N of `readable` is for the N-th of them.
//
//     R memshape_read_0(const arma::mat &a, double s, long long *shape, double *settings, unsigned long long readable) {
//       shape[0] = unknown; ...
//       if (readable & 1) shape[0] = a.n_rows; ...
//       memshape_read_done(); // returns
//     }
//
// The functions are text, parsed behind the end of the unit in a process of its own, where nothing that they do to the
// syntax tree reaches the object file.

#pragma once

#include "naming/Operators.h"
#include "typed/Construction.h"

#include <string>
#include <vector>

namespace memshape::ast {

/// A function that builds the arguments of one operator.
struct Builder {
  const clang::FunctionDecl *Operator = nullptr;
  std::string Function;                  ///< its name
  std::string Text;                      ///< its definition; "" where there is none
  std::string Reader;                    ///< the function that reads the parameters' values from a call's arguments
  std::string ReaderText;                ///< its definition; "" where there is none
  bool BuildsNothing = false;            ///< the operator does without it
  std::string Problem;                   ///< why there is none, for who named the operator
  std::vector<ParameterFact> Parameters; ///< its parameters: symbols, settings, pointers
  std::vector<BuiltArgument> Tensors;    ///< the arguments that it builds
  std::vector<std::string> Results;      ///< symbols of what the operator has made, which the function tells
  std::string ResultsText, ResultsCall;  ///< the definition of what it calls for that, and the call in Text
};

/// The operator has parameters that have to be built.
bool needsBuilder(const Operator &Op);

/// The operator returns an object, whose extents a builder tells, though it builds nothing.
bool returnsObject(const Operator &Op);

/// The Number-th builder of the unit.
Builder makeBuilder(const clang::ASTContext &Context, const UserLines &Lines, const Operator &Op, size_t Number,
                    TypeNames &Names);

} // namespace memshape::ast
