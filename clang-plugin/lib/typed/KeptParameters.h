// Members that keep what a constructor gives them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "clang/AST/DeclCXX.h"

#include <map>
#include <string>
#include <vector>

namespace memshape::ast {

/// For parameters of the constructor, by their number: the member, inherited ones included, that has the parameter's
/// value when the constructor is left. Empty where its body is elsewhere. The body must assign a member once at most,
/// in a statement of its own, and must not hand it on.
std::map<unsigned, std::string> keptParameters(const clang::CXXConstructorDecl &Constructor);

/// A member that is the same in all objects when they have been made.
struct ConstantMember {
  enum class Holds { Number, NullPointer, Nothing, Data } What; ///< Nothing: an empty container, or smart pointer
  std::string Path;                                             ///< `gain`, or `options.order` of a structure in it
  clang::QualType Type;
  const clang::FieldDecl *Root; ///< the object's own member
  std::string Value = {};       ///< of a number
  std::string Name = {};        ///< of its setting: the path, mostly without underscores around its parts
  bool IfConstant = false;      ///< the body is elsewhere: if it is found to give it a constant
};

/// Members that the constructor gives a constant, those of its bases first. Callers may have set them since. Where its
/// body is elsewhere, those that it may give one.
std::vector<ConstantMember> constantMembers(const clang::CXXConstructorDecl &Constructor);

} // namespace memshape::ast
