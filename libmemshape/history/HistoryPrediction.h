// A prediction from past runs alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/history/RunLine.h"
#include "libmemshape/skeletons/Note.h"
#include "model/residency/OperatorModel.h"

namespace memshape {

/// What past runs and the generic prior predict for one call.
struct HistoryPrediction {
  std::optional<Forecast> Heap;     ///< bytes; nothing if no run has it
  std::optional<Forecast> Resident; ///< bytes of the process
  std::string Formula;              ///< the formula that the runs contain; may be empty
  std::size_t HeapRuns = 0, ResidentRuns = 0;
  std::vector<Note> Notes;
};

/// Runs in the order in which they were added. At gets the footprint of Runs, if they have one and At has none.
HistoryPrediction predictFromHistory(const Prior &Generic, const std::vector<RunEntry> &Runs, Situation At,
                                     double Confidence);

/// memshape.prediction/1 of docs/commands.md, with "evidence": "history".
/// Asked has operator, shape and settings.
std::string historyJson(const RunEntry &Asked, const HistoryPrediction &P, double Confidence, double Microseconds);
/// The text page.
std::string historyPage(const RunEntry &Asked, const HistoryPrediction &P, double Confidence);

} // namespace memshape
