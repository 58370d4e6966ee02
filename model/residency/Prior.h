// What is believed of an operator that nobody has run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generic prior knows features, never names. It says what a situation's resident peak is, how far operators lie
// from that, and how far the truth lay above the prediction for operators that it was not trained on. It is a small
// text file, `memshape-model 1`, made by `memshape train`.

#pragma once

#include "model/residency/Bound.h"
#include "model/residency/Situation.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace memshape {

/// How far operators differ from the prior's mean, and runs of one operator from each other. Most operators behave as
/// the mean says but for a base of their own; some processes bring far more, and some operators never touch all that
/// they request. These two are bases apart, with odds of their own (a spike and two slabs).
struct Spread {
  double BaseBytes = 5e5;  ///< standard deviation of what a process holds besides, bytes
  double WideBytes = 5e6;  ///< the same of processes that bring more
  double WideOdds = 0.1;   ///< of such a process against a usual one
  double Untouched = 0.25; ///< share of the heap that operators which do not touch all of it leave untouched
  double HeapFactor = 0.3; ///< standard deviation of that share
  double HeapOdds = 0.2;   ///< of such an operator against a usual one
  double Noise = 0.003;    ///< of one run, as a share of NoiseFloor and the predicted peak together
  double NoiseFloor = 1e7; ///< bytes
  double Shape = 2;        ///< of the noise: half the runs that this knowledge is worth, above 1
};

/// How far a process may lie above what it holds when every byte that was requested is touched, as a standard score of
/// 1: what programs and libraries bring of their own, and what allocators keep. Bytes; nothing where Base is 0.
struct CeilingScale {
  double Base = 0;
  double Library = 0; ///< for each library that is loaded
  double Share = 0;   ///< of all that is held

  double at(const Situation &At, double AllTouched) const;
};

/// What a process has of its own beyond what the mean expects, where a first run is all that says it: interpreters and
/// what they import, say. Its logarithm is taken as normal.
struct OwnMemory {
  double Median = 6e7;     ///< bytes
  double Deviation = 0.8;  ///< standard deviation of the natural logarithm
  double TensorOdds = 0.2; ///< that tensors are held besides of which neither footprint nor caller speaks

  double logDensity(double Bytes) const;
};

/// Histories of these lengths have a pool of scores of their own.
inline constexpr std::array<unsigned, 5> PoolHistories{0, 1, 2, 3, 5};

struct Prior {
  Row Coefficients; ///< PriorTerms values: resident bytes per byte of each term
  Spread Around;
  std::array<ScorePool, PoolHistories.size()> Pools; ///< of scores against the prediction
  CeilingScale Above;
  OwnMemory Own;
  std::array<ScorePool, PoolHistories.size()> CeilingPools; ///< of scores against the ceiling
  std::string Provenance;                                   ///< one line: what it was trained on, and its licence

  /// Resident bytes at the peak that are expected in a situation.
  double mean(const Situation &At) const;
  /// Index of the pools for an operator with a history of Runs.
  static std::size_t poolFor(std::size_t Runs);

  /// The model file; nothing, with one line in Why, where Text is none.
  static std::optional<Prior> parse(std::string_view Text, std::string *Why);
  std::string text() const;

  /// The one that this build brings.
  static const Prior &generic();
  /// Before any training: every byte that is requested or held is resident once.
  static Prior uninformed();
};

} // namespace memshape
