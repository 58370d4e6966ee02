// Runs that were observed while they went on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/accuracy/Courses.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <ranges>

namespace memshape {

namespace {

constexpr unsigned Seed = 20;
constexpr int Draws = 10;

const RunEntry *recordOf(const MeasuredOperator &Of, const nlohmann::json &Shape) {
  for (const RunEntry &Run : Of.Runs) {
    bool Same = Run.At.Shape.size() == Shape.size();
    for (const auto &[Name, Value] : Run.At.Shape)
      Same = Same && Shape.contains(Name) && Shape[Name].get<double>() == Value;
    if (Same)
      return &Run;
  }
  return nullptr;
}

Course courseOf(const nlohmann::json &Line, const RunEntry &Before) {
  Course Found{Before, Line.at("rss_peak_bytes"), {}, {}};
  for (std::size_t I = 0; I < LooksAt.size(); ++I) {
    const nlohmann::json &Seen = Line.at("looks").at(I);
    Found.Looks[I] = {Seen.at("rss_bytes"), Seen.at("rss_peak_bytes"), Seen.at("rss_files_bytes"),
                      Seen.at("live_bytes"), Seen.at("peak_bytes")};
    Found.Held[I] = Seen.at("call_bytes");
  }
  return Found;
}

/// What is known at observation At; All: with those before it.
Remaining seenAt(const Course &Of, std::size_t At, bool All) {
  Remaining Seen;
  for (std::size_t I = All ? 0 : At; I <= At; ++I)
    Seen.see(Of.Looks[I]);
  return Seen;
}

/// What is still to come at observation At, in the first call of its process. A watcher does not know which tensors are
/// fresh.
Ahead aheadAt(const Course &Of, std::size_t At, const Remaining &Seen, const Prior &Generic) {
  Situation Call = Of.Before.At;
  Call.Fresh = Unknown;
  return aheadOf(Call, Seen, Of.Looks[At].Live - Of.Held[At], Of.Held[At], Generic);
}

/// The call as the model gets it at observation At: what the caller holds was measured.
Situation asWatched(const Course &Of, std::size_t At) {
  Situation Call = Of.Before.At;
  Call.Held = Of.Looks[At].Live - Of.Held[At];
  return Call;
}

/// How often an alarm was right.
struct Alarms {
  std::size_t Right = 0, Warned = 0, Exceeding = 0;
  double Errors = 0;
  std::vector<double> Relative;
  void add(const Forecast &F, double Peak, double Limit) {
    bool Alarm = willExceed(F, Limit), Truth = Peak > Limit;
    Warned += Alarm;
    Exceeding += Truth;
    Right += Alarm && Truth;
    Relative.push_back(std::abs(F.Expected.Location - Peak) / Peak);
  }
  void print(const char *Seen, const char *Known) const {
    std::printf("| %s | %s | %.2f %% | %.1f %% | %.2f %% | %.1f %% |\n", Seen, Known,
                100.0 * static_cast<double>(Right) / static_cast<double>(Exceeding),
                100.0 * static_cast<double>(Right) / static_cast<double>(Warned), 100 * quantileOf(Relative, 0.5),
                100 * quantileOf(Relative, 0.95));
  }
};

} // namespace

std::vector<std::vector<Course>> readCourses(const std::string &Path, const std::vector<MeasuredOperator> &Corpus) {
  std::vector<std::vector<Course>> Found(Corpus.size());
  std::ifstream File(Path);
  try {
    for (std::string Line; std::getline(File, Line);) {
      nlohmann::json Read = nlohmann::json::parse(Line);
      for (std::size_t O = 0; O < Corpus.size(); ++O)
        if (Corpus[O].Name == Read.at("operator").get<std::string>())
          if (const RunEntry *Record = recordOf(Corpus[O], Read.at("shape")))
            Found[O].push_back(courseOf(Read, *Record));
    }
  } catch (const nlohmann::json::exception &Wrong) {
    std::cerr << "accuracy: " << Path << ": " << Wrong.what() << "\n";
    std::exit(2);
  }
  return Found;
}

ScorePool courseScoresOf(const std::vector<std::vector<Course>> &Courses, std::size_t LeftOut, const Prior &Generic) {
  ScorePool Pool;
  for (std::size_t O = 0; O < Courses.size(); ++O) {
    std::vector<double> Scores;
    for (const Course &Run : Courses[O])
      for (std::size_t At = 0; At < LooksAt.size(); ++At) {
        Remaining Seen = seenAt(Run, At, true);
        Scores.push_back(Seen.score(aheadAt(Run, At, Seen, Generic), Run.Peak));
      }
    if (O != LeftOut)
      Pool.add(Scores);
  }
  return Pool;
}

void printPartialRuns(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors,
                      const std::vector<std::vector<Course>> &Courses) {
  std::size_t Count = 0;
  for (const std::vector<Course> &Runs : Courses)
    Count += Runs.size();
  std::printf(
      "## Will it exceed the limit? (%zu real courses, limits at 0.5 to 2 of the truth, bound at %g %%, seed %u, no "
      "run before)\n\n"
      "| events seen | looks | recall | precision | median error | 95th pct. |\n|---|---|---|---|---|---|\n",
      Count, 100 * AlarmConfidence, Seed);
  std::vector<ScorePool> Pools;
  for (std::size_t O = 0; O < Corpus.size(); ++O)
    Pools.push_back(courseScoresOf(Courses, O, Priors[O]));
  // Of each operator, the first Skipped courses are left out: the smallest ones.
  auto Row = [&](const char *Seen, const char *Known, auto Ask, std::size_t Skipped = 0) {
    std::mt19937 Random(Seed);
    std::uniform_real_distribution<double> Around(std::log(0.5), std::log(2.0));
    Alarms Found;
    for (std::size_t O = 0; O < Corpus.size(); ++O)
      for (const Course &Run : Courses[O] | std::views::drop(Skipped))
        for (int Draw = 0; Draw < Draws; ++Draw) {
          auto [Final, Peak] = Ask(O, Run);
          Found.add(Final, Peak, Peak * std::exp(Around(Random)));
        }
    Found.print(Seen, Known);
  };
  Row("none", "not started", [&](std::size_t O, const Course &Run) {
    OperatorModel Model(Priors[O], Target::Resident, Run.Before.At);
    return std::pair(Model.forecast(Run.Before.At, AlarmConfidence), *Run.Before.Resident);
  });
  for (std::size_t At = 0; At < LooksAt.size(); ++At)
    for (bool All : {false, true}) {
      if (At == 0 && All)
        continue;
      char Share[16];
      std::snprintf(Share, sizeof Share, "%g %%", 100 * LooksAt[At]);
      Row(Share,
          At == 0 ? "at entry"
          : All   ? "since entry"
                  : "one",
          [&](std::size_t O, const Course &Run) {
            Remaining Seen = seenAt(Run, At, All);
            return std::pair(Seen.forecast(aheadAt(Run, At, Seen, Priors[O]), AlarmConfidence, Pools[O]), Run.Peak);
          });
    }
  std::printf("\nThe same after 25 %%, one look, with bounds at other confidences:\n\n"
              "| bound | looks | recall | precision | median error | 95th pct. |\n|---|---|---|---|---|---|\n");
  for (double Confidence : {0.8, 0.95, 0.99}) {
    char Bound[16];
    std::snprintf(Bound, sizeof Bound, "%g %%", 100 * Confidence);
    Row(Bound, "one", [&](std::size_t O, const Course &Run) {
      Remaining Seen = seenAt(Run, 2, false);
      return std::pair(Seen.forecast(aheadAt(Run, 2, Seen, Priors[O]), Confidence, Pools[O]), Run.Peak);
    });
  }
  std::printf("\nThe same after 25 %%, one look, when the operator's smallest runs are known, of all larger ones:\n\n"
              "| runs | looks | recall | precision | median error | 95th pct. |\n|---|---|---|---|---|---|\n");
  for (std::size_t Runs : {1, 3}) {
    auto Ask = [&](std::size_t O, const Course &Run) {
      OperatorModel Model(Priors[O], Target::Resident, asWatched(Courses[O].front(), 2), Courses[O].front().Peak);
      for (std::size_t I = 0; I < Runs; ++I)
        Model.observe(asWatched(Courses[O][I], 2), Courses[O][I].Peak);
      Remaining Seen = seenAt(Run, 2, false);
      return std::pair(Seen.forecast(aheadAt(Run, 2, Seen, Priors[O]), AlarmConfidence, Pools[O],
                                     Model.forecast(asWatched(Run, 2), confidenceOfRuns(AlarmConfidence))),
                       Run.Peak);
    };
    Row(Runs == 1 ? "1" : "3", "one", Ask, Runs);
  }
  std::printf("\n");
}

} // namespace memshape
