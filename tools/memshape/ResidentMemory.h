//===- ResidentMemory.h - What the process will hold, beside the skeleton's figures ===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_MEMSHAPE_RESIDENTMEMORY_H
#define MEMSHAPE_TOOLS_MEMSHAPE_RESIDENTMEMORY_H

#include "tools/memshape/Commands.h"
#include "tools/prediction/Answer.h"

namespace memshape {

/// Adds the resident peak to a prediction: from the generic prior, and from past runs where the store has some. Around
/// names the libraries that the process loads.
std::optional<Failure> addResident(Prediction &P, const PredictOptions &Options, const Surroundings &Around);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_MEMSHAPE_RESIDENTMEMORY_H
