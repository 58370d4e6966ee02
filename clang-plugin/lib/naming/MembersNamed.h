// Which members a function's code names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/SmallPtrSet.h"

namespace clang {
class FieldDecl;
class FunctionDecl;
} // namespace clang

namespace memshape::ast {

/// Members that Function names, or one that it calls. All may be, where a body is not seen, or is not known.
class MembersNamed {
public:
  explicit MembersNamed(const clang::FunctionDecl &Function);

  bool mayName(const clang::FieldDecl &Member) const { return All || Found.contains(&Member); }

private:
  llvm::SmallPtrSet<const clang::FieldDecl *, 16> Found;
  bool All = false;
};

} // namespace memshape::ast
