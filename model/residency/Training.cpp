// From records of many operators to the generic prior.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/Training.h"

#include "model/residency/OperatorModel.h"

#include <algorithm>
#include <cmath>

namespace memshape {

/// Relative errors of this size count half, larger ones less and less: an operator that never touches what it requests
/// says nothing about those that do.
constexpr double HalfWeightError = 0.01;
constexpr int Reweightings = 40;
/// Longer histories bring no scores to the last pools.
constexpr std::size_t LongestPooledHistory = 9;
/// Half the corpus' worth of one run for the guess that the regression starts from.
constexpr double GuessWeight = 0.02;

static double logLikelihood(const std::vector<OperatorRuns> &Corpus, const std::vector<Prior> &LeftOut,
                            const Spread &Around) {
  double Sum = 0;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    if (Corpus[O].empty())
      continue;
    Prior Mine = LeftOut[O];
    Mine.Around = Around;
    const ResidentRun &First = Corpus[O].front();
    double Here = OperatorModel(Mine, Target::Resident, First.At).logDensity(First.At, First.Peak);
    OperatorModel Model(Mine, Target::Resident, First.At, First.Peak);
    Model.observe(First.At, First.Peak);
    for (std::size_t I = 1; I < Corpus[O].size(); ++I) {
      Here += Model.logDensity(Corpus[O][I].At, Corpus[O][I].Peak);
      Model.observe(Corpus[O][I].At, Corpus[O][I].Peak);
    }
    Sum += Here / static_cast<double>(Corpus[O].size());
  }
  return Sum;
}

/// One coordinate after another, each up and down by a factor that shrinks.
static Spread likeliestSpread(const std::vector<OperatorRuns> &Corpus, const std::vector<Prior> &LeftOut) {
  struct Coordinate {
    double Spread::*Member;
    double Least, Most;
  };
  constexpr Coordinate Coordinates[] = {
      {&Spread::BaseBytes, 1e4, 1e8},  {&Spread::WideBytes, 1e6, 1e9},  {&Spread::WideOdds, 0.01, 0.5},
      {&Spread::Untouched, 0.01, 0.5}, {&Spread::HeapFactor, 0.01, 1},  {&Spread::HeapOdds, 0.02, 0.9},
      {&Spread::Noise, 1e-4, 0.3},     {&Spread::NoiseFloor, 1e5, 1e8}, {&Spread::Shape, 1.5, 50},
  };
  Spread Best;
  double BestValue = logLikelihood(Corpus, LeftOut, Best);
  for (double Factor : {4.0, 2.0, 4.0, 2.0, 1.4, 2.0, 1.4, 1.2, 1.1})
    for (const Coordinate &C : Coordinates)
      for (double Step : {Factor, 1 / Factor})
        while (true) {
          Spread Next = Best;
          Next.*C.Member *= Step;
          if (Next.*C.Member < C.Least || Next.*C.Member > C.Most)
            break;
          double Value = logLikelihood(Corpus, LeftOut, Next);
          if (Value <= BestValue + 1e-9)
            break;
          Best = Next;
          BestValue = Value;
        }
  return Best;
}

/// Positive residuals against the ceiling are taken as exponential with the scale as their mean: its greatest
/// likelihood, operators counting alike.
static CeilingScale likeliestCeiling(const std::vector<OperatorRuns> &Corpus, const std::vector<Prior> &LeftOut) {
  auto Value = [&](const CeilingScale &Scale) {
    double Sum = 0;
    for (std::size_t O = 0; O < Corpus.size(); ++O)
      for (const ResidentRun &Run : Corpus[O]) {
        double Expected = LeftOut[O].mean(allRequested(Run.At)), Here = Scale.at(Run.At, Expected);
        Sum -= (std::log(Here) + std::max(Run.Peak - Expected, 0.0) / Here) / static_cast<double>(Corpus[O].size());
      }
    return Sum;
  };
  struct Coordinate {
    double CeilingScale::*Member;
    double Least, Most;
  };
  constexpr Coordinate Coordinates[] = {
      {&CeilingScale::Base, 1e4, 1e8}, {&CeilingScale::Library, 1e2, 1e7}, {&CeilingScale::Share, 1e-4, 0.5}};
  CeilingScale Best{5e5, 1e4, 1e-3};
  double BestValue = Value(Best);
  for (double Factor : {4.0, 2.0, 4.0, 2.0, 1.4, 1.2, 1.1})
    for (const Coordinate &C : Coordinates)
      for (double Step : {Factor, 1 / Factor})
        while (true) {
          CeilingScale Next = Best;
          Next.*C.Member *= Step;
          double Here = Next.*C.Member < C.Least || Next.*C.Member > C.Most ? BestValue : Value(Next);
          if (Here <= BestValue + 1e-9)
            break;
          Best = Next;
          BestValue = Here;
        }
  return Best;
}

/// Whether anybody said what the process held beside the footprint. Others say what processes have of their own.
static bool isDescribed(const OperatorRuns &Runs) { return Runs.empty() || known(Runs.front().At.Held); }

/// Normal in the logarithm, operators counting alike. A few of them say little about the spread and about tensors that
/// nobody mentions: two that lie apart by a factor of e, and five of which one holds such tensors, stand beside them.
static OwnMemory ownMemoryOf(const std::vector<OperatorRuns> &Undescribed, const Prior &Generic) {
  constexpr double GuessedOperators = 2, GuessedVariance = 1, GuessedWith = 1, GuessedWithout = 4;
  /// Of the footprint: what follows the shape beyond it, from here on.
  constexpr double LeastSlope = 0.1;
  std::vector<double> Logarithms;
  double With = GuessedWith, Without = GuessedWithout;
  for (const OperatorRuns &Runs : Undescribed) {
    const ResidentRun &First = Runs.front(), &Last = Runs.back();
    double Rest = First.Peak - Generic.mean(First.At), Growth = Last.At.Heap - First.At.Heap;
    if (Rest > 1)
      Logarithms.push_back(std::log(Rest));
    if (Growth > 0)
      (Last.Peak - Generic.mean(Last.At) - Rest > LeastSlope * Growth ? With : Without) += 1;
  }
  OwnMemory Found;
  Found.TensorOdds = With / Without;
  if (Logarithms.empty())
    return Found;
  double Count = static_cast<double>(Logarithms.size()), Mean = 0, Squares = GuessedOperators * GuessedVariance;
  for (double Each : Logarithms)
    Mean += Each / Count;
  for (double Each : Logarithms)
    Squares += (Each - Mean) * (Each - Mean);
  Found.Median = std::exp(Mean);
  Found.Deviation = std::sqrt(Squares / (GuessedOperators + Count));
  return Found;
}

/// Adds an operator's scores in its later runs, after each history of First to Last runs.
static void addLaterScores(const OperatorRuns &Runs, const Prior &Generic, std::size_t First, std::size_t Last,
                           ScorePool &Own, ScorePool &Ceiling) {
  if (Runs.empty())
    return;
  OperatorModel Fresh(Generic, Target::Resident, Runs.front().At),
      Model(Generic, Target::Resident, Runs.front().At, Runs.front().Peak);
  std::vector<double> OwnScores, CeilingScores;
  for (std::size_t History = 0; History <= Last && History < Runs.size(); ++History) {
    for (std::size_t I = History; History >= First && I < Runs.size(); ++I) {
      std::optional<Situation> Worst = atHeapBound(Runs[I]);
      if (!Worst)
        continue;
      OperatorModel::Scores Found = (History ? Model : Fresh).scores(*Worst, Runs[I].Peak);
      OwnScores.push_back(Found.Own);
      if (known(Runs[I].At.Held))
        CeilingScores.push_back(Found.Ceiling);
    }
    Model.observe(Runs[History].At, Runs[History].Peak);
  }
  Own.add(OwnScores);
  Ceiling.add(CeilingScores);
}

std::optional<Situation> atHeapBound(const ResidentRun &Run) {
  Situation Worst = Run.At;
  if (!known(Run.HeapUpper) || Run.HeapUpper <= Run.At.Heap)
    return Worst;
  if (!std::isfinite(Run.HeapUpper))
    return std::nullopt;
  Worst.Heap = Run.HeapUpper;
  Worst.Touched = Worst.TouchedWithTensors = Unknown; // what is written was followed at the proposed answers
  Worst.Total = std::max(known(Worst.Total) ? Worst.Total : 0, Worst.Heap);
  return Worst;
}

Row fitCoefficients(const std::vector<OperatorRuns> &Corpus, std::size_t LeftOut, unsigned Without) {
  int Count = static_cast<int>(PriorTerms);
  Row Guess = Prior::uninformed().Coefficients;
  for (int Term = 0; Term < Count; ++Term)
    if (Without >> Term & 1)
      Guess[Term] = 0;
  Row Fitted = Guess;
  for (int Turn = 0; Turn < Reweightings; ++Turn) {
    TermMatrix Normal = TermMatrix::Identity(Count, Count) * GuessWeight;
    Row Right = Guess * GuessWeight;
    for (std::size_t O = 0; O < Corpus.size(); ++O) {
      if (O == LeftOut)
        continue;
      for (const ResidentRun &Run : Corpus[O]) {
        Row Terms = priorTerms(Run.At);
        for (int Term = 0; Term < Count; ++Term)
          if (Without >> Term & 1)
            Terms[Term] = 0;
        double Relative = std::abs(Run.Peak - Terms.dot(Fitted)) / Run.Peak;
        double Ratio = Relative / HalfWeightError;
        double Weight = 1 / (1 + Ratio * Ratio) / (Run.Peak * Run.Peak * static_cast<double>(Corpus[O].size()));
        Normal += Weight * Terms * Terms.transpose();
        Right += Weight * Run.Peak * Terms;
      }
    }
    Fitted = Normal.llt().solve(Right);
  }
  return Fitted;
}

void addScores(Prior &To, const Prior &Generic, const OperatorRuns &Runs) {
  for (std::size_t I = 0; I < PoolHistories.size(); ++I) {
    std::size_t Last = I + 1 < PoolHistories.size() ? PoolHistories[I + 1] - 1 : LongestPooledHistory;
    addLaterScores(Runs, Generic, PoolHistories[I], Last, To.Pools[I], To.CeilingPools[I]);
  }
}

Prior trainPrior(const std::vector<OperatorRuns> &All) {
  std::vector<OperatorRuns> Corpus, Undescribed;
  for (const OperatorRuns &Runs : All)
    (isDescribed(Runs) ? Corpus : Undescribed).push_back(Runs);
  if (Corpus.size() < 2) { // nothing else to learn from
    Corpus = All;
    Undescribed.clear();
  }
  Prior Trained = Prior::uninformed();
  Trained.Coefficients = fitCoefficients(Corpus, Corpus.size());
  std::vector<Prior> LeftOut;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    LeftOut.push_back(Prior::uninformed());
    LeftOut.back().Coefficients = fitCoefficients(Corpus, O);
  }
  Trained.Around = likeliestSpread(Corpus, LeftOut);
  Trained.Above = likeliestCeiling(Corpus, LeftOut);
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    Prior Mine = LeftOut[O];
    Mine.Around = Trained.Around;
    Mine.Above = Trained.Above;
    addScores(Trained, Mine, Corpus[O]);
  }
  Trained.Own = ownMemoryOf(Undescribed, Trained);
  return Trained;
}

} // namespace memshape
