// Which functions a pointer can lead to that a unit keeps to itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   struct plan { void (*step)(float *); };       no other unit sees what a plan is
//   plan->step = fast ? step_avx : step_c;        one of these two
//
// Nobody outside can put a function into such a member unless the unit takes one from there: by a parameter, a variable,
// a structure that users see, or a function without a body. Then it may be any.

#pragma once

#include <optional>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class QualType;
} // namespace clang

namespace memshape::ast {

/// The functions that members of type Pointer, to a function, hold in structures which the unit defines in its main file.
/// None where others may put theirs.
std::optional<std::vector<const clang::FunctionDecl *>> ownFunctions(const clang::ASTContext &Context,
                                                                     clang::QualType Pointer);

} // namespace memshape::ast
