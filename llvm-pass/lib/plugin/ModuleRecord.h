// The optimised module, for use at predict time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operator may call functions of other translation units. Their bodies are available only when a prediction is made,
// so each unit leaves its own beside its machine code.

#pragma once

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace memshape {

/// The payload of the record of kind Module. Empty if M has neither an operator nor anything that another unit may call
/// or read. Debug information is reduced to line tables.
/// The payload of a record that has a reason instead of code.
llvm::SmallString<0> withoutCode(const llvm::Module &M, llvm::StringRef Reason);

llvm::SmallString<0> moduleRecord(llvm::Module &M);

} // namespace memshape
