// Functions that make the object behind a handle.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   typedef struct plan *plan_t;
//   plan_t plan_new(int n);                                 makes one, from numbers
//   void execute(plan_t p, const float *in, float *out);    takes what plan_new has made: p.n
//
// Libraries hide what such a structure holds. Its numbers belong together, as the function has computed them.

#pragma once

#include <utility>
#include <vector>

namespace clang {
class FieldDecl;
class FunctionDecl;
class ParmVarDecl;
class RecordDecl;
} // namespace clang

namespace memshape::ast {

/// A function of this unit that makes what Handle points to, from numbers, the one that takes most of them. It can do
/// without pointers that are left out. One that reads data beside numbers comes behind all others; one may take what
/// another maker makes. Handle leads to a structure that is declared in another file than users see, or its type has a
/// name that hides the pointer. Of a structure that users see, the numbers are members under their names, and the
/// structure has more integers, which follow from them. None for structures of the system, for those without integers
/// and pointers, and for arrays.
const clang::FunctionDecl *makerOf(const clang::ParmVarDecl &Handle);

/// The same for a maker's parameter: a function that takes no such thing itself.
const clang::FunctionDecl *innerMakerOf(const clang::ParmVarDecl &Handle);

/// A pointer that a maker does without: one to what may change, or one to a function or a structure of which it asks
/// whether it is null.
bool isLeftOut(const clang::ParmVarDecl &P);

/// The parameter's function does nothing with it but free it.
bool isOnlyFreed(const clang::ParmVarDecl &Parameter);

/// It frees it, reallocates it, or hands it to a function of the unit that does.
bool isFreed(const clang::ParmVarDecl &Parameter);

/// Functions of other units that are given what a member leads to, each with the number of the argument.
using Outsiders = std::vector<std::pair<const clang::FunctionDecl *, unsigned>>;

/// What may be other than Maker has left it when an operator is called with a Record: what other functions of this unit
/// change, those that Maker itself calls to make one left out.
struct SinceMade {
  bool AnyContents = false; ///< what all members lead to: users see the structure, or it is handed on as bytes
  std::vector<const clang::FieldDecl *> Changed;                      ///< they, or what they lead to
  std::vector<const clang::FieldDecl *> Replaced;                     ///< they themselves, pointers in them included
  std::vector<std::pair<const clang::FieldDecl *, Outsiders>> Handed; ///< nobody else may change what they lead to
  std::vector<const clang::FieldDecl *> Unset;                        ///< Maker sets them by name to nothing but null
};
SinceMade changedSinceMade(const clang::RecordDecl &Record, const clang::FunctionDecl &Maker);

} // namespace memshape::ast
