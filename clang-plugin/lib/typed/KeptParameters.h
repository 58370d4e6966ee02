// Members that keep what a constructor was given.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "clang/AST/DeclCXX.h"

#include <map>
#include <string>

namespace memshape::ast {

/// For parameters of the constructor, by their number: the member, inherited ones included, that has the parameter's
/// value when the constructor is left. Empty where its body is elsewhere. The body must assign a member once at most,
/// in a statement of its own, and must not hand it on.
std::map<unsigned, std::string> keptParameters(const clang::CXXConstructorDecl &Constructor);

} // namespace memshape::ast
