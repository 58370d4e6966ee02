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

#include <vector>

namespace clang {
class CompilerInstance;
}

namespace memshape::ast {

/// One call of an ASTConsumer's member function.
struct DeclarationEvent {
  enum KindType {
    TopLevel,
    InlineDefinition,
    TagDefinition,
    RequiredTagDefinition,
    ImplicitInstantiation,
    ObjCContainerDecl,
    TentativeDefinition,
    ExternalDeclaration,
    InheritanceModel,
    StaticMemberInstantiation,
    VTable
  } Kind;
  clang::DeclGroupRef Group; ///< a single declaration for all kinds but TopLevel and ObjCContainerDecl
};

/// Tells Consumer what Event says.
void play(const DeclarationEvent &Event, clang::ASTConsumer &Consumer);

/// Generates the unit again with locations and stores them in Facts. Does nothing when the main compilation has
/// locations itself or does not generate code.
void recordLocations(clang::CompilerInstance &CI, const std::vector<DeclarationEvent> &Events,
                     TranslationUnitFacts &Facts);

} // namespace memshape::ast
