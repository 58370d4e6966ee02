//===- Streams.cpp - Tables about jobs in a stream ------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bench/accuracy/Streams.h"

#include "model/residency/Choose.h"
#include "model/residency/OperatorModel.h"

#include <cmath>
#include <cstdio>
#include <random>

namespace memshape {

namespace {

constexpr double Confidence = 0.99;
constexpr unsigned Seed = 20;
constexpr std::size_t Rounds = 200;
/// The machine's room changes so often.
constexpr std::size_t RoundsPerLimit = 20;
/// Standard deviations of the logarithms of peak and time between equal runs.
constexpr double PeakNoise = 0.002, TimeNoise = 0.02;
/// The policy that people use: what skeleton and caller come to, within such a share of the limit.
constexpr double Share = 0.8;
constexpr const char *Names[] = {"skeleton and caller within 0.8 of the limit", "bound at 99 %, nothing learned",
                                 "memshape::Choice, bound at 99 %"};
constexpr std::size_t Shown[] = {1, 2, 5, 10, 20, 50, 100, 200};

/// A chunk costs a fixed time and one per byte of its peak; one that is killed costs its time for nothing.
double secondsOf(double Peak) { return 0.05 + Peak / 2e9; }
/// Bytes of the measured peak stand for work; of that, per second.
double throughput(double Peak) { return Peak / secondsOf(Peak); }

/// What one policy does in one round, and what comes of it.
class Play {
public:
  Play(StreamOutcome &Into, double Best, double Limit) : Into(Into), Best(Best), Limit(Limit) {}
  /// Peak is what the chunk takes; nothing where no chunk was chosen.
  bool played(Policy Of, std::optional<double> Peak, double Nominal) {
    bool Fits = Peak && *Peak <= Limit;
    Into.Regret[Of].back() += Fits ? std::max(0.0, 1 - throughput(Nominal) / Best) : 1;
    Into.Jobs[Of].back() += Peak.has_value();
    Into.Killed[Of].back() += Peak && !Fits;
    return Fits;
  }

private:
  StreamOutcome &Into;
  double Best, Limit;
};

void playStream(const MeasuredOperator &Operator, const Prior &Generic, std::vector<StreamOutcome> &PerRound,
                std::mt19937 &Random) {
  const std::vector<RunEntry> &Runs = Operator.Runs;
  std::uniform_real_distribution<double> Place(std::log(*Runs[3].Resident), std::log(1.2 * *Runs.back().Resident));
  std::normal_distribution<double> Normal;
  OperatorModel Fresh(Generic, Target::Resident, Runs.front().At);
  std::optional<OperatorModel> Model;
  Choice Chooser(0);
  double Limit = 0;
  for (std::size_t Round = 0; Round < Rounds; ++Round) {
    if (Round % RoundsPerLimit == 0)
      Limit = std::exp(Place(Random));
    double Noise = std::exp(PeakNoise * Normal(Random)), Slower = std::exp(TimeNoise * Normal(Random));
    std::vector<Candidate> Learned;
    std::optional<std::size_t> Largest, Fixed, Unlearned;
    for (std::size_t I = 0; I < Runs.size(); ++I) {
      const Situation &At = Runs[I].At;
      Learned.push_back({*Runs[I].Resident, (Model ? *Model : Fresh).forecast(At, Confidence).Upper});
      if (*Runs[I].Resident * Noise <= Limit)
        Largest = I;
      if (At.Heap + At.Held <= Share * Limit)
        Fixed = I;
      if (Fresh.forecast(At, Confidence).Upper <= Limit)
        Unlearned = I;
    }
    if (!Largest)
      continue;
    Play Now(PerRound[Round], throughput(*Runs[*Largest].Resident), Limit);
    auto PeakOf = [&](std::size_t I) { return *Runs[I].Resident * Noise; };
    auto Simple = [&](Policy Of, const std::optional<std::size_t> &Chosen) {
      Now.played(Of, Chosen ? std::optional(PeakOf(*Chosen)) : std::nullopt, Chosen ? *Runs[*Chosen].Resident : 0);
    };
    Simple(FixedShare, Fixed);
    Simple(NothingLearned, Unlearned);
    std::optional<std::size_t> Mine = Chooser.choose(Learned, Limit);
    Simple(Learning, Mine);
    if (!Mine)
      continue;
    const Situation &At = Runs[*Mine].At;
    double Peak = PeakOf(*Mine);
    if (!Model)
      Model.emplace(Generic, Target::Resident, At, std::min(Peak, Limit));
    if (Peak <= Limit) {
      Model->observe(At, Peak);
      Chooser.ran(Learned[*Mine], secondsOf(Peak) * Slower);
    } else {
      Model->observeAbove(At, Limit);
      Chooser.killed();
    }
  }
}

} // namespace

StreamOutcome runStreams(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors) {
  std::mt19937 Random(Seed);
  std::vector<StreamOutcome> PerRound(Rounds);
  for (StreamOutcome &Round : PerRound)
    for (int P = 0; P < Policies; ++P) {
      Round.Regret[P].push_back(0);
      Round.Jobs[P].push_back(0);
      Round.Killed[P].push_back(0);
    }
  for (std::size_t O = 0; O < Corpus.size(); ++O)
    playStream(Corpus[O], Priors[O], PerRound, Random);
  StreamOutcome Found;
  Found.Streams = Corpus.size();
  for (const StreamOutcome &Round : PerRound)
    for (int P = 0; P < Policies; ++P) {
      Found.Regret[P].push_back(Round.Regret[P].back());
      Found.Jobs[P].push_back(Round.Jobs[P].back());
      Found.Killed[P].push_back(Round.Killed[P].back());
    }
  return Found;
}

namespace {

template <class Number> double sumOf(const std::vector<Number> &Values, std::size_t Count) {
  double Sum = 0;
  for (std::size_t I = 0; I < Count; ++I)
    Sum += static_cast<double>(Values[I]);
  return Sum;
}

double killedShare(const StreamOutcome &Outcome, int Of, std::size_t Count) {
  return sumOf(Outcome.Killed[Of], Count) / std::max(1.0, sumOf(Outcome.Jobs[Of], Count));
}

} // namespace

void printChoices(const StreamOutcome &Outcome) {
  std::printf("## Choosing chunks under a limit (simulated, %zu streams, seed %u)\n\n"
              "Regret after so many jobs: how many jobs' worth of work the best choice in hindsight would have done "
              "more, on average over the streams.\n\n| policy |",
              Outcome.Streams, Seed);
  for (std::size_t Count : Shown)
    std::printf(" %zu |", Count);
  std::printf(" killed |\n|---|");
  for (std::size_t I = 0; I <= std::size(Shown); ++I)
    std::printf("---|");
  std::printf("\n");
  for (int P = 0; P < Policies; ++P) {
    std::printf("| %s |", Names[P]);
    for (std::size_t Count : Shown)
      std::printf(" %.2f |", sumOf(Outcome.Regret[P], Count) / static_cast<double>(Outcome.Streams));
    std::printf(" %.2f %% |\n", 100 * killedShare(Outcome, P, Rounds));
  }
  std::printf("\n");
}

void printRegret(const StreamOutcome &Outcome) {
  std::printf("jobs,regret_fixed_share,regret_nothing_learned,regret_choice,killed_fixed_share,killed_nothing_learned,"
              "killed_choice\n");
  for (std::size_t Count = 1; Count <= Rounds; ++Count) {
    std::printf("%zu", Count);
    for (int P = 0; P < Policies; ++P)
      std::printf(",%.4f", sumOf(Outcome.Regret[P], Count) / static_cast<double>(Outcome.Streams));
    for (int P = 0; P < Policies; ++P)
      std::printf(",%.5f", killedShare(Outcome, P, Count));
    std::printf("\n");
  }
}

} // namespace memshape
