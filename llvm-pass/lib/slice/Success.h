// How a library call is taken to go.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A factorisation can fail, and says so: `info != 0`. Whether it does is up to the data, so the comparison is a
// decision; the answer that is taken by default is the one of a call that went well.

#pragma once

#include "llvm/IR/Instruction.h"
#include <optional>

namespace memshape {

/// What Verdict says where the library call that it asks about went well; nothing where it asks about something else.
std::optional<bool> answerOfSuccess(const llvm::Instruction &Verdict);

} // namespace memshape
