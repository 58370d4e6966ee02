// Writes a module's records into its section.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Passes/OptimizationLevel.h"
#include <string>

namespace memshape {

/// Writes into M's section what its source says, its code, and a skeleton for each of its operators. Skeletons are cut
/// from Copy, an earlier state of M, or from M if Copy is null. The code is Copy's if CopyKeptAll says that both
/// allocate the same. A child process makes all but the first (memshape/Apart.h). If a skeleton cannot be made, its
/// record gives the reason. Returns the code of readers, for linkReaders().
std::string embedRecords(llvm::Module &M, llvm::Module *Copy, bool CopyKeptAll, llvm::OptimizationLevel Level);

/// Writes a record that gives the reason why M keeps no others.
void embedReason(llvm::Module &M, llvm::StringRef Reason);

} // namespace memshape
