//===- ChainReader.h - Chains of steps that differ --------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_CHECKPOINT_CHAINREADER_H
#define MEMSHAPE_CHECKPOINT_CHAINREADER_H

#include "libmemshape/text/Result.h"
#include "model/checkpointing/StepChain.h"

#include <string_view>

namespace memshape {

/// The steps of a document of memshape.chain/1, docs/checkpoints.md.
Result<std::vector<checkpointing::Step>> readChain(std::string_view Text);

} // namespace memshape

#endif // MEMSHAPE_CHECKPOINT_CHAINREADER_H
