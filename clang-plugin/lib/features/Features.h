// The features document of a translation unit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "naming/Operators.h"

#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace memshape::ast {

/// One memshape.features/1 document for the operators of the unit, as compact JSON.
std::string describeFeatures(clang::ASTContext &Context, const std::vector<Operator> &Operators);

/// Reads what is known of libraries, which takes milliseconds: processes that are forked from now on have it, too.
void readLibraries();

} // namespace memshape::ast
