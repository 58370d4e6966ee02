// From records of many operators to the generic prior.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/residency/Prior.h"

#include <vector>

namespace memshape {

/// A run with its resident peak, and its heap peak with the skeleton's bounds where they are known; bytes.
struct ResidentRun {
  Situation At;
  double Peak = 0;
  double HeapPeak = Unknown;
  double HeapLower = Unknown;
  double HeapUpper = Unknown; ///< infinite where the skeleton found that there is none
};

/// The situation that a run's bound is for: where data decides, the heap is at its own bound; nothing where it has
/// none.
std::optional<Situation> atHeapBound(const ResidentRun &Run);

/// The runs of one operator, in the order in which a history would have them: smallest first.
using OperatorRuns = std::vector<ResidentRun>;

/// Deterministic: the same runs in the same order give the same prior, bit for bit on one platform.
///
/// Coefficients by a ridge regression of relative errors in which outliers count less (Cauchy's weights, iteratively
/// reweighted from the guess that every byte is resident once) and operators count alike. Spread by the greatest
/// prequential likelihood (type II maximum likelihood) on residuals of operators that were left out. Pools of scores
/// from the same. Operators whose first run does not say what its caller held say what processes have of their own, and
/// nothing else.
Prior trainPrior(const std::vector<OperatorRuns> &Corpus);

/// Adds an operator's scores against Generic to the pools of To: those of its later runs after each length of history.
void addScores(Prior &To, const Prior &Generic, const OperatorRuns &Runs);

/// The regression alone, without operator LeftOut (none where it is Corpus.size()) and without the terms in Without, a
/// set of bits of PriorTerm; these stay at 0.
Row fitCoefficients(const std::vector<OperatorRuns> &Corpus, std::size_t LeftOut, unsigned Without = 0);

} // namespace memshape
