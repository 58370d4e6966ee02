// What is known of an expression.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The abstract value of an expression inside one call chain of an operator.

#pragma once

#include "features/ShapeExpression.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
  unsigned Depends = OnNothing;  ///< the value itself
  unsigned Contents = OnNothing; ///< what it points to or holds
  unsigned Sizes = OnNothing;    ///< how much it holds
  MaybeFormula Number;           ///< an integer's value; a pointer's offset from Root, in elements
  std::string Text; ///< a floating-point value in the operator's parameters, or an object's name; "" if unknown
  const clang::ParmVarDecl *Root = nullptr;            ///< the operator's tensor that a pointer points into
  std::optional<std::vector<ShapeExpression>> Extents; ///< elements along each dimension of what it holds or points to

  std::shared_ptr<const std::map<const clang::FieldDecl *, Value>> Fields; ///< of an object of the user's own class

  static Value unknown() {
    Value V;
    V.Depends = V.Contents = V.Sizes = OnUnknown;
    return V;
  }
  static Value number(MaybeFormula F, unsigned On) {
    Value V;
    V.Number = std::move(F);
    V.Depends = On;
    return V;
  }

  /// Elements in all, where every extent is known.
  MaybeFormula count() const {
    if (!Extents)
      return std::nullopt;
    MaybeFormula Product = ShapeExpression::constant(1);
    for (const ShapeExpression &Extent : *Extents)
      Product = multiply(Product, Extent);
    return Product;
  }
};

/// A value that is one of the two: what they agree on.
inline Value merge(const Value &A, const Value &B) {
  Value V;
  V.Depends = A.Depends | B.Depends;
  V.Contents = A.Contents | B.Contents;
  V.Sizes = A.Sizes | B.Sizes;
  if (A.Number == B.Number)
    V.Number = A.Number;
  if (A.Text == B.Text)
    V.Text = A.Text;
  if (A.Root == B.Root)
    V.Root = A.Root;
  if (A.Extents == B.Extents)
    V.Extents = A.Extents;
  return V;
}

} // namespace memshape::ast
