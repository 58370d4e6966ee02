// What is known of an expression.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract value of an expression inside one call chain of an operator.

#pragma once

#include <map>
#include <memory>

namespace clang {
class FieldDecl;
class ParmVarDecl;
} // namespace clang

namespace memshape::ast {

/// A set of things that a value depends on; the empty set is a constant.
enum Dependence : unsigned {
  OnNothing = 0,
  OnShape = 1,
  OnSetting = 2,
  OnData = 4,
  OnUnknown = 8 ///< something outside the operator's parameters: a global, a call without a body
};

/// The strongest word for a set: data, unknown, setting, shape, constant.
inline const char *dependenceName(unsigned Set) {
  return Set & OnData      ? "data"
         : Set & OnUnknown ? "unknown"
         : Set & OnSetting ? "setting"
         : Set & OnShape   ? "shape"
                           : "constant";
}

struct Value {
  unsigned Depends = OnNothing;             ///< the value itself
  unsigned Contents = OnNothing;            ///< what it points to or holds
  unsigned Sizes = OnNothing;               ///< how much it holds
  const clang::ParmVarDecl *Root = nullptr; ///< the operator's tensor that a pointer points into

  std::shared_ptr<const std::map<const clang::FieldDecl *, Value>> Fields; ///< of an object of the user's own class

  static Value unknown() {
    Value V;
    V.Depends = V.Contents = V.Sizes = OnUnknown;
    return V;
  }

  /// Adds what Part depends on.
  void depend(const Value &Part) {
    Depends |= Part.Depends;
    Contents |= Part.Contents;
    Sizes |= Part.Sizes;
  }
};

/// A value that is one of the two: what they agree on.
inline Value merge(const Value &A, const Value &B) {
  Value V;
  V.depend(A);
  V.depend(B);
  V.Root = A.Root == B.Root ? A.Root : nullptr;
  return V;
}

} // namespace memshape::ast
