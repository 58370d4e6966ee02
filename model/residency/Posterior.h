// Bayesian regression, one observation at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bayesian linear regression with unknown noise: a normal-inverse-gamma prior is conjugate, so that the belief after
// any number of observations is again one, and the prediction a Student t distribution:
//
//   y = phi' w + noise,   noise ~ N(0, v),   w | v ~ N(Mean, v Precision^-1),   v ~ InverseGamma(Shape, Rate)
//
// Updates of rank one (Gelman et al., Bayesian Data Analysis, 3rd ed., 14.2; sequential form in Bishop, PRML, 3.3).

#pragma once

#include "model/residency/StudentT.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace memshape {

/// Terms of a basis at most; no belief or prediction takes memory from the heap.
constexpr int MostTerms = 16;
/// One value per term of a basis.
using Row = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, MostTerms, 1>;
/// Terms by terms.
using TermMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, MostTerms, MostTerms>;

/// What is believed about coefficients and noise. Row and target are scaled by whoever asks, so that the noise is alike
/// for all observations.
struct Belief {
  Row Mean;             ///< of the coefficients, d values
  TermMatrix Precision; ///< d by d, positive definite, in units of 1/noise variance
  double Shape = 1;     ///< half the number of observations behind the noise, above 1
  double Rate = 1;      ///< half their sum of squares
};

class Posterior {
public:
  explicit Posterior(const Belief &Prior);

  const Row &mean() const { return Mean; }
  double shape() const { return Shape; }
  double rate() const { return Rate; }

  /// Distribution of the target at a row of d values. O(d^2).
  StudentT predict(const Row &At) const;

  /// Learns a pair of row and target. O(d^2).
  void observe(const Row &At, double Target);

  /// Learns that the target was more than Limit: a run that was killed there. The expected sufficient statistics of the
  /// truncated distribution take the place of the unseen target (expectation step for a Tobit model, Dempster, Laird
  /// and Rubin 1977).
  void observeAbove(const Row &At, double Limit);

  /// Keeps the share Kept (0 to 1) of what was learned and goes back to the prior for the rest, after a change of
  /// compiler, allocator or host (stabilised forgetting, Kulhavy and Zarrop 1993). O(d^3).
  void forget(double Kept);

private:
  void learn(const Row &At, double Target, double ExtraSquare);

  Belief Prior;
  Eigen::LLT<TermMatrix> Factor; ///< of the precision
  Row Mean;
  double Shape, Rate;
};

} // namespace memshape
