// Code of the functions that build arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "generate/SourceLocations.h"
#include "typed/Builders.h"

namespace memshape::ast {

/// Bitcode of the builders and of all inline functions that they use; what the unit defines for others is declared. Has
/// the unit's tree taken in the builders' text: for a process of its own. A builder that is not valid gets a Problem.
std::string builderModule(clang::CompilerInstance &CI, std::vector<Builder> &Builders, const TypeNames &Names,
                          const std::vector<DeclarationEvent> &Events);

} // namespace memshape::ast
