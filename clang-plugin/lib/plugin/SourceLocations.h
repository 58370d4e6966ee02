//===- SourceLocations.h - The unit's declarations, generated a second time -===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without -g the main module has no source locations, and changing its options would change the object file. So the
// events that drove the compiler's code generator are recorded and, when the unit has operators, played to a second one
// that tracks locations. Both generate the same instructions; the pass copies the locations over, checking opcode by
// opcode.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SOURCELOCATIONS_H
#define MEMSHAPE_SOURCELOCATIONS_H

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

/// Generates the unit again with locations and stores them in Facts. Does nothing when the main compilation has
/// locations itself or does not generate code.
void recordLocations(clang::CompilerInstance &CI, const std::vector<DeclarationEvent> &Events,
                     TranslationUnitFacts &Facts);

} // namespace memshape::ast

#endif // MEMSHAPE_SOURCELOCATIONS_H
