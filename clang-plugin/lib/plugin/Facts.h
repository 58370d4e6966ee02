//===- Facts.h - What the pass is told of the unit ------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_FACTS_H
#define MEMSHAPE_FACTS_H

#include "naming/Operators.h"
#include "plugin/SourceLocations.h"

#include "memshape/Handover.h"

#include <vector>

namespace memshape::ast {

/// Gathers the facts of a unit with operators. Syntax trees are large and of many kinds: they are walked, and code is
/// generated from them, apart from the compilation (memshape/Apart.h). What could not be had is among the notes.
void gatherFacts(clang::CompilerInstance &CI, const std::vector<Operator> &Operators,
                 const std::vector<DeclarationEvent> &Events, TranslationUnitFacts &Facts);

} // namespace memshape::ast

#endif // MEMSHAPE_FACTS_H
