// The facts that the pass gets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "generate/SourceLocations.h"
#include "naming/Operators.h"

#include "memshape/Handover.h"

#include <vector>

namespace memshape::ast {

/// Gathers the facts of a unit with operators. A child process walks the syntax tree and generates code from it
/// (memshape/Apart.h), because unusual trees may crash it. What could not be gathered becomes a note.
void gatherFacts(clang::CompilerInstance &CI, const std::vector<Operator> &Operators,
                 const std::vector<DeclarationEvent> &Events, TranslationUnitFacts &Facts);

} // namespace memshape::ast
