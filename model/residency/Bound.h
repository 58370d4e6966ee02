// A bound that is exceeded as rarely as asked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A prediction's own spread is only as right as its model. The bound therefore also follows what really happened:
// scores (observed less predicted, over the predicted scale) are kept, and the bound lies where few enough of them were
// above.

#pragma once

#include "model/residency/StudentT.h"

#include <cstdint>
#include <vector>

namespace memshape {

/// One-sided online conformal quantile: after every score the threshold moves up by the step where it was exceeded and
/// down a little where it was not. Long-run coverage for any sequence, convergence for an independent one: steps of
/// t^(-1/2-e) (Angelopoulos, Barber, Bates, "Online conformal prediction with decaying step sizes", ICML 2024).
class OnlineQuantile {
public:
  /// Confidence in (0, 1); Start in scores.
  OnlineQuantile(double Confidence, double Start) : Confidence(Confidence), Threshold(Start) {}
  void observe(double Score);
  double threshold() const { return Threshold; }
  std::uint64_t count() const { return Count; }

private:
  double Confidence, Threshold;
  std::uint64_t Count = 0;
};

/// Scores of many operators, for one whose own history is short: few-shot conformal prediction over a family of tasks
/// (Fisch et al., ICML 2021). Each operator counts the same, however many scores it brought.
class ScorePool {
public:
  /// Scores of one operator, in any order.
  void add(const std::vector<double> &Scores);
  bool empty() const { return All.empty(); }
  std::size_t operators() const { return Operators; }

  /// The score that a new operator stays below with probability Confidence: the pool's quantile at
  /// Confidence (1 + 1/operators), the finite-sample correction of split conformal prediction with operators as the
  /// exchangeable unit (Lee, Barber, Willett, "Distribution-free inference with hierarchical data", 2023). Where the
  /// pool is too small for that, its largest score, which stands for n/(n + 1) of n operators, and from there to
  /// Confidence by a Pareto tail: so many operators say nothing of what lies further out but how their own largest
  /// scores lie apart (Weissman, "Estimation of parameters and large quantiles", JASA 1978), however long the history
  /// of the operator asked about is. An empty pool says what a t distribution with Degrees does.
  double quantile(double Confidence, double Degrees) const;

  /// For the model file: the count of operators, then pairs of score and weight of four digits, the lower half left out
  /// and the rest thinned, each weight at a score that is not below its own.
  std::vector<double> numbers() const;
  static bool fromNumbers(const std::vector<double> &Numbers, ScorePool &Into);

private:
  /// Scores are in units of a scale that comes from a variance: no tail is taken to be so heavy that it has none.
  static constexpr double MostTailIndex = 0.5;
  /// Hill's estimate (Annals of Statistics 1975) from scores that weigh as much as the root of the operators' count.
  double tailIndex() const;

  struct Weighted {
    double Score, Weight;
  };
  std::vector<Weighted> All; ///< ascending
  std::size_t Operators = 0;
};

/// The score at which an operator's bound lies. Start is where the family's pool, or the t distribution, puts it; from
/// there it follows the operator's own Scores, but is never below Start while these are fewer than 1/(1 - Confidence).
double boundScore(double Confidence, double Start, const std::vector<double> &Scores);

} // namespace memshape
