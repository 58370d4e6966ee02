// What is believed of one operator, run after run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/OperatorModel.h"

#include <algorithm>
#include <cmath>

namespace memshape {

constexpr double MiB = 1048576, KiB = 1024;
/// What is kept of the past when compiler, allocator or host change: half of it, and no more than so many runs are
/// worth. Where it points is believed until a run says otherwise; the first that does counts as much.
constexpr double KeptOverChange = 0.5, MostRunsKept = 1;
/// More symbols than this are taken together and one by one, but not in pairs.
constexpr std::size_t MostPairedSymbols = 4;
/// Heap peaks that follow a footprint formula do so to the byte; this share is for those that do not.
constexpr double HeapNoise = 0.01, HeapNoiseFloor = 64 * KiB;
/// Noise of a run whose footprint nobody knows, as a share of its peak.
constexpr double ShapeNoise = 0.03;

/// Callers that do not touch what they say they hold, or hold more, are rare.
constexpr double HeldFactor = 0.3, HeldOdds = 0.05;

/// Of a resident peak, the share that is left open whatever the runs say; chosen for the narrowest bounds on the
/// corpus.
constexpr double ShareUnexplained = 0.02;

static Belief diagonal(const std::vector<double> &Mean, const std::vector<double> &Deviation, double Noise,
                       double Shape) {
  int Count = static_cast<int>(Mean.size());
  Belief B;
  B.Mean = Row(Count);
  B.Precision = TermMatrix::Zero(Count, Count);
  for (int I = 0; I < Count; ++I) {
    B.Mean[I] = Mean[static_cast<std::size_t>(I)];
    double Relative = Noise / Deviation[static_cast<std::size_t>(I)];
    B.Precision(I, I) = Relative * Relative;
  }
  B.Shape = Shape;
  B.Rate = (Shape - 1) * Noise * Noise; // the expected noise variance is Noise^2
  return B;
}

double OperatorModel::Monomial::value(const Situation &At) const {
  double Product = 1;
  for (const auto &[Symbol, Power] : Powers) {
    auto Place = At.Shape.find(Symbol);
    double Value = Place == At.Shape.end() ? 1 : Place->second;
    for (int I = 0; I < Power; ++I)
      Product *= Value;
  }
  return Product / AtFirst;
}

OperatorModel::OperatorModel(const Prior &Generic, Target What, const Situation &Like, double FirstPeak)
    : Generic(&Generic), What(What), HasHeap(known(Like.Heap)), HasHeld(known(Like.Held)),
      HasLibraries(known(Like.Libraries)), BaseUnit(What == Target::Heap ? KiB : MiB) {
  Size = 0;
  if (known(FirstPeak))
    Size = std::max({FirstPeak - offset(Like), 0.05 * FirstPeak, 1.0});
  Rest = Size;
  // With a footprint, what follows the shape besides are tensors of about its size; the rest is the process's own.
  if (HasHeap && known(FirstPeak))
    Size = std::clamp(2 * Like.Heap, 1.0, Size);
  std::vector<Belief> Beliefs;
  std::vector<double> LogWeights;
  if (HasHeap)
    addFootprintBases(Beliefs, LogWeights);
  if (known(FirstPeak) && (!HasHeap || (What == Target::Resident && !HasHeld)))
    addShapeBases(Like, Beliefs, LogWeights);
  if (isOwnUnsaid() && known(FirstPeak))
    weighOwnMemory(Like, FirstPeak, Beliefs, LogWeights);
  if (Beliefs.empty()) {
    Bases.push_back({});
    Beliefs.push_back(diagonal({0}, {Generic.Around.BaseBytes / BaseUnit}, 1, Generic.Around.Shape));
    LogWeights.push_back(0);
  }
  Learned.emplace_back(Beliefs, LogWeights);
}

void OperatorModel::weighOwnMemory(const Situation &Like, double FirstPeak, const std::vector<Belief> &Beliefs,
                                   std::vector<double> &LogWeights) const {
  double Offset = offset(Like), Own = Generic->Own.logDensity(Rest);
  std::vector<ScaledRow> AtFirst = rows(Like, Offset);
  // The basis that explains all of the rest by a wide base; those with tensors besides get the same factor.
  auto Scaled = [&](std::size_t I) {
    Row Relative = AtFirst[I].Terms / AtFirst[I].Scale;
    StudentT Found = Posterior(Beliefs[I]).predict(Relative);
    Found.Location *= AtFirst[I].Scale;
    Found.Scale *= AtFirst[I].Scale;
    return Found.logDensity(FirstPeak - Offset);
  };
  double Factor = 0;
  for (std::size_t I = 0; I < Bases.size() && Factor == 0; ++I)
    if (Bases[I].Wide && !Bases[I].WithHeap)
      Factor = Own - Scaled(I);
  for (std::size_t I = 0; I < Bases.size(); ++I)
    if (Bases[I].Wide && Bases[I].Monomials.empty())
      LogWeights[I] += Factor;
}

void OperatorModel::addFootprintBases(std::vector<Belief> &Beliefs, std::vector<double> &LogWeights) {
  const Spread &S = Generic->Around;
  auto Add = [&](const Basis &Of, const std::vector<double> &Deviation, double Noise, double Odds) {
    Bases.push_back(Of);
    std::vector<double> Mean(Deviation.size(), 0.0);
    if (Of.WithHeap && What == Target::Resident)
      Mean[1] = -S.Untouched;
    Beliefs.push_back(diagonal(Mean, Deviation, Noise, S.Shape));
    LogWeights.push_back(std::log(Odds));
  };
  if (What == Target::Heap) {
    Add({false, false, false, {}}, {HeapNoiseFloor / BaseUnit}, HeapNoise, 1);
    Add({true, false, false, {}}, {HeapNoiseFloor / BaseUnit, 0.1}, HeapNoise, 1);
    return;
  }
  double Base = S.BaseBytes / BaseUnit, Wide = std::max(S.WideBytes, Rest) / BaseUnit;
  double WideOdds = wideOdds();
  Add({false, false, false, {}}, {Base}, S.Noise, 1);
  Add({false, false, true, {}}, {Wide}, S.Noise, WideOdds);
  Add({true, false, false, {}}, {Base, S.HeapFactor}, S.Noise, S.HeapOdds);
  Add({true, false, true, {}}, {Wide, S.HeapFactor}, S.Noise, S.HeapOdds * WideOdds);
  if (HasHeld)
    Add({true, true, false, {}}, {Base, S.HeapFactor, HeldFactor}, S.Noise, S.HeapOdds * HeldOdds);
}

void OperatorModel::addShapeBases(const Situation &Like, std::vector<Belief> &Beliefs,
                                  std::vector<double> &LogWeights) {
  std::vector<std::string> Symbols;
  for (const auto &[Name, Value] : Like.Shape)
    Symbols.push_back(Name);
  auto Term = [&](const std::vector<std::pair<std::string, int>> &Powers) {
    Monomial M{Powers, 1};
    M.AtFirst = std::max(M.value(Like), 1.0);
    return M;
  };
  std::vector<std::vector<Monomial>> Candidates;
  std::vector<std::pair<std::string, int>> All;
  std::vector<Monomial> Single, Pairs;
  for (const std::string &Name : Symbols) {
    All.emplace_back(Name, 1);
    if (Single.size() + 2 < MostTerms)
      Single.push_back(Term({{Name, 1}}));
  }
  if (Symbols.size() <= MostPairedSymbols)
    for (std::size_t I = 0; I < Symbols.size(); ++I)
      for (std::size_t K = I + 1; K < Symbols.size(); ++K)
        Pairs.push_back(Term({{Symbols[I], 1}, {Symbols[K], 1}}));
  if (!Symbols.empty())
    Candidates.push_back({Term(All)});
  if (Symbols.size() == 1) {
    Monomial Square = Term({{Symbols[0], 2}});
    Candidates.push_back({Square});
    Candidates.push_back({Candidates[0][0], Square});
    Candidates.push_back({Term({{Symbols[0], 3}})});
  } else if (Symbols.size() > 1) {
    Candidates.push_back(Single);
    std::vector<Monomial> Both = Single;
    Both.push_back(Term(All));
    Candidates.push_back(Both);
    if (Symbols.size() > 2 && !Pairs.empty()) {
      Candidates.push_back(Pairs);
      Pairs.push_back(Term(All));
      Candidates.push_back(Pairs);
    }
    if (Symbols.size() == 2) { // products of two matrices: squares beside the product
      std::vector<Monomial> Squares{Term(All), Term({{Symbols[0], 2}}), Term({{Symbols[1], 2}})};
      Candidates.push_back(Squares);
    }
  }
  std::vector<BaseOfProcess> Kinds = basesOfProcesses();
  for (std::size_t I = 0; I < Candidates.size() * Kinds.size(); ++I) {
    const BaseOfProcess &Kind = Kinds[I / Candidates.size()];
    const std::vector<Monomial> &Terms = Candidates[I % Candidates.size()];
    double Share = HasHeap ? 0 : 1 / static_cast<double>(Terms.size());
    std::vector<double> Mean{0}, Deviation{Kind.Deviation / BaseUnit};
    Mean.insert(Mean.end(), Terms.size(), Share);
    Deviation.insert(Deviation.end(), Terms.size(), Terms.size() > 1 ? 0.4 : 0.7);
    if (HasHeap) {
      Mean.insert(Mean.begin() + 1, 0);
      Deviation.insert(Deviation.begin() + 1, Generic->Around.HeapFactor);
    }
    LogWeights.push_back((I % Candidates.size() == 0 ? 0.0 : -1 - 0.5 * static_cast<double>(Terms.size())) +
                         std::log(Kind.Odds));
    Bases.push_back({HasHeap, false, Kind.OfAnyProcess, Terms});
    Beliefs.push_back(diagonal(Mean, Deviation, HasHeap ? Generic->Around.Noise : ShapeNoise, Generic->Around.Shape));
  }
}

std::vector<OperatorModel::BaseOfProcess> OperatorModel::basesOfProcesses() const {
  const Spread &S = Generic->Around;
  if (What == Target::Heap)
    return {{HeapNoiseFloor, 1, false}};
  double Wide = std::max(S.WideBytes, Rest), TensorOdds = isOwnUnsaid() && !HasLibraries ? Generic->Own.TensorOdds : 1;
  return {{S.BaseBytes, TensorOdds, false}, {Wide, TensorOdds * wideOdds(), true}};
}

double OperatorModel::offset(const Situation &At) const {
  if (What == Target::Heap)
    return HasHeap ? At.Heap : 0;
  Situation Here = At;
  if (!HasHeap)
    Here.Heap = Here.Total = Here.Allocations = Here.Kept = Unknown;
  if (!HasHeld)
    Here.Held = Unknown;
  return Generic->mean(Here);
}

std::vector<ScaledRow> OperatorModel::rows(const Situation &At, double Offset) const {
  double Floor = What == Target::Resident ? Generic->Around.NoiseFloor : HeapNoiseFloor;
  std::vector<ScaledRow> Found;
  Found.reserve(Bases.size());
  for (const Basis &B : Bases) {
    ScaledRow R;
    R.Terms = Row(static_cast<int>(1 + B.WithHeap + B.WithHeld + B.Monomials.size()));
    int Next = 0;
    R.Terms[Next++] = BaseUnit;
    if (B.WithHeap)
      R.Terms[Next++] = At.Heap;
    if (B.WithHeld)
      R.Terms[Next++] = At.Held;
    double Explained = 0;
    for (const Monomial &M : B.Monomials) {
      double Value = Size * M.value(At);
      R.Terms[Next++] = Value;
      Explained += Value;
    }
    if (HasHeap || B.Monomials.empty())
      R.Scale = Floor + std::max(Offset, 0.0);
    else
      R.Scale = Floor + std::max(Offset, 0.0) + Explained / static_cast<double>(B.Monomials.size());
    if (!HasHeap && B.Monomials.empty())
      R.Scale = std::max(Offset, Floor);
    Found.push_back(std::move(R));
  }
  return Found;
}

StudentT OperatorModel::predict(const Situation &At) const { return predict(At, offset(At)); }

StudentT OperatorModel::predict(const Situation &At, double Offset) const {
  StudentT Found = Learned.front().predict(rows(At, Offset));
  // No run holds less than nothing.
  Found.Location = std::max(Found.Location + Offset, 0.0);
  // Operators that no basis describes would otherwise set the bound of all others: their errors grow with size.
  if (What == Target::Resident && HasHeap)
    Found.Scale += ShareUnexplained * Found.Location;
  return Found;
}

StudentT OperatorModel::ceiling(const Situation &At, double Degrees) const {
  double Requested = offset(allRequested(At));
  return {Requested + MostAbove, Generic->Above.at(At, Requested), Degrees};
}

OperatorModel::Scores OperatorModel::scores(const Situation &At, double Peak) const {
  double Offset = offset(At);
  auto Score = [&](const StudentT &Of) { return (Peak - Of.Location) / Of.Scale; };
  return {Score(predict(At, Offset)), hasCeiling() ? Score(ceiling(At, 0)) : 0};
}

const OperatorModel::BoundScores &OperatorModel::boundScores(double Confidence, double Degrees) const {
  BoundScores &Last = LastBound;
  if (Last.Confidence == Confidence && Last.Degrees == Degrees && Last.Runs == OwnScores.size())
    return Last;
  std::size_t Index = Prior::poolFor(OwnScores.size());
  bool Pooled = What == Target::Resident && HasHeap;
  // Where the lower of two bounds counts, each has half of the risk (Bonferroni).
  double Each = hasCeiling() ? 1 - (1 - Confidence) / 2 : Confidence;
  double Start = Pooled ? Generic->Pools[Index].quantile(Each, Degrees) : standardQuantile(Each, Degrees);
  // Operators of the pool are described: their scores say too little of one that is not, once its runs say the rest.
  if (isOwnUnsaid() && !OwnScores.empty())
    Start = std::max(Start, standardQuantile(Each, Degrees));
  Last = {Confidence, Degrees, boundScore(Each, Start, OwnScores), 0, OwnScores.size()};
  if (hasCeiling())
    Last.Ceiling = boundScore(Each, Generic->CeilingPools[Index].quantile(Each, Degrees), CeilingScores);
  return Last;
}

Forecast OperatorModel::forecast(const Situation &At, double Confidence, double Cap) const {
  double Offset = offset(At);
  StudentT Expected = predict(At, Offset);
  const BoundScores &Scores = boundScores(Confidence, Expected.Degrees);
  double Upper = Expected.Location + Scores.Own * Expected.Scale;
  // Memory that nobody requested is not held: the lower one of the two bounds counts.
  if (hasCeiling()) {
    StudentT Ceiling = ceiling(At, Expected.Degrees);
    Upper = std::min(Upper, Ceiling.Location + Scores.Ceiling * Ceiling.Scale);
  }
  return {Expected, std::min(Cap, std::max(Upper, Expected.Location))};
}

double OperatorModel::logDensity(const Situation &At, double Peak) const {
  double Offset = offset(At);
  return Learned.front().logDensity(rows(At, Offset), Peak - Offset);
}

void OperatorModel::observe(const Situation &At, double Peak) {
  double Offset = offset(At);
  Scores Now = scores(At, Peak);
  OwnScores.push_back(Now.Own);
  if (hasCeiling())
    CeilingScores.push_back(Now.Ceiling);
  MostAbove = std::max(MostAbove, Peak - offset(allRequested(At)));
  Learned.front().observe(rows(At, Offset), Peak - Offset);
  ++Evidence;
}

void OperatorModel::observeAbove(const Situation &At, double Peak) {
  double Offset = offset(At);
  MostAbove = std::max(MostAbove, Peak - offset(allRequested(At)));
  Learned.front().observeAbove(rows(At, Offset), Peak - Offset);
  ++Evidence;
}

void OperatorModel::environmentChanged() {
  double Kept = std::min(KeptOverChange, MostRunsKept / std::max(Evidence, 1.0));
  Learned.front().forget(Kept);
  Evidence *= Kept;
  // Bounds are those of a short history again.
  for (std::vector<double> *Scores : {&OwnScores, &CeilingScores})
    Scores->erase(Scores->begin(), Scores->end() - std::min<std::ptrdiff_t>(std::ssize(*Scores), 1));
  LastBound = {};
}

} // namespace memshape
