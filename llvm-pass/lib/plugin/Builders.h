// Functions that build arguments, in the module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "memshape/Handover.h"
#include "llvm/IR/Module.h"

namespace memshape {

/// The plugin has handed over functions that build arguments of class type.
bool hasBuilders();

/// The operator's builder only tells what it returns: it has the parameters of the operator.
bool buildsNothing(const OperatorFact &Fact);

/// The operator with this symbol has a builder that builds something.
bool isBuilt(const OperatorFact &Fact);

/// Of the code that was handed over, the functions whose names are Wanted and what they use, simplified; null where it
/// cannot be read.
std::unique_ptr<llvm::Module> builderCode(llvm::LLVMContext &C, llvm::function_ref<bool(llvm::StringRef Name)> Wanted);

/// Links them into Copy, a copy of the unit's module that skeletons are cut from, in a process of its own. From then on
/// such a function is the operator there: its parameters are the numbers that the arguments are built from. False where
/// they cannot be linked.
bool linkBuilders(llvm::Module &Copy);

} // namespace memshape
