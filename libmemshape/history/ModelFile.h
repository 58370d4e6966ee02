// The generic prior that a command uses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"
#include "model/residency/Prior.h"

namespace memshape {

/// The model file at Path, or the one that this build brings where Path is empty.
Result<Prior> loadPrior(const std::string &Path);

} // namespace memshape
