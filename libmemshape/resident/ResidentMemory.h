// What the process will hold, beside the skeleton's figures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/history/RunLine.h"
#include "libmemshape/prediction/Answer.h"
#include "model/residency/Prior.h"

namespace memshape {

/// What the resident peak is predicted from, beside the prediction itself.
struct ResidentRequest {
  std::string Store;        ///< of past runs; empty: the default one
  std::string Model;        ///< the generic prior; empty: the one of this build
  double Confidence = 0.99; ///< of the bound, above 0 and below 1
  double Held = Unknown;    ///< bytes that the process holds besides, tensors passed in among them; Unknown:
                            ///< the arguments that the skeleton builds
  double Fresh = Unknown;   ///< bytes of Held that nobody has written before the call
};

/// Adds the resident peak to a prediction: from the generic prior, and from past runs where the store has some. Around
/// names the libraries that the process loads.
std::optional<Failure> addResident(Prediction &P, const ResidentRequest &Request, const Surroundings &Around);

/// What the model is told of a prediction's call.
Situation situationOf(const Prediction &P, const ResidentRequest &Request, const Surroundings &Around);

/// Past runs of the operator at shapes with the same symbols, with the same settings. A store that was not named may be
/// missing, or unreadable: then a note says so. Where they are few, Family gets the scores of the store's other
/// operators.
Result<std::vector<RunEntry>> pastRuns(Prediction &P, const ResidentRequest &Request, const Situation &At,
                                       Prior *Family = nullptr);

/// Bytes of files that a process of these files has in memory before main, beyond a small program and its libraries:
/// the program itself, and parts of libraries that symbols it imports set up (libraries/*/start).
double startBytes(const std::vector<InstrumentedFile> &Files);

} // namespace memshape
