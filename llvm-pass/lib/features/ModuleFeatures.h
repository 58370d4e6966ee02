// Features of operators, read from instructions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/Module.h"
#include <string>

namespace memshape {

/// The document memshape.features/1 of M's operators, docs/formats.md, section 2: their parameters, places that allocate,
/// and control statements, with lines where M has debug information. What instructions do not show is unknown: the
/// variables that hold memory, and what the operator gives back.
std::string moduleFeatures(llvm::Module &M);

} // namespace memshape
