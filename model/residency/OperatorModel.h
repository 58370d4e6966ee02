// What is believed of one operator, run after run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts from the generic prior and learns from every run of the operator. What it regresses is the difference to the
// prior's mean, on bases of the footprint and, where that leaves something open, of the shape.

#pragma once

#include "model/residency/Averaging.h"
#include "model/residency/Prior.h"

namespace memshape {

enum class Target { Heap, Resident };

/// A quantity before it is measured.
struct Forecast {
  StudentT Expected;      ///< bytes
  double Upper = Unknown; ///< not exceeded with the confidence that was asked for, bytes
};

class OperatorModel {
public:
  /// Like says which features are known of this operator's calls: those of a first run, or of the call asked about.
  /// FirstPeak is that run's peak, bytes, for operators without a footprint: it gives the size of things.
  OperatorModel(const Prior &Generic, Target What, const Situation &Like, double FirstPeak = Unknown);

  /// Confidence in (0, 1). Cap is a proven bound in bytes, infinite where there is none.
  Forecast forecast(const Situation &At, double Confidence, double Cap = std::numeric_limits<double>::infinity()) const;
  /// For looking upwards, see Averaging::predict.
  StudentT predict(const Situation &At) const;
  double logDensity(const Situation &At, double Peak) const;
  /// How far a peak lies above the prediction and above the ceiling, in their scales: what bounds are made of.
  struct Scores {
    double Own, Ceiling;
  };
  Scores scores(const Situation &At, double Peak) const;

  /// A run with its peak in bytes.
  void observe(const Situation &At, double Peak);
  /// A run that was killed when it held Peak bytes: it would have taken more.
  void observeAbove(const Situation &At, double Peak);
  /// Compiler, allocator or host are others from here on.
  void environmentChanged();

private:
  /// The prior's mean, from what is known of all calls; the rest is regressed.
  double offset(const Situation &At) const;
  StudentT predict(const Situation &At, double Offset) const;
  bool hasCeiling() const { return What == Target::Resident && HasHeap && HasHeld && Generic->Above.Base > 0; }
  /// What is held when every requested byte is touched, and the process brings as much besides as in its worst run.
  StudentT ceiling(const Situation &At, double Degrees) const;
  std::vector<ScaledRow> rows(const Situation &At, double Offset) const;
  void addShapeBases(const Situation &Like, std::vector<Belief> &Beliefs, std::vector<double> &LogWeights);
  /// Whether nobody said what the process holds beside the footprint: a run alone shows it, and not what of it follows
  /// the shape.
  bool isOwnUnsaid() const { return What == Target::Resident && HasHeap && !HasHeld; }
  /// A process that is not known may be an interpreter: one of any size is then as likely as a plain one.
  double wideOdds() const { return HasLibraries || HasHeld ? Generic->Around.WideOdds : 1; }
  /// Weighs bases with a wide base by how usual a process is that has so much of its own.
  void weighOwnMemory(const Situation &Like, double FirstPeak, const std::vector<Belief> &Beliefs,
                      std::vector<double> &LogWeights) const;
  void addFootprintBases(std::vector<Belief> &Beliefs, std::vector<double> &LogWeights);

  /// A term of the shape: the product of some of its values, 1 at the first run.
  struct Monomial {
    std::vector<std::pair<std::string, int>> Powers;
    double AtFirst = 1;
    double value(const Situation &At) const;
  };
  /// A basis: a base, terms of footprint and process, then Size times each monomial.
  struct Basis {
    bool WithHeap = false, WithHeld = false;
    bool Wide = false; ///< the base may be that of any process
    std::vector<Monomial> Monomials;
  };

  /// What the base of a process may be where tensors are looked for beside it.
  struct BaseOfProcess {
    double Deviation, Odds; ///< bytes
    bool OfAnyProcess;
  };
  std::vector<BaseOfProcess> basesOfProcesses() const;

  const Prior *Generic;
  Target What;
  bool HasHeap, HasHeld, HasLibraries;
  double Size; ///< bytes of the first run above the offset, where the shape has to explain them
  double Rest; ///< bytes of the first run above the offset
  double BaseUnit;
  std::vector<Basis> Bases;
  std::vector<Averaging> Learned; ///< one
  std::vector<double> OwnScores, CeilingScores;
  double Evidence = 0;  ///< so many runs is what was learned worth
  double MostAbove = 0; ///< the most that a run held beyond all that was requested, bytes

  /// The scores that bounds lie at follow from confidence and history, not from the call: kept from one forecast to the
  /// next. A model is used by one thread at a time.
  struct BoundScores {
    double Confidence = 0, Degrees = 0, Own = 0, Ceiling = 0;
    std::size_t Runs = 0;
  };
  const BoundScores &boundScores(double Confidence, double Degrees) const;
  mutable BoundScores LastBound;
};

} // namespace memshape
