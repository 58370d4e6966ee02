//===- Streams.cpp - A table about jobs in a stream ------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/accuracy/Streams.h"

#include "model/Choose.h"
#include "model/OperatorModel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>

namespace memshape {

namespace {

constexpr double Confidence = 0.99;
constexpr unsigned Seed = 20;
constexpr std::size_t Rounds = 60;

/// A chunk costs a fixed time and one per byte of its peak; a killed one costs its time and is run again.
double secondsOf(double Peak) { return 0.05 + Peak / 2e9; }

/// What one policy came to on all streams.
struct Tally {
  double Work = 0, Seconds = 0; ///< bytes of measured peak stand for work
  std::size_t Jobs = 0, Killed = 0;
  void add(double Peak, bool Fits) {
    ++Jobs;
    Seconds += secondsOf(Peak);
    if (Fits)
      Work += Peak;
    else
      ++Killed;
  }
  double rate() const { return Work / Seconds; }
};

void print(const char *Name, const Tally &T, double Best) {
  std::printf("| %s | %zu | %.2f %% | %.1f %% |\n", Name, T.Jobs,
              100.0 * static_cast<double>(T.Killed) / static_cast<double>(std::max<std::size_t>(1, T.Jobs)),
              100 * (1 - T.rate() / Best));
}

} // namespace

void printChoices(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors) {
  std::mt19937 Random(Seed);
  Tally Ours, Fixed, Hindsight;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    const std::vector<RunEntry> &Runs = Corpus[O].Runs;
    std::uniform_real_distribution<double> Place(std::log(*Runs[3].Resident), std::log(1.2 * *Runs.back().Resident));
    OperatorModel Model(Priors[O], Target::Resident, Runs.front().At, *Runs.front().Resident);
    Choice Chooser(0);
    double Limit = 0;
    for (std::size_t Round = 0; Round < Rounds; ++Round) {
      if (Round % 20 == 0) // the machine's room changes
        Limit = std::exp(Place(Random));
      std::vector<Candidate> From;
      std::size_t Largest = Runs.size(), FixedAt = Runs.size();
      for (std::size_t I = 0; I < Runs.size(); ++I) {
        From.push_back({*Runs[I].Resident, Model.forecast(Runs[I].At, Confidence).Upper});
        if (*Runs[I].Resident <= Limit)
          Largest = I;
        if (Runs[I].At.Heap + Runs[I].At.Held <= 0.8 * Limit)
          FixedAt = I;
      }
      if (Largest < Runs.size())
        Hindsight.add(*Runs[Largest].Resident, true);
      if (FixedAt < Runs.size())
        Fixed.add(*Runs[FixedAt].Resident, *Runs[FixedAt].Resident <= Limit);
      std::optional<std::size_t> Mine = Chooser.choose(From, Limit);
      if (!Mine)
        continue;
      double Peak = *Runs[*Mine].Resident;
      Ours.add(Peak, Peak <= Limit);
      if (Peak <= Limit) {
        Model.observe(Runs[*Mine].At, Peak);
        Chooser.ran(From[*Mine], secondsOf(Peak));
      } else {
        Model.observeAbove(Runs[*Mine].At, Limit);
        Chooser.killed();
      }
    }
  }
  std::printf("## Choosing chunks under a limit (simulated, seed %u)\n\n| policy | jobs | killed | throughput lost "
              "|\n|---|---|---|---|\n",
              Seed);
  print("best in hindsight", Hindsight, Hindsight.rate());
  print("skeleton and caller within 0.8 of the limit", Fixed, Hindsight.rate());
  print("memshape::Choice", Ours, Hindsight.rate());
  std::printf("\n");
}

} // namespace memshape
