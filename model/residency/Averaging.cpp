// Several bases, weighed by how well each predicted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/Averaging.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace memshape {

static StudentT predictOne(const Posterior &Of, const ScaledRow &At) {
  Row Relative = At.Terms / At.Scale;
  StudentT Found = Of.predict(Relative);
  Found.Location *= At.Scale;
  Found.Scale *= At.Scale;
  return Found;
}

Averaging::Averaging(const std::vector<Belief> &Bases, const std::vector<double> &LogWeights) {
  for (std::size_t I = 0; I < std::min(Bases.size(), MostBases); ++I)
    Members.push_back({Posterior(Bases[I]), LogWeights[I], LogWeights[I]});
}

double Averaging::greatestLogWeight() const {
  double Greatest = -std::numeric_limits<double>::infinity();
  for (const Member &M : Members)
    Greatest = std::max(Greatest, M.LogWeight);
  return Greatest;
}

std::vector<double> Averaging::weights() const {
  double Greatest = greatestLogWeight(), Sum = 0;
  std::vector<double> Found;
  for (const Member &M : Members)
    Sum += Found.emplace_back(std::exp(M.LogWeight - Greatest));
  for (double &Weight : Found)
    Weight /= Sum;
  return Found;
}

StudentT Averaging::predict(const std::vector<ScaledRow> &Rows) const {
  struct Weighed {
    double Weight, Location, Deviation;
  };
  Weighed Seen[MostBases];
  std::size_t Count = 0;
  double Greatest = greatestLogWeight(), Sum = 0, Degrees = 0;
  for (std::size_t I = 0; I < Members.size(); ++I) {
    double Weight = std::exp(Members[I].LogWeight - Greatest);
    if (Weight < 1e-9)
      continue;
    StudentT One = predictOne(Members[I].Of, Rows[I]);
    Sum += Weight;
    Degrees += Weight * One.Degrees;
    // In order of location, from the right place backwards: there are few.
    std::size_t Place = Count++;
    for (; Place > 0 && Seen[Place - 1].Location > One.Location; --Place)
      Seen[Place] = Seen[Place - 1];
    Seen[Place] = {Weight, One.Location, std::sqrt(One.variance())};
  }
  Degrees /= Sum;
  double Below = 0, Median = Seen[Count - 1].Location;
  for (std::size_t I = 0; I < Count; ++I)
    if ((Below += Seen[I].Weight) >= 0.5 * Sum) {
      Median = Seen[I].Location;
      break;
    }
  double Above = 0;
  for (std::size_t I = 0; I < Count; ++I) {
    // E[max(x - median, 0)^2] of a normal variable.
    double Z = (Median - Seen[I].Location) / Seen[I].Deviation;
    double Tail = 0.5 * std::erfc(Z / std::numbers::sqrt2),
           Density = std::exp(-0.5 * Z * Z) / std::sqrt(2 * std::numbers::pi);
    Above += Seen[I].Weight * Seen[I].Deviation * Seen[I].Deviation * std::max((1 + Z * Z) * Tail - Z * Density, 0.0);
  }
  double Variance = std::max(2 * Above / Sum, std::numeric_limits<double>::min());
  return {Median, std::sqrt(Variance * (Degrees - 2) / Degrees), Degrees};
}

double Averaging::logDensity(const std::vector<ScaledRow> &Rows, double Target) const {
  double Greatest = greatestLogWeight(), Sum = 0, Density = 0;
  for (std::size_t I = 0; I < Members.size(); ++I) {
    double Weight = std::exp(Members[I].LogWeight - Greatest);
    Sum += Weight;
    Density += Weight * std::exp(predictOne(Members[I].Of, Rows[I]).logDensity(Target));
  }
  return std::log(std::max(Density / Sum, std::numeric_limits<double>::min()));
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
