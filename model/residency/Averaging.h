// Several bases, weighed by how well each predicted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/residency/Posterior.h"

#include <vector>

namespace memshape {

/// A row of a basis with the size of the noise there: memory errors grow with memory, so that rows and targets are
/// divided by Scale before they are learned.
struct ScaledRow {
  Row Terms;        ///< one value per term, in the unit of the target
  double Scale = 1; ///< positive, in the unit of the target
};

/// Bases beyond this many are left out.
constexpr std::size_t MostBases = 24;

/// Bayesian model averaging: each basis of terms has a posterior of its own, and its weight is multiplied by the
/// density that it gave to every observation before it saw it, which is the exact marginal likelihood (Hoeting et al.,
/// Statistical Science 1999).
class Averaging {
public:
  /// One belief per basis, on rows and targets divided by the scale. LogWeights are prior ones; any constant may be
  /// left out.
  Averaging(const std::vector<Belief> &Bases, const std::vector<double> &LogWeights);

  /// Weights that sum to 1.
  std::vector<double> weights() const;

  /// The mixture as one t distribution, in the unit of the target, for looking upwards: its location is the weighted
  /// median of the members', so that an unlikely basis does not pull, and its scale is what the mixture spreads above
  /// that (upper semideviation). Rows holds one per basis.
  StudentT predict(const std::vector<ScaledRow> &Rows) const;
  /// Of the mixture itself.
  double logDensity(const std::vector<ScaledRow> &Rows, double Target) const;
  void observe(const std::vector<ScaledRow> &Rows, double Target);
  void observeAbove(const std::vector<ScaledRow> &Rows, double Limit);
  void forget(double Kept);

private:
  double greatestLogWeight() const;

  struct Member {
    Posterior Of;
    double LogWeight, FirstLogWeight;
  };
  std::vector<Member> Members;
};

} // namespace memshape
