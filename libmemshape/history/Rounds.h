// Predictions of past runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every run is a round: predict, run, compare, learn. Rounds are recomputed from the stored runs, each from earlier
// runs alone, so that the same store always gives the same rounds.

#pragma once

#include "libmemshape/history/HistoryPrediction.h"

#include <functional>
#include <nlohmann/json.hpp>

namespace memshape {

/// One run with its prediction.
struct Round {
  RunEntry Run;
  HistoryPrediction Before; ///< from the earlier runs of the same operator with the same symbols and settings
};

/// Heap peak of a call in bytes as its skeleton gives it; nothing where it gives none.
using HeapOf = std::function<std::optional<double>(const RunEntry &)>;

/// Runs in the order in which they came, with bounds at Confidence.
std::vector<Round> roundsOf(const Prior &Generic, const std::vector<RunEntry> &Runs, double Confidence,
                            const HeapOf &Skeleton);

/// The member `history` of a report: docs/commands.md.
nlohmann::ordered_json roundsJson(const std::vector<Round> &Rounds);

/// A text page: the newest Most rounds, and what was learned in all. Empty if there are none.
std::string roundsPage(const std::vector<Round> &Rounds, std::size_t Most);

} // namespace memshape
