// Arguments that may be of a derived class.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   int area(const Shape &s) { return s.width() * s.height(); }     width() may be that of a class derived from Shape

#pragma once

#include "naming/Operators.h"
#include "typed/UserLines.h"

#include <string>

namespace memshape::ast {

/// The class that the operator leaves the choice of to its caller: it calls virtual functions of an object behind a
/// parameter, or asks for its class. "" where there is none, or where a line of the user or a document says which it is.
std::string classChosenByCaller(const clang::ASTContext &Context, const UserLines &Lines, const Operator &Op);

} // namespace memshape::ast
