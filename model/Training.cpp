//===- Training.cpp - From records of many operators to the generic prior ===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/Training.h"

#include "model/OperatorModel.h"

#include <algorithm>
#include <cmath>

namespace memshape {

namespace {

/// Relative errors of this size count half, larger ones less and less: an operator that never touches what it requests
/// says nothing about those that do.
constexpr double HalfWeightError = 0.01;
constexpr int Reweightings = 40;
/// Half the corpus' worth of one run for the guess that the regression starts from.
constexpr double GuessWeight = 0.02;

double logLikelihood(const std::vector<OperatorRuns> &Corpus, const std::vector<Prior> &LeftOut, const Spread &Around) {
  double Sum = 0;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    if (Corpus[O].empty())
      continue;
    Prior Mine = LeftOut[O];
    Mine.Around = Around;
    OperatorModel Model(Mine, Target::Resident, Corpus[O].front().At, Corpus[O].front().Peak);
    double Here = 0;
    for (const ResidentRun &Run : Corpus[O]) {
      Here += Model.logDensity(Run.At, Run.Peak);
      Model.observe(Run.At, Run.Peak);
    }
    Sum += Here / static_cast<double>(Corpus[O].size());
  }
  return Sum;
}

/// One coordinate after another, each up and down by a factor that shrinks.
Spread likeliestSpread(const std::vector<OperatorRuns> &Corpus, const std::vector<Prior> &LeftOut) {
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

/// Scores of an operator's later runs after the first History ones.
std::vector<double> laterScores(const OperatorRuns &Runs, const Prior &Generic, std::size_t History) {
  std::vector<double> Scores;
  if (Runs.size() <= History)
    return Scores;
  OperatorModel Model(Generic, Target::Resident, Runs.front().At, Runs.front().Peak);
  for (std::size_t I = 0; I < History; ++I)
    Model.observe(Runs[I].At, Runs[I].Peak);
  for (std::size_t I = History; I < Runs.size(); ++I) {
    StudentT Expected = Model.predict(Runs[I].At);
    Scores.push_back((Runs[I].Peak - Expected.Location) / Expected.Scale);
  }
  return Scores;
}

} // namespace

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

Prior trainPrior(const std::vector<OperatorRuns> &Corpus) {
  Prior Trained = Prior::uninformed();
  Trained.Coefficients = fitCoefficients(Corpus, Corpus.size());
  std::vector<Prior> LeftOut;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    LeftOut.push_back(Prior::uninformed());
    LeftOut.back().Coefficients = fitCoefficients(Corpus, O);
  }
  Trained.Around = likeliestSpread(Corpus, LeftOut);
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    Prior Mine = LeftOut[O];
    Mine.Around = Trained.Around;
    for (std::size_t I = 0; I < PoolHistories.size(); ++I)
      Trained.Pools[I].add(laterScores(Corpus[O], Mine, PoolHistories[I]));
  }
  return Trained;
}

} // namespace memshape
