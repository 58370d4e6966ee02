// Each stage as a pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stage runs in two ways: among others of its kind, when a skeleton is made, and alone, when opt is told its name:
//
//     opt -passes='memshape-operator<smooth>,memshape-extract,memshape-allocations' -S smooth.ll
//
// What stages hand on to each other is the result of an analysis that no stage invalidates, so that several names in
// one pipeline share it. A stage that runs without those before it takes the module as it is, and its first operator.

#pragma once

#include "skeleton/SkeletonState.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
}

namespace memshape {

/// Makes a skeleton of this kind by its stages. Null where there is none: State says why. Watch may be null.
std::unique_ptr<llvm::Module> runStages(SkeletonKind Kind, SkeletonState &State,
                                        llvm::PassInstrumentationCallbacks *Watch);

/// Adds the stage of this name, for opt, or memshape-document, which prints what the stages before it have found out.
/// False where there is none.
bool addStage(llvm::StringRef Name, llvm::ModulePassManager &Passes);

/// Puts what Other has in the place of all that M has.
void replaceModule(llvm::Module &M, std::unique_ptr<llvm::Module> Other);

/// Tells PB's analyses what stages share, and PB's instrumentation their names.
void registerStages(llvm::PassBuilder &PB);

} // namespace memshape
