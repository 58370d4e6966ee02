// The tables of bench/accuracy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bench/accuracy/Tables.h"

#include "model/residency/OperatorModel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace memshape {

namespace {

constexpr double Confidence = 0.99;

/// A least-squares fit of relative errors on terms of a situation, over all operators but one.
template <class Terms> Eigen::VectorXd fit(const std::vector<MeasuredOperator> &Corpus, std::size_t LeftOut, Terms Of) {
  Eigen::MatrixXd Normal;
  Eigen::VectorXd Right;
  for (std::size_t O = 0; O < Corpus.size(); ++O)
    for (const RunEntry &Run : Corpus[O].Runs) {
      if (O == LeftOut)
        continue;
      Eigen::VectorXd Row = Of(Run.At) / *Run.Resident;
      if (Normal.size() == 0) {
        Normal = Eigen::MatrixXd::Identity(Row.size(), Row.size()) * 1e-9;
        Right = Eigen::VectorXd::Zero(Row.size());
      }
      Normal += Row * Row.transpose();
      Right += Row;
    }
  return Normal.ldlt().solve(Right);
}

template <class Terms> Outcomes leftOut(const std::vector<MeasuredOperator> &Corpus, Terms Of) {
  Outcomes Found;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    Eigen::VectorXd Fitted = fit(Corpus, O, Of);
    for (const RunEntry &Run : Corpus[O].Runs)
      Found.add(Of(Run.At).dot(Fitted), *Run.Resident);
  }
  return Found;
}

Eigen::VectorXd values(std::initializer_list<double> List) {
  Eigen::VectorXd Row(static_cast<Eigen::Index>(List.size()));
  Eigen::Index I = 0;
  for (double Value : List)
    Row[I++] = Value;
  return Row;
}

/// What is known without a skeleton: the process and its caller.
Eigen::VectorXd withoutSkeleton(const Situation &At) {
  return values({1e6, At.Libraries * 65536, At.Held, product(At)});
}

OperatorModel afterRuns(const MeasuredOperator &Operator, const Prior &Generic, std::size_t Runs) {
  // Of an operator that never ran, not even a first peak is known.
  OperatorModel Model(Generic, Target::Resident, Operator.Runs.front().At,
                      Runs ? *Operator.Runs.front().Resident : Unknown);
  for (std::size_t I = 0; I < Runs; ++I)
    Model.observe(Operator.Runs[I].At, *Operator.Runs[I].Resident);
  return Model;
}

constexpr char ErrorHead[] =
    "| %-44s | median    | 95th pct.  | signed     | under   | Spearman | n |\n|---|---|---|---|---|---|---|\n";

} // namespace

void printZeroRuns(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors) {
  Outcomes Exact, Others;
  for (const MeasuredOperator &Operator : Corpus)
    for (const RunEntry &Run : Operator.Runs)
      (Operator.Exact ? Exact : Others).add(Run.At.Heap + Run.At.OneTime, *Run.HeapPeak);
  std::printf("## No run, an operator that nobody has seen\n\nErrors of the heap peak of a first call:\n\n");
  std::printf(ErrorHead, "heap");
  std::printf("%s", Exact.row("tensorial operators").c_str());
  if (!Others.Measured.empty())
    std::printf("%s", Others.row("operators with decisions").c_str());
  Outcomes Ours, Tensorial;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    OperatorModel Model = afterRuns(Corpus[O], Priors[O], 0);
    for (const RunEntry &Run : Corpus[O].Runs) {
      double Predicted = Model.predict(Run.At).Location;
      Ours.add(Predicted, *Run.Resident);
      if (Corpus[O].Exact)
        Tensorial.add(Predicted, *Run.Resident);
    }
  }
  std::printf("\nErrors of the resident peak; \"under\" are predictions more than 1 %% too low:\n\n");
  std::printf(ErrorHead, "resident");
  auto Volume = [](const Situation &At) { return values({1e6, product(At)}); };
  std::printf("%s", leftOut(Corpus, Volume).row("volume alone").c_str());
  std::printf("%s", leftOut(Corpus, withoutSkeleton).row("features without skeleton").c_str());
  Outcomes Plus, PlusHeld;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    // The constant is the median of what the others hold beyond.
    std::vector<double> Beyond, BeyondHeld;
    for (std::size_t K = 0; K < Corpus.size(); ++K)
      for (const RunEntry &Run : Corpus[K].Runs)
        if (K != O) {
          Beyond.push_back(*Run.Resident - Run.At.Heap);
          BeyondHeld.push_back(*Run.Resident - Run.At.Heap - Run.At.Held);
        }
    for (const RunEntry &Run : Corpus[O].Runs) {
      Plus.add(Run.At.Heap + quantileOf(Beyond, 0.5), *Run.Resident);
      PlusHeld.add(Run.At.Heap + Run.At.Held + quantileOf(BeyondHeld, 0.5), *Run.Resident);
    }
  }
  std::printf("%s%s", Plus.row("skeleton plus constant").c_str(),
              PlusHeld.row("skeleton plus caller plus constant").c_str());
  std::printf("%s%s\n", Ours.row("memshape").c_str(), Tensorial.row("memshape, tensorial operators").c_str());
}

void printFewRuns(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors) {
  std::printf("## After some runs, smallest first, all larger shapes\n\n");
  std::printf(ErrorHead, "runs");
  for (std::size_t Runs : PoolHistories) {
    Outcomes Ours;
    for (std::size_t O = 0; O < Corpus.size(); ++O) {
      OperatorModel Model = afterRuns(Corpus[O], Priors[O], Runs);
      for (std::size_t I = Runs; I < Corpus[O].Runs.size(); ++I)
        Ours.add(Model.predict(Corpus[O].Runs[I].At).Location, *Corpus[O].Runs[I].Resident);
    }
    std::printf("%s", Ours.row(std::to_string(Runs)).c_str());
  }
  std::printf("\n");
}

void printBounds(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors) {
  std::printf("## The bound at %g %%\n\n| runs | inside | of | coverage | 95 %% interval | allocated beyond need "
              "| operators above it | without a bound |\n|---|---|---|---|---|---|---|---|\n",
              100 * Confidence);
  for (std::size_t Runs = 0; Runs <= 8; ++Runs) {
    std::size_t Inside = 0, All = 0, Without = 0;
    double Beyond = 0, Need = 0;
    std::string Missed;
    for (std::size_t O = 0; O < Corpus.size(); ++O) {
      OperatorModel Model = afterRuns(Corpus[O], Priors[O], Runs);
      for (std::size_t I = Runs; I < Corpus[O].Runs.size(); ++I) {
        // As `predict` does: where data decides at the heap's bound, and without a bound where that has none.
        std::optional<Situation> Worst = atHeapBound(*residentRun(Corpus[O].Runs[I]));
        if (!Worst) {
          ++Without;
          continue;
        }
        double Upper = Model.forecast(*Worst, Confidence).Upper, Peak = *Corpus[O].Runs[I].Resident;
        ++All;
        Inside += Peak <= Upper;
        if (Peak > Upper && Missed.find(Corpus[O].Name) == std::string::npos)
          Missed += " " + Corpus[O].Name;
        Beyond += std::max(Upper - Peak, 0.0);
        Need += Peak;
      }
    }
    auto [Low, High] = clopperPearson(Inside, All);
    std::printf("| %zu | %zu | %zu | %.2f %% | %.2f .. %.2f %% | %.1f %% |%s | %zu |\n", Runs, Inside, All,
                100.0 * static_cast<double>(Inside) / static_cast<double>(All), 100 * Low, 100 * High,
                100 * Beyond / Need, Missed.c_str(), Without);
  }
  std::printf("\n");
}

void printOperators(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors) {
  std::printf("## Each operator: signed errors of the resident peak, median over the shapes that are left\n\n"
              "| operator | tensorial | no run | 1 run | 3 runs |\n|---|---|---|---|---|\n");
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    std::printf("| %s | %s |", Corpus[O].Name.c_str(), Corpus[O].Exact ? "yes" : "no");
    for (std::size_t Runs : {0, 1, 3}) {
      Outcomes Ours;
      OperatorModel Model = afterRuns(Corpus[O], Priors[O], Runs);
      for (std::size_t I = Runs; I < Corpus[O].Runs.size(); ++I)
        Ours.add(Model.predict(Corpus[O].Runs[I].At).Location, *Corpus[O].Runs[I].Resident);
      std::printf(" %+.2f %% |", 100 * quantileOf(Ours.relative(), 0.5));
    }
    std::printf("\n");
  }
}

} // namespace memshape
