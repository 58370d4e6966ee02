// What a process will hold, in memshape.prediction/1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Prediction.h"

#include <nlohmann/json.hpp>

namespace memshape {

nlohmann::ordered_json residentJson(const std::optional<ResidentPeak> &Resident) {
  if (!Resident)
    return {{"peak_bytes", nullptr}, {"upper_bytes", nullptr}, {"confidence", nullptr}};
  return {{"peak_bytes", Resident->Peak},
          {"upper_bytes", Resident->Upper ? nlohmann::ordered_json(*Resident->Upper) : nlohmann::ordered_json(nullptr)},
          {"confidence", Resident->Confidence},
          {"evidence", Resident->Runs ? "history" : "prior"},
          {"runs", Resident->Runs},
          {"held_known", Resident->HeldKnown}};
}

} // namespace memshape
