// Entry point of the pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

namespace llvm {
class PassBuilder;
class Triple;
} // namespace llvm

namespace memshape {

/// Adds memshape to the pipelines that PB builds, and its names (`memshape`, `memshape-skeleton`, ...) to opt's.
/// Registering twice is harmless: a module flag ensures that each module is processed once.
void registerPasses(llvm::PassBuilder &PB);

/// Whether code for Target is processed. Device code, and code for other machines, is left as it is: its skeletons
/// could not be run here, and the runtime would not receive its hooks. Where it has a section for it, a record says so.
bool worksOn(const llvm::Triple &Target);

/// Whether an object file for Target has a section for records, if only for one that says why there is no other. Device
/// code has none.
bool canHoldRecords(const llvm::Triple &Target);

/// Reads summaries of closed libraries (docs/libraries.md) for all modules of this process. False where the file cannot
/// be read or is not well formed; Problem is then one line that names it.
bool readSummaries(const std::string &Path, std::string &Problem);

} // namespace memshape
