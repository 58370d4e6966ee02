// Which pointers lead to more than one object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   void norm(const struct image *im)           { im->w * im->h }                  one image
//   void mosaic(const struct image *ims, int n) { ims[i].w, ims + i, ++ims }       an array of images

#pragma once

namespace clang {
class FieldDecl;
class ParmVarDecl;
} // namespace clang

namespace memshape::ast {

/// Whether the function of Parameter, a pointer, or a function of this unit that it is handed to, counts on objects
/// beside the one that it points to. What functions of other units do is seen in their code: see Arguments.h.
bool isUsedAsArray(const clang::ParmVarDecl &Parameter);

/// Whether the function of Parameter, a pointer, reads members of the one object that it points to: `option->step`.
bool readsMembers(const clang::ParmVarDecl &Parameter);

/// Whether the function of Parameter, a pointer or a reference to a pointer, only puts a result there: `*out = made`.
bool isOnlyAssigned(const clang::ParmVarDecl &Parameter);

/// Whether Parameter leads to one number that its function takes as if it were passed by value: a reference to a constant,
/// or a pointer to an integer of which nothing but `*n` is used, here or in functions of this unit that it is handed to. No
/// other argument is an object in which it may lie.
bool isNumberByAddress(const clang::ParmVarDecl &Parameter);

/// Whether the function of Parameter asks if it, a pointer, is null.
bool isTestedForNull(const clang::ParmVarDecl &Parameter);

/// The function returns null where the parameter is null.
bool isRefusedAsNull(const clang::ParmVarDecl &Parameter);

/// Whether functions of this unit ask if Member, a pointer, is null: an object can do without.
bool isAskedForNull(const clang::FieldDecl &Member);

/// The same of pointers of Parameter's type.
bool isAskedForNull(const clang::ParmVarDecl &Parameter);

} // namespace memshape::ast
