// Student's t distribution.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace memshape {

/// A t distribution, moved and stretched: what a Bayesian regression with unknown noise predicts.
struct StudentT {
  double Location = 0; ///< in the unit of what is predicted
  double Scale = 1;    ///< positive, in the same unit
  double Degrees = 1;  ///< of freedom, positive

  /// Probability of a value up to Value.
  double cumulative(double Value) const;
  /// Probability of a value above Value; keeps its digits far out in the tail.
  double exceeding(double Value) const;
  /// The value that is not exceeded with probability Probability, 0 < Probability < 1.
  double quantile(double Probability) const;
  double logDensity(double Value) const;
  /// Infinite up to two degrees of freedom.
  double variance() const;
};

/// Probability above Value of the standard t distribution.
double upperTail(double Value, double Degrees);

/// The value that a standard t variable does not exceed with probability Probability, 0 < Probability < 1.
double standardQuantile(double Probability, double Degrees);

/// Mean and mean square of a standard t variable, given that it exceeds Limit. Degrees above two.
struct Truncated {
  double Mean = 0, MeanSquare = 0;
};
Truncated exceedingMoments(double Limit, double Degrees);

} // namespace memshape
