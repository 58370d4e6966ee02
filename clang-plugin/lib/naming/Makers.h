// Functions that make the object behind a handle.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   typedef struct plan *plan_t;
//   plan_t plan_new(int n);                                 makes one, from numbers
//   void execute(plan_t p, const float *in, float *out);    takes what plan_new has made: p.n
//
// Libraries hide what such a structure holds. Its numbers belong together, as the function has computed them.

#pragma once

namespace clang {
class FunctionDecl;
class RecordDecl;
} // namespace clang

namespace memshape::ast {

/// A function of this unit that returns a pointer to a new Record and takes numbers, the one with the most of them;
/// pointers to what may change it can do without. None for records of the system, and for those
/// without integers and pointers.
const clang::FunctionDecl *makerOf(const clang::RecordDecl &Record);

/// What Maker has put into a Record is there when an operator is called: users do not see the structure, and no other
/// function of this unit changes its members or what they lead to.
bool keepsWhatIsMade(const clang::RecordDecl &Record, const clang::FunctionDecl &Maker);

} // namespace memshape::ast
