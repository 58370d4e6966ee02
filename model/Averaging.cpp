//===- Averaging.cpp - Several bases, weighed by how well each predicted ===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/Averaging.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace memshape {

namespace {

StudentT predictOne(const Posterior &Of, const ScaledRow &At) {
  Row Relative = At.Terms / At.Scale;
  StudentT Found = Of.predict(Relative);
  Found.Location *= At.Scale;
  Found.Scale *= At.Scale;
  return Found;
}

} // namespace

Averaging::Averaging(const std::vector<Belief> &Bases, const std::vector<double> &LogWeights) {
  for (std::size_t I = 0; I < Bases.size(); ++I)
    Members.push_back({Posterior(Bases[I]), LogWeights[I], LogWeights[I]});
}

std::vector<double> Averaging::weights() const {
  double Greatest = -std::numeric_limits<double>::infinity(), Sum = 0;
  for (const Member &M : Members)
    Greatest = std::max(Greatest, M.LogWeight);
  std::vector<double> Found;
  for (const Member &M : Members)
    Sum += Found.emplace_back(std::exp(M.LogWeight - Greatest));
  for (double &Weight : Found)
    Weight /= Sum;
  return Found;
}

StudentT Averaging::predict(const std::vector<ScaledRow> &Rows) const {
  double Greatest = -std::numeric_limits<double>::infinity();
  for (const Member &M : Members)
    Greatest = std::max(Greatest, M.LogWeight);
  double Sum = 0, Mean = 0, Variance = 0, Squares = 0, Degrees = 0;
  for (std::size_t I = 0; I < Members.size(); ++I) {
    double Weight = std::exp(Members[I].LogWeight - Greatest);
    if (Weight < 1e-9)
      continue;
    StudentT One = predictOne(Members[I].Of, Rows[I]);
    // Running mean and spread of the members' locations (West 1979): no difference of large squares.
    Sum += Weight;
    double Ahead = One.Location - Mean;
    Mean += Weight / Sum * Ahead;
    Squares += Weight * Ahead * (One.Location - Mean);
    Variance += Weight * One.variance();
    Degrees += Weight * One.Degrees;
  }
  Degrees /= Sum;
  return {Mean, std::sqrt((Variance + Squares) / Sum * (Degrees - 2) / Degrees), Degrees};
}

void Averaging::observe(const std::vector<ScaledRow> &Rows, double Target) {
  for (std::size_t I = 0; I < Members.size(); ++I) {
    Row Relative = Rows[I].Terms / Rows[I].Scale;
    Members[I].LogWeight += predictOne(Members[I].Of, Rows[I]).logDensity(Target);
    Members[I].Of.observe(Relative, Target / Rows[I].Scale);
  }
}

void Averaging::observeAbove(const std::vector<ScaledRow> &Rows, double Limit) {
  for (std::size_t I = 0; I < Members.size(); ++I) {
    Row Relative = Rows[I].Terms / Rows[I].Scale;
    double Probability = predictOne(Members[I].Of, Rows[I]).exceeding(Limit);
    Members[I].LogWeight += std::log(std::max(Probability, std::numeric_limits<double>::min()));
    Members[I].Of.observeAbove(Relative, Limit / Rows[I].Scale);
  }
}

void Averaging::forget(double Kept) {
  for (Member &M : Members) {
    M.LogWeight = Kept * M.LogWeight + (1 - Kept) * M.FirstLogWeight;
    M.Of.forget(Kept);
  }
}

} // namespace memshape
