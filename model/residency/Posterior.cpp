// Bayesian regression, one observation at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/residency/Posterior.h"

#include <cmath>

namespace memshape {

Posterior::Posterior(const Belief &Prior)
    : Prior(Prior), Factor(Prior.Precision), Mean(Prior.Mean), Shape(Prior.Shape), Rate(Prior.Rate) {}

StudentT Posterior::predict(const Row &At) const {
  Row Whitened = At;
  Factor.matrixL().solveInPlace(Whitened);
  return {At.dot(Mean), std::sqrt(Rate / Shape * (1 + Whitened.squaredNorm())), 2 * Shape};
}

void Posterior::learn(const Row &At, double Target, double ExtraSquare) {
  Row Direction = At;
  Factor.solveInPlace(Direction);
  double Spread = 1 + At.dot(Direction), Error = Target - At.dot(Mean);
  Mean += Direction * (Error / Spread);
  Factor.rankUpdate(At, 1);
  Shape += 0.5;
  Rate += 0.5 * (Error * Error / Spread + ExtraSquare);
}

void Posterior::observe(const Row &At, double Target) { learn(At, Target, 0); }

void Posterior::observeAbove(const Row &At, double Limit) {
  StudentT Expected = predict(At);
  if (Expected.Degrees <= 2)
    return;
  double Standard = (Limit - Expected.Location) / Expected.Scale;
  Truncated Above = exceedingMoments(Standard, Expected.Degrees);
  double Variance = (Above.MeanSquare - Above.Mean * Above.Mean) * Expected.Scale * Expected.Scale;
  // What the coefficients leave open is part of the variance already; the noise's share is all that the rate may take.
  double Noise = Rate / Shape;
  learn(At, Expected.Location + Expected.Scale * Above.Mean, std::min(Variance, Noise));
}

void Posterior::forget(double Kept) {
  TermMatrix Precision = Factor.reconstructedMatrix();
  TermMatrix Mixed = Kept * Precision + (1 - Kept) * Prior.Precision;
  Row Weighted = Kept * (Precision * Mean) + (1 - Kept) * (Prior.Precision * Prior.Mean);
  Factor.compute(Mixed);
  Mean = Factor.solve(Weighted);
  Shape = Kept * Shape + (1 - Kept) * Prior.Shape;
  Rate = Kept * Rate + (1 - Kept) * Prior.Rate;
}

} // namespace memshape
