//===- Features.h - The features document of a translation unit -----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_FEATURES_FEATURES_H
#define MEMSHAPE_FEATURES_FEATURES_H

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

#endif // MEMSHAPE_FEATURES_FEATURES_H
