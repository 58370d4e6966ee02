// Formulas of what predictions say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/emit/FigureFormulas.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "model/formula/AskedShapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace memshape {

namespace {

using std::chrono::seconds;

/// A formula is for a header that is kept: as long as for a report, twice.
constexpr std::chrono::milliseconds FormulaBudget{4000};
/// Budgets are of processor time; where others use the processor, so many times as long may pass.
constexpr int BusyMachine = 4;
/// Large enough for tensors to outweigh what is constant.
constexpr std::int64_t TypicalValue = 100;
/// Shapes at which each formula is compared with a prediction.
constexpr unsigned ComparedShapes = 40;
/// Of symbols in formulas that predictions alone give: each takes milliseconds.
constexpr std::int64_t LargestValue = 500;
/// Counts bound that search; time is a last resort.
constexpr seconds LastResort{60};

/// What one prediction says.
enum Figure : std::size_t { PeakFigure, UpperFigure, OutputFigure, TensorFigure, Figures };
using Row = std::array<std::optional<std::int64_t>, Figures>;

std::optional<std::int64_t> counted(std::uint64_t Bytes) {
  return Bytes <= INT64_MAX ? std::optional(static_cast<std::int64_t>(Bytes)) : std::nullopt;
}

Row rowOf(const Prediction &P) {
  std::uint64_t Tensors = 0;
  for (const TensorBytes &Each : tensorsOf(P))
    Tensors += Each.Bytes.value_or(0);
  return {counted(P.Heap.Peak), P.Range.Upper ? counted(*P.Range.Upper) : std::nullopt, counted(P.Heap.Output),
          counted(Tensors)};
}

class FigureSearch {
public:
  FigureSearch(const WholeOperator &Op, const Question &Asked, const Surroundings &Around)
      : Op(Op), Asked(Asked), Around(Around), Parameters(Op.Source.parametersOf(Role::Shape)) {}

  Result<FigureFormulas> run() {
    if (std::optional<Failure> Wrong = predictTypical())
      return *Wrong;
    const std::array<std::optional<Recovered>, Figures> Proposed = proposals();
    compare(Proposed);
    for (std::size_t I = 0; I < Figures; ++I)
      if (Parameters.empty())
        *member(I) = constant(I);
      else if (Proposed[I] && agrees(*Proposed[I], I))
        *member(I) = Proposed[I];
      else if (I != UpperFigure || Found.Bounded)
        *member(I) = amongPredictions(I);
    Found.Predictions = static_cast<unsigned>(Compared.size());
    return std::move(Found);
  }

private:
  std::optional<Recovered> *member(std::size_t Figure) {
    const std::array<std::optional<Recovered> *, Figures> All = {&Found.Peak, &Found.Upper, &Found.Output,
                                                                 &Found.Tensors};
    return All[Figure];
  }

  Result<Answer> predictAt(const Shape &At) {
    Question Here = Asked;
    Here.Shape = At;
    Surroundings Own = Around;
    Own.Formulas = false;
    Own.Deadline = std::chrono::steady_clock::now() + std::chrono::minutes(10);
    return answer(Op, Here, Own);
  }

  /// The first shape with an answer.
  std::optional<Failure> predictTypical() {
    std::optional<Failure> First;
    for (std::int64_t Value : {TypicalValue, std::int64_t(16), std::int64_t(1), 10 * TypicalValue}) {
      Shape At;
      for (const Parameter &P : Parameters)
        At.push_back(std::min(Value, largestValueOf(P)));
      Result<Answer> There = predictAt(At);
      if (There) {
        Found.Typical = std::move(There->Predicted);
        Found.Source = std::move(There->Source);
        return std::nullopt;
      }
      if (!First)
        First = There.failure();
    }
    return First;
  }

  /// The skeleton's own formulas.
  std::array<std::optional<Recovered>, Figures> proposals() {
    std::array<std::optional<Recovered>, Figures> Out;
    const Skeleton &S = *Found.Source;
    if (Parameters.empty() || !S.Available || S.Replayed)
      return Out;
    RunnerOptions Options = runnerOptions(S, Around.Files, Around.Libraries, Around.Runner);
    Options.Machine = Around.Machine;
    Options.Trust = Around.Trust;
    SkeletonSession Session(S, Options);
    if (Session.start())
      return Out;
    Session.setTimeouts(FormulaBudget, BusyMachine * FormulaBudget);
    Question Anywhere = Found.Typical.Asked;
    const Result<Footprint> At = Session.evaluate(Anywhere);
    Anywhere.Shape.clear();
    const bool Returns = At && At->Outcome == Footprint::Status::Ok;
    FormulaSet Set =
        searchFormulas(S, Anywhere, Session, FormulaBudget, Returns ? &*At : nullptr, FormulaCache::ofUser());
    if (Set.Symbols.size() != Parameters.size()) // sizes that come from data are symbols, too
      return Out;
    Out[PeakFigure] = Out[UpperFigure] = Set.Peak;
    Out[OutputFigure] = Set.Output;
    Out[TensorFigure] = ofArguments(S, Set);
    return Out;
  }

  /// The sum over all arguments that are built.
  std::optional<Recovered> ofArguments(const Skeleton &S, const FormulaSet &Set) const {
    std::optional<Recovered> Sum;
    for (std::size_t I = 0; I < S.Sites.size(); ++I) {
      if (!S.Sites[I].isArgument())
        continue;
      const auto Each = Set.Arguments.find(static_cast<std::int64_t>(I));
      if (Each == Set.Arguments.end())
        return std::nullopt;
      if (!Sum) {
        Sum = Each->second;
        continue;
      }
      std::optional<Formula> Both = Formula::sum(Sum->Value, Each->second.Value);
      if (!Both)
        return std::nullopt;
      Sum->Value = std::move(*Both);
      Sum->Valid = Sum->Valid.with(Each->second.Valid);
      Sum->VerifiedShapes = std::min(Sum->VerifiedShapes, Each->second.VerifiedShapes);
    }
    return Sum ? Sum : everywhere(0);
  }

  /// A constant for all shapes.
  Recovered everywhere(std::int64_t Bytes) const {
    Domain All;
    for (const Parameter &P : Parameters)
      All.Ranges.push_back({0, largestValueOf(P)});
    return {Formula({}, {Polynomial::constant(0, Rational(Bytes))}), All, 0};
  }

  std::optional<Recovered> constant(std::size_t Figure) const {
    const std::optional<std::int64_t> Bytes = rowOf(Found.Typical)[Figure];
    return Bytes ? std::optional(everywhere(*Bytes)) : std::nullopt;
  }

  /// Null where there is no answer.
  const Row *rowAt(const Shape &At) {
    if (const std::optional<Row> *Known = Rows.find(At))
      return *Known ? &**Known : nullptr;
    std::optional<Row> Here;
    if (Result<Answer> There = predictAt(At)) {
      Here = rowOf(There->Predicted);
      Found.Bounded = Found.Bounded && (*Here)[UpperFigure];
      Found.Exact = Found.Exact && There->Predicted.Range.Exact;
    }
    const std::optional<Row> &Kept = Rows.add(At, std::move(Here));
    return Kept ? &*Kept : nullptr;
  }

  /// Predictions all over the domain of the peak's formula: at its corners, and as many small shapes as large ones.
  void compare(const std::array<std::optional<Recovered>, Figures> &Proposed) {
    std::vector<Range> Ranges;
    for (const Parameter &P : Parameters)
      Ranges.push_back({1, std::min(TypicalValue, largestValueOf(P))});
    if (Proposed[PeakFigure])
      Ranges = Proposed[PeakFigure]->Valid.Ranges;
    std::mt19937_64 Random(7919);
    std::uniform_real_distribution<double> Share(0, 1);
    const unsigned Shapes = Parameters.empty() ? 1 : ComparedShapes;
    for (unsigned I = 0; I < Shapes; ++I) {
      Shape At;
      for (std::size_t K = 0; K < Ranges.size(); ++K) {
        const auto [Low, High] = Ranges[K];
        const double Drawn =
            static_cast<double>(Low) *
            std::pow(static_cast<double>(High) / static_cast<double>(std::max<std::int64_t>(Low, 1)), Share(Random));
        const bool Corner = I < 2;
        At.push_back(Corner ? (I == 0 ? Low : High) : std::clamp(std::llround(Drawn), (long long)Low, (long long)High));
      }
      if (const Row *Here = rowAt(At))
        Compared.emplace_back(std::move(At), *Here);
    }
  }

  bool agrees(const Recovered &Proposed, std::size_t Figure) const {
    return !Compared.empty() && std::all_of(Compared.begin(), Compared.end(), [&](const auto &Each) {
      const std::optional<std::int64_t> Bytes = Each.second[Figure];
      return Bytes && Proposed.Value.evaluate(Each.first) == Rational(*Bytes);
    });
  }

  std::optional<Recovered> amongPredictions(std::size_t Figure) {
    RecoveryOptions Options;
    Options.FreshShapes = 60;
    Options.LargestValue = LargestValue;
    Options.Budget = LastResort;
    Options.MayHold = false;
    for (const Parameter &P : Parameters)
      Options.Limits.push_back({0, largestValueOf(P)});
    Recovery Search(
        Parameters.size(),
        [this, Figure](const Shape &At) -> std::optional<Outputs> {
          const Row *Here = rowAt(At);
          return Here && (*Here)[Figure] ? std::optional(Outputs{*(*Here)[Figure]}) : std::nullopt;
        },
        Options);
    std::optional<Recovered> Best = Search.recover(0);
    // A bound that is missing anywhere is none.
    return Figure == UpperFigure && !Found.Bounded ? std::nullopt : Best;
  }

  const WholeOperator &Op;
  const Question &Asked;
  const Surroundings &Around;
  const std::vector<Parameter> Parameters;
  FigureFormulas Found;
  AskedShapes<std::optional<Row>> Rows;
  std::vector<std::pair<Shape, Row>> Compared;
};

} // namespace

Result<FigureFormulas> figureFormulas(const WholeOperator &Op, const Question &Asked, const Surroundings &Around) {
  return FigureSearch(Op, Asked, Around).run();
}

} // namespace memshape
