// The unit's declarations, generated a second time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without -g the main module has no source locations, and changing its options would change the object file. So the
// events that drive the compiler's code generator are recorded. If the unit has operators, they are replayed to a
// second generator, which tracks locations. Both generate the same instructions. The pass copies the locations and
// checks that opcodes agree.

#pragma once

#include "memshape/Handover.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/DeclGroup.h"

#include <functional>
#include <optional>
#include <vector>

namespace clang {
class CompilerInstance;
}

namespace memshape::ast {

/// One call of an ASTConsumer's member function.
struct DeclarationEvent {
  std::function<void(clang::ASTConsumer &To)> Repeat; ///< makes the same call of another consumer
  std::optional<clang::DeclGroupRef> TopLevel = {};   ///< what the unit declares there, outside of containers
};

/// Generates the unit again with locations and stores them in Facts. Does nothing when the main compilation has
/// locations itself or does not generate code.
void recordLocations(clang::CompilerInstance &CI, const std::vector<DeclarationEvent> &Events,
                     TranslationUnitFacts &Facts);

} // namespace memshape::ast
