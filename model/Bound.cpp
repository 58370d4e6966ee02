//===- Bound.cpp - A bound that is exceeded as rarely as asked ----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/Bound.h"

#include <algorithm>
#include <cmath>

namespace memshape {

/// Where coverage and width of pools of this size were measured: bench/accuracy.
static constexpr double TestedConfidence = 0.99;

void OnlineQuantile::observe(double Score) {
  ++Count;
  double Step = std::pow(static_cast<double>(Count), -0.6);
  Threshold += Step * ((Score > Threshold ? 1.0 : 0.0) - (1 - Confidence));
}

void ScorePool::add(const std::vector<double> &Scores) {
  if (Scores.empty())
    return;
  ++Operators;
  for (double Score : Scores)
    All.push_back({Score, 1 / static_cast<double>(Scores.size())});
  std::sort(All.begin(), All.end(), [](const Weighted &A, const Weighted &B) { return A.Score < B.Score; });
}

double ScorePool::quantile(double Confidence, double Degrees) const {
  if (All.empty())
    return standardQuantile(Confidence, Degrees);
  double Count = static_cast<double>(Operators), Level = Confidence * (Count + 1) / Count;
  if (Level < 1) {
    double Below = 0;
    for (const Weighted &W : All) {
      Below += W.Weight / Count;
      if (Below >= Level)
        return W.Score;
    }
    return All.back().Score;
  }
  // So few operators cannot say it: their largest score, and beyond the confidence that their corpus was tested at the
  // tail of the t distribution.
  double Further = std::max(1.0, standardQuantile(Confidence, Degrees) / standardQuantile(TestedConfidence, Degrees));
  return std::max(All.back().Score, 0.0) * Further;
}

std::vector<double> ScorePool::numbers() const {
  constexpr double Step = 1.0 / 200;
  std::vector<double> Found{static_cast<double>(Operators)};
  double Count = static_cast<double>(Operators), Gathered = 0, Passed = 0;
  for (std::size_t I = 0; I < All.size(); ++I) {
    Gathered += All[I].Weight / Count;
    Passed += All[I].Weight / Count;
    bool Last = I + 1 == All.size();
    if (!Last && (Passed < 0.5 || Gathered < Step))
      continue;
    Found.push_back(All[I].Score);
    Found.push_back(Gathered);
    Gathered = 0;
  }
  return Found;
}

bool ScorePool::fromNumbers(const std::vector<double> &Numbers, ScorePool &Into) {
  if (Numbers.size() % 2 == 0 || Numbers[0] < 0)
    return false;
  Into.Operators = static_cast<std::size_t>(Numbers[0]);
  Into.All.clear();
  for (std::size_t I = 1; I + 1 < Numbers.size(); I += 2) {
    if (Numbers[I + 1] < 0 || (!Into.All.empty() && Numbers[I] < Into.All.back().Score))
      return false;
    Into.All.push_back({Numbers[I], Numbers[I + 1] * Numbers[0]});
  }
  return true;
}

double upperBound(const StudentT &Predicted, double Confidence, double Start, const OnlineQuantile &Own, double Cap) {
  double Factor = Own.threshold();
  if (static_cast<double>(Own.count()) * (1 - Confidence) < 1)
    Factor = std::max(Factor, Start);
  return std::min(Cap, std::max(Predicted.Location, Predicted.Location + Factor * Predicted.Scale));
}

} // namespace memshape
