// What a value follows from.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "operators/Operators.h"
#include "llvm/IR/Instruction.h"

namespace memshape {

/// Each is stronger than those before it.
enum class Dependence { Constant, Shape, Setting, Unknown, Data };

llvm::StringRef wordOf(Dependence D);

/// The strongest thing that V, a value of Op's function, follows from by arithmetic. Unknown in functions that it calls,
/// and where memory that is no tensor is read.
Dependence dependenceOf(const llvm::Value &V, const Operator &Op);

} // namespace memshape
