// A bound that is exceeded as rarely as asked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/Bound.h"

#include <algorithm>
#include <cmath>

namespace memshape {

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
  // So few operators cannot say it: from what the largest of their scores stands for along their own tail.
  double Beyond = (Count + 1) * (1 - Confidence);
  double Further = Beyond < 1 - 1e-9 ? std::pow(Beyond, -tailIndex()) : 1;
  return std::max(All.back().Score, 0.0) * Further;
}

double ScorePool::tailIndex() const {
  double Count = static_cast<double>(Operators), Top = std::sqrt(Count), Gathered = 0, Logs = 0;
  std::size_t First = All.size();
  for (; First > 1 && Gathered + All[First - 1].Weight <= Top; --First)
    Gathered += All[First - 1].Weight;
  double Threshold = All[First - 1].Score;
  if (!(Threshold > 0) || !(Gathered > 0))
    return MostTailIndex;
  for (std::size_t I = First; I < All.size(); ++I)
    Logs += All[I].Weight * std::log(All[I].Score / Threshold);
  return std::min(Logs / Gathered, MostTailIndex);
}

/// Towards infinity, or towards nothing, at four significant digits; what has four already stays as it is.
static double shortened(double Value, bool Up) {
  if (Value == 0)
    return 0;
  double Unit = std::pow(10.0, std::floor(std::log10(std::abs(Value))) - 3);
  constexpr double Rounding = 1e-6;
  return (Up ? std::ceil(Value / Unit - Rounding) : std::floor(Value / Unit + Rounding)) * Unit;
}

std::vector<double> ScorePool::numbers() const {
  constexpr double Step = 1.0 / 80, StepAbove = 1.0 / 400, Above = 0.95;
  std::vector<double> Found{static_cast<double>(Operators)};
  double Count = static_cast<double>(Operators), Gathered = 0, Passed = 0;
  for (std::size_t I = 0; I < All.size(); ++I) {
    Gathered += All[I].Weight / Count;
    Passed += All[I].Weight / Count;
    bool Last = I + 1 == All.size();
    if (!Last && (Passed < 0.5 || Gathered < (Passed < Above ? Step : StepAbove)))
      continue;
    Found.push_back(shortened(All[I].Score, true));
    Found.push_back(shortened(Gathered, false));
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

double boundScore(double Confidence, double Start, const std::vector<double> &Scores) {
  OnlineQuantile Own(Confidence, Start);
  for (double Score : Scores)
    Own.observe(Score);
  bool Enough = static_cast<double>(Own.count()) * (1 - Confidence) >= 1;
  return Enough ? Own.threshold() : std::max(Own.threshold(), Start);
}

} // namespace memshape
