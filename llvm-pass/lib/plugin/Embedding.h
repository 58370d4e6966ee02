// Writes a module's records into its section.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "memshape/Section.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
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

/// One record of docs/formats.md, section 1, as module-level assembly: the module's object file will carry it.
std::string recordText(RecordKind Kind, llvm::ArrayRef<char> Payload);

/// The optimised module, for use at predict time: the payload of the record of kind Module. An operator may call
/// functions of other translation units. Their bodies are available only when a prediction is made, so each unit leaves
/// its own beside its machine code. Empty if M has neither an operator nor anything that another unit may call or read.
/// Debug information is reduced to line tables.
llvm::SmallString<0> moduleRecord(llvm::Module &M);

/// The same with a reason instead of code.
llvm::SmallString<0> withoutCode(const llvm::Module &M, llvm::StringRef Reason);

} // namespace memshape
