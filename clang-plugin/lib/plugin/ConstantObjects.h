// Objects that do not change.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constructor sets a const object, and no unit changes it afterwards. The same holds for a private static member that
// its class only reads. The IR does not show this: there the object is a variable.

#pragma once

#include <string>
#include <vector>

namespace clang {
class ASTContext;
}

namespace memshape::ast {

/// Linker's names of such objects of class type that the unit defines at namespace scope or as static members, that
/// other units can name, and that lead to nothing that these can change.
std::vector<std::string> constantObjects(clang::ASTContext &Context);

} // namespace memshape::ast
