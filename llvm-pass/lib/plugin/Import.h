// The plugin's facts become metadata.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/PassManager.h"

namespace memshape {

/// Runs at the start of the pipeline. Writes the operators that the plugin found (without a plugin, the annotated
/// functions) into the module's metadata. Gives instructions the locations that a compilation without -g lacks.
struct ImportPass : llvm::PassInfoMixin<ImportPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace memshape
