// What each piece of evidence is worth.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/Importance.h"

#include "model/residency/OperatorModel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <set>
#include <span>
#include <tuple>

namespace memshape {

constexpr double Confidence = 0.99;
constexpr unsigned Permutations = 2000, Seed = 20;
/// Upper ends of the classes of shares, and of counts of decisions.
constexpr double ShareEnds[] = {0, 0.25, 0.5, 1}, DecisionEnds[] = {0, 1, 4, 1e9};

using Errors = std::vector<double>;

static double relative(double Predicted, double Measured) { return (Predicted - Measured) / Measured; }

static double medianOf(std::vector<double> Values) {
  std::sort(Values.begin(), Values.end());
  return Values.empty() ? 0 : Values[Values.size() / 2];
}

static double medianError(Errors Signed) {
  for (double &Error : Signed)
    Error = std::abs(Error);
  return medianOf(std::move(Signed));
}

/// Signed errors of an operator's runs after the first History ones; what Known leaves of a situation is known.
static Errors residentErrors(const OperatorRuns &Runs, const Prior &Generic, std::size_t History,
                             const std::function<Situation(Situation)> &Known = nullptr) {
  auto See = [&](const ResidentRun &Run) { return Known ? Known(Run.At) : Run.At; };
  Errors Found;
  if (Runs.size() <= History)
    return Found;
  OperatorModel Model(Generic, Target::Resident, See(Runs.front()), History ? Runs.front().Peak : Unknown);
  for (std::size_t I = 0; I < Runs.size(); ++I)
    if (I < History)
      Model.observe(See(Runs[I]), Runs[I].Peak);
    else
      Found.push_back(relative(Model.predict(See(Runs[I])).Location, Runs[I].Peak));
  return Found;
}

static Errors heapErrors(const OperatorRuns &Runs) {
  Errors Found;
  for (const ResidentRun &Run : Runs)
    if (known(Run.HeapPeak) && Run.HeapPeak > 0)
      Found.push_back(relative(Run.At.Heap + (known(Run.At.OneTime) ? Run.At.OneTime : 0), Run.HeapPeak));
  return Found;
}

static void append(Errors &To, const Errors &More) { To.insert(To.end(), More.begin(), More.end()); }

/// Ranks; those of equal values are their mean.
static std::vector<double> ranksOf(const std::vector<double> &Values) {
  std::vector<std::size_t> Order(Values.size());
  for (std::size_t I = 0; I < Order.size(); ++I)
    Order[I] = I;
  std::stable_sort(Order.begin(), Order.end(), [&](std::size_t A, std::size_t B) { return Values[A] < Values[B]; });
  std::vector<double> Ranks(Values.size());
  for (std::size_t From = 0, To = 0; From < Order.size(); From = To) {
    while (To < Order.size() && Values[Order[To]] == Values[Order[From]])
      ++To;
    for (std::size_t I = From; I < To; ++I)
      Ranks[Order[I]] = 0.5 * static_cast<double>(From + To - 1);
  }
  return Ranks;
}

static double correlation(const std::vector<double> &A, const std::vector<double> &B) {
  double MeanA = 0, MeanB = 0, Both = 0, AloneA = 0, AloneB = 0, Count = static_cast<double>(A.size());
  for (std::size_t I = 0; I < A.size(); ++I) {
    MeanA += A[I] / Count;
    MeanB += B[I] / Count;
  }
  for (std::size_t I = 0; I < A.size(); ++I) {
    Both += (A[I] - MeanA) * (B[I] - MeanB);
    AloneA += (A[I] - MeanA) * (A[I] - MeanA);
    AloneB += (B[I] - MeanB) * (B[I] - MeanB);
  }
  return AloneA > 0 && AloneB > 0 ? Both / std::sqrt(AloneA * AloneB) : 0;
}

/// Spearman's coefficient with how often a permutation gives one as far from 0.
static std::pair<double, double> association(const std::vector<double> &Feature, const std::vector<double> &Outcome) {
  std::vector<double> A = ranksOf(Feature), B = ranksOf(Outcome);
  double Found = correlation(A, B);
  std::mt19937 Random(Seed);
  unsigned AsFar = 0;
  for (unsigned Turn = 0; Turn < Permutations; ++Turn) {
    // Fisher and Yates, written out: the library's shuffle differs between libraries.
    for (std::size_t I = B.size(); I > 1; --I)
      std::swap(B[I - 1], B[Random() % I]);
    AsFar += std::abs(correlation(A, B)) >= std::abs(Found) - 1e-12;
  }
  return {Found, (AsFar + 1.0) / (Permutations + 1.0)};
}

static ErrorFigures withoutTerm(const std::vector<OperatorRuns> &Corpus, unsigned Without) {
  Errors All;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    Row Fitted = fitCoefficients(Corpus, O, Without);
    for (const ResidentRun &Run : Corpus[O])
      All.push_back(relative(priorTerms(Run.At).dot(Fitted), Run.Peak));
  }
  return errorFigures(All);
}

/// The typical peak of the other operators, whatever the operator.
static Errors guesses(const std::vector<OperatorRuns> &Corpus, std::size_t LeftOut) {
  std::vector<double> Peaks;
  for (std::size_t O = 0; O < Corpus.size(); ++O)
    for (const ResidentRun &Run : Corpus[O])
      if (O != LeftOut)
        Peaks.push_back(Run.Peak);
  double Typical = medianOf(Peaks);
  Errors Found;
  for (const ResidentRun &Run : Corpus[LeftOut])
    Found.push_back(relative(Typical, Run.Peak));
  return Found;
}

static std::vector<EvidenceWorth> evidenceOf(const std::vector<OperatorRuns> &Corpus,
                                             const std::vector<Prior> &Priors) {
  constexpr unsigned Skeleton = 1u << HeapBytes | 1u << BlockOverhead | 1u << Churn | 1u << OneTimeBytes;
  constexpr unsigned Caller = 1u << HeldBytes;
  auto WithoutSkeleton = [](Situation At) {
    At.Heap = At.Total = At.Allocations = At.OneTime = Unknown;
    return At;
  };
  Errors Guess, AfterOne, AfterThree, RunsAlone, RunsAloneFive;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    append(Guess, guesses(Corpus, O));
    append(AfterOne, residentErrors(Corpus[O], Priors[O], 1));
    append(AfterThree, residentErrors(Corpus[O], Priors[O], 3));
    append(RunsAlone, residentErrors(Corpus[O], Priors[O], 3, WithoutSkeleton));
    append(RunsAloneFive, residentErrors(Corpus[O], Priors[O], 5, WithoutSkeleton));
  }
  return {{"nothing: the median of all others", errorFigures(Guess)},
          {"the process: libraries", withoutTerm(Corpus, Skeleton | Caller)},
          {"the process and its caller: bytes held", withoutTerm(Corpus, Skeleton)},
          {"the process and the skeleton", withoutTerm(Corpus, Caller)},
          {"process, caller and skeleton", withoutTerm(Corpus, 0)},
          {"the same and one run", errorFigures(AfterOne)},
          {"the same and three runs", errorFigures(AfterThree)},
          {"process, caller and three runs, no skeleton", errorFigures(RunsAlone)},
          {"process, caller and five runs, no skeleton", errorFigures(RunsAloneFive)}};
}

static std::vector<SourceWorth> sourceWorth(const std::vector<StudiedOperator> &Corpus,
                                            const std::vector<Prior> &Priors) {
  std::set<std::string> Names;
  std::vector<double> Heap, Resident;
  std::vector<const StudiedOperator *> Described;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    if (Corpus[O].Source.empty())
      continue;
    Described.push_back(&Corpus[O]);
    Heap.push_back(medianError(heapErrors(Corpus[O].Runs)));
    Resident.push_back(medianError(residentErrors(Corpus[O].Runs, Priors[O], 0)));
    for (const auto &[Name, Value] : Corpus[O].Source)
      Names.insert(Name);
  }
  std::vector<SourceWorth> Found;
  for (const std::string &Name : Names) {
    std::vector<double> Values;
    for (const StudiedOperator *Operator : Described) {
      auto Place = Operator->Source.find(Name);
      Values.push_back(Place == Operator->Source.end() ? 0 : Place->second);
    }
    if (std::adjacent_find(Values.begin(), Values.end(), std::not_equal_to<>()) == Values.end())
      continue; // alike everywhere
    SourceWorth Worth;
    Worth.Feature = Name;
    std::tie(Worth.WithHeap, Worth.HeapByChance) = association(Values, Heap);
    std::tie(Worth.WithResident, Worth.ResidentByChance) = association(Values, Resident);
    Found.push_back(Worth);
  }
  std::stable_sort(Found.begin(), Found.end(), [](const SourceWorth &A, const SourceWorth &B) {
    return std::max(std::abs(A.WithHeap), std::abs(A.WithResident)) >
           std::max(std::abs(B.WithHeap), std::abs(B.WithResident));
  });
  return Found;
}

static FeatureClass featureClass(const std::vector<StudiedOperator> &Corpus, const std::vector<Prior> &Priors,
                                 const char *Feature, double Low, double High) {
  FeatureClass Found;
  Found.Low = Low;
  Found.High = High;
  Errors Heap, Resident, AfterOne, AfterThree;
  std::vector<double> Widths;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    auto Value = Corpus[O].Source.find(Feature);
    if (Value == Corpus[O].Source.end() || Value->second > High || (Value->second <= Low && High > 0))
      continue;
    ++Found.Operators;
    const OperatorRuns &Runs = Corpus[O].Runs;
    append(Heap, heapErrors(Runs));
    append(Resident, residentErrors(Runs, Priors[O], 0));
    append(AfterOne, residentErrors(Runs, Priors[O], 1));
    append(AfterThree, residentErrors(Runs, Priors[O], 3));
    bool Bounded = true;
    OperatorModel Model(Priors[O], Target::Resident, Runs.front().At);
    for (const ResidentRun &Run : Runs) {
      std::optional<Situation> Worst = atHeapBound(Run);
      Bounded &= Worst.has_value();
      if (!Worst)
        continue;
      ++Found.Bounds;
      Found.Inside += Run.Peak <= Model.forecast(*Worst, Confidence).Upper;
      if (known(Run.HeapLower) && known(Run.HeapPeak))
        Widths.push_back((Worst->Heap - Run.HeapLower) / Run.HeapPeak);
    }
    Found.Bounded += Bounded;
  }
  Found.Heap = errorFigures(Heap);
  Found.HeapWidth = medianOf(Widths);
  Found.Resident = errorFigures(Resident);
  Found.AfterOne = errorFigures(AfterOne);
  Found.AfterThree = errorFigures(AfterThree);
  return Found;
}

ErrorFigures errorFigures(std::vector<double> Signed) {
  for (double &Error : Signed)
    Error = std::abs(Error);
  std::sort(Signed.begin(), Signed.end());
  if (Signed.empty())
    return {};
  return {Signed[Signed.size() / 2], Signed[std::min(Signed.size() - 1, Signed.size() * 95 / 100)], Signed.size()};
}

Importance importanceOf(const std::vector<StudiedOperator> &Corpus) {
  std::vector<OperatorRuns> Runs;
  bool AnySource = false;
  for (const StudiedOperator &Operator : Corpus) {
    Runs.push_back(Operator.Runs);
    AnySource |= !Operator.Source.empty();
  }
  std::vector<Prior> Priors;
  for (std::size_t O = 0; O < Corpus.size(); ++O) {
    std::vector<OperatorRuns> Others = Runs;
    Others.erase(Others.begin() + static_cast<std::ptrdiff_t>(O));
    Priors.push_back(trainPrior(Others));
  }
  Importance Found;
  Found.Whole = withoutTerm(Runs, 0);
  for (int Term = 0; Term < PriorTerms; ++Term)
    Found.Terms.push_back({Term, withoutTerm(Runs, 1u << Term)});
  std::stable_sort(Found.Terms.begin(), Found.Terms.end(), [](const TermWorth &A, const TermWorth &B) {
    return A.Without.NinetyFifth > B.Without.NinetyFifth;
  });
  Found.Evidence = evidenceOf(Runs, Priors);
  if (!AnySource)
    return Found;
  Found.Source = sourceWorth(Corpus, Priors);
  auto Curve = [&](const char *Feature, std::span<const double> Ends) {
    std::vector<FeatureClass> Classes;
    double Low = 0;
    for (double High : Ends) {
      if (FeatureClass Class = featureClass(Corpus, Priors, Feature, Low, High); Class.Operators)
        Classes.push_back(Class);
      Low = High;
    }
    return Classes;
  };
  Found.ByShare = Curve(DataDependentControl, ShareEnds);
  Found.ByDecisions = Curve(Decisions, DecisionEnds);
  return Found;
}

} // namespace memshape
