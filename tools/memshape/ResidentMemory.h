//===- ResidentMemory.h - What the process will hold, beside the skeleton's figures -===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_MEMSHAPE_RESIDENTMEMORY_H
#define MEMSHAPE_TOOLS_MEMSHAPE_RESIDENTMEMORY_H

#include "libmemshape/history/RunLine.h"
#include "libmemshape/prediction/Answer.h"
#include "model/residency/Prior.h"
#include "tools/memshape/Commands.h"

namespace memshape {

/// Adds the resident peak to a prediction: from the generic prior, and from past runs where the store has some. Around
/// names the libraries that the process loads.
std::optional<Failure> addResident(Prediction &P, const PredictOptions &Options, const Surroundings &Around);

/// What the model is told of a prediction's call.
Situation situationOf(const Prediction &P, const PredictOptions &Options, const Surroundings &Around);

/// Past runs of the operator at shapes with the same symbols, with the same settings. A store that was not named may be
/// missing, or unreadable: then a note says so. Where they are few, Family gets the scores of the store's other
/// operators.
Result<std::vector<RunEntry>> pastRuns(Prediction &P, const PredictOptions &Options, const Situation &At,
                                       Prior *Family = nullptr);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_MEMSHAPE_RESIDENTMEMORY_H
