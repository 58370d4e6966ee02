// How well operators are predicted that were left out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   accuracy_evaluate bench/accuracy/records.jsonl
//
// Every operator in turn is left out of the training; what is then predicted of it, with none and with a few of its own
// runs, is compared with what was measured. No seed but the corpus' order: the tables are the same each time.

#include "bench/accuracy/Corpus.h"

#include "model/residency/OperatorModel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

using namespace memshape;

namespace {

constexpr double Confidence = 0.99;
constexpr char Head[] =
    "| %-44s | median    | 95th pct.  | signed     | under   | Spearman | n |\n|---|---|---|---|---|---|---|\n";

using Corpora = std::vector<MeasuredOperator>;
using Priors = std::vector<Prior>; ///< each trained without the operator of the same place

OperatorModel afterRuns(const MeasuredOperator &Operator, const Prior &Generic, std::size_t Runs) {
  // Of an operator that never ran, not even a first peak is known.
  OperatorModel Model(Generic, Target::Resident, Operator.Runs.front().At,
                      Runs ? *Operator.Runs.front().Resident : Unknown);
  for (std::size_t I = 0; I < Runs; ++I)
    Model.observe(Operator.Runs[I].At, *Operator.Runs[I].Resident);
  return Model;
}

/// Of the shapes behind the first Runs, which the model has seen; appended to Found.
void predictLarger(const MeasuredOperator &Operator, const Prior &Generic, std::size_t Runs, Outcomes &Found) {
  OperatorModel Model = afterRuns(Operator, Generic, Runs);
  for (std::size_t I = Runs; I < Operator.Runs.size(); ++I)
    Found.add(Model.predict(Operator.Runs[I].At).Location, *Operator.Runs[I].Resident);
}

void printZeroRuns(const Corpora &Corpus, const Priors &Generic) {
  Outcomes Exact, Others, Tensorial, Plus;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    for (const RunEntry &Run : Corpus[O].Runs)
      (Corpus[O].Exact ? Exact : Others).add(Run.At.Heap + Run.At.OneTime, *Run.HeapPeak);
    if (Corpus[O].Exact)
      predictLarger(Corpus[O], Generic[O], 0, Tensorial);
    // For comparison a constant, the median of what the others hold beyond.
    std::vector<double> Beyond;
    for (std::size_t K = 0; K < Corpus.size(); ++K)
      for (const RunEntry &Run : Corpus[K].Runs)
        if (K != O)
          Beyond.push_back(*Run.Resident - Run.At.Heap - Run.At.Held);
    for (const RunEntry &Run : Corpus[O].Runs)
      Plus.add(Run.At.Heap + Run.At.Held + quantileOf(Beyond, 0.5), *Run.Resident);
  }
  std::printf("## No run, an operator that nobody has seen\n\nErrors of the heap peak of a first call:\n\n");
  std::printf(Head, "heap");
  std::printf("%s", Exact.row("tensorial operators").c_str());
  if (!Others.Measured.empty())
    std::printf("%s", Others.row("operators with decisions").c_str());
  std::printf("\nErrors of the resident peak; \"under\" are predictions more than 1 %% too low:\n\n");
  std::printf(Head, "resident");
  std::printf("%s%s\n", Plus.row("skeleton plus caller plus constant").c_str(),
              Tensorial.row("memshape, tensorial operators").c_str());
}

void printFewRuns(const Corpora &Corpus, const Priors &Generic) {
  std::printf("## After some runs, smallest first, all larger shapes\n\n");
  std::printf(Head, "runs");
  for (std::size_t Runs : PoolHistories) {
    Outcomes Ours;
    for (std::size_t O = 0; O < Corpus.size(); ++O)
      predictLarger(Corpus[O], Generic[O], Runs, Ours);
    std::printf("%s", Ours.row(std::to_string(Runs)).c_str());
  }
  std::printf("\n");
}

void printBounds(const Corpora &Corpus, const Priors &Generic) {
  std::printf("## The bound at %g %%\n\n| runs | inside | of | coverage | allocated beyond need "
              "| operators above it | without a bound |\n|---|---|---|---|---|---|---|\n",
              100 * Confidence);
  for (std::size_t Runs = 0; Runs <= 8; ++Runs) {
    std::size_t Inside = 0, All = 0, Without = 0;
    double Beyond = 0, Need = 0;
    std::string Missed;
    for (std::size_t O = 0; O < Corpus.size(); ++O) {
      OperatorModel Model = afterRuns(Corpus[O], Generic[O], Runs);
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
    std::printf("| %zu | %zu | %zu | %.2f %% | %.1f %% |%s | %zu |\n", Runs, Inside, All,
                100.0 * static_cast<double>(Inside) / static_cast<double>(All), 100 * Beyond / Need, Missed.c_str(),
                Without);
  }
  std::printf("\n");
}

void printOperators(const Corpora &Corpus, const Priors &Generic) {
  std::printf("## Each operator: signed errors of the resident peak, median over the shapes that are left\n\n"
              "| operator | tensorial | no run | 1 run | 3 runs |\n|---|---|---|---|---|\n");
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    std::printf("| %s | %s |", Corpus[O].Name.c_str(), Corpus[O].Exact ? "yes" : "no");
    for (std::size_t Runs : {0, 1, 3}) {
      Outcomes Ours;
      predictLarger(Corpus[O], Generic[O], Runs, Ours);
      std::printf(" %+.2f %% |", 100 * quantileOf(Ours.relative(), 0.5));
    }
    std::printf("\n");
  }
}

} // namespace

int main(int Count, char **Arguments) {
  if (Count != 2) {
    std::cerr << "usage: accuracy_evaluate RECORDS.jsonl\n";
    return 2;
  }
  Corpora Corpus = readCorpus(Arguments[1]);
  Priors Generic;
  for (std::size_t O = 0; O < Corpus.size(); ++O)
    Generic.push_back(trainPrior(without(Corpus, O)));
  printZeroRuns(Corpus, Generic);
  printFewRuns(Corpus, Generic);
  printBounds(Corpus, Generic);
  printOperators(Corpus, Generic);
  return 0;
}
