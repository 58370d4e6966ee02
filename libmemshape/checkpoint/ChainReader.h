// Chains of steps that differ.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"
#include "model/checkpointing/StepChain.h"

#include <string_view>

namespace memshape {

/// The steps of a document of memshape.chain/1, docs/checkpoints.md.
Result<std::vector<checkpointing::Step>> readChain(std::string_view Text);

} // namespace memshape
