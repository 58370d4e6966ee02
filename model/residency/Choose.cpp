//===- Choose.cpp - Which of several sizes to run next, safely -----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/residency/Choose.h"

#include <cmath>

namespace memshape {

namespace {

/// After a kill bounds are widened by this, and every run that ends well takes some of it back.
constexpr double MoreCaution = 1.2, LessCaution = 0.98;
/// Seconds per element before anything ran, and how little is known of it, as logarithms.
constexpr double UsualLogTime = -18, LogTimeDeviation = 6, LogSlopeDeviation = 0.3, LogNoise = 0.1;

Row rowOf(const Candidate &Of) {
  Row At(2);
  At << 1, std::log(Of.Elements);
  return At;
}

Belief timeBelief() {
  Belief B;
  B.Mean = Row(2);
  B.Mean << UsualLogTime, 0;
  B.Precision = TermMatrix::Zero(2, 2);
  B.Precision(0, 0) = std::pow(LogNoise / LogTimeDeviation, 2);
  B.Precision(1, 1) = std::pow(LogNoise / LogSlopeDeviation, 2);
  B.Shape = 2;
  B.Rate = LogNoise * LogNoise;
  return B;
}

} // namespace

Choice::Choice(double Optimism) : Optimism(Optimism), Time(timeBelief()) {}

StudentT Choice::logSecondsPerElement(const Candidate &Of) const { return Time.predict(rowOf(Of)); }

std::optional<std::size_t> Choice::choose(const std::vector<Candidate> &From, double Limit) const {
  std::optional<std::size_t> Best;
  double BestValue = 0;
  for (std::size_t I = 0; I < From.size(); ++I) {
    if (!(From[I].Upper * Caution <= Limit))
      continue;
    double Value = From[I].Elements;
    if (Rounds == 0)
      Value = -Value; // the smallest
    else {
      StudentT Spent = logSecondsPerElement(From[I]);
      Value = -(Spent.Location - Optimism * Spent.Scale);
    }
    if (!Best || Value > BestValue) {
      Best = I;
      BestValue = Value;
    }
  }
  return Best;
}

void Choice::ran(const Candidate &What, double Seconds) {
  ++Rounds;
  Time.observe(rowOf(What), std::log(Seconds / What.Elements));
  Caution = std::max(1.0, Caution * LessCaution);
}

void Choice::killed() { Caution *= MoreCaution; }

} // namespace memshape
