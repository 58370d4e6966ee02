// Formulas of what predictions say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/emit/FigureFormulas.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/text/Try.h"
#include "model/formula/AskedShapes.h"
#include "model/formula/DomainCut.h"

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
/// Shapes at which formulas are compared with predictions.
constexpr unsigned ComparedShapes = 40;
/// Of symbols in formulas that predictions alone give: each takes milliseconds.
constexpr std::int64_t LargestValue = 500;
/// Of such formulas; counts bound the search, and time is a last resort.
constexpr seconds LastResort{60};
constexpr unsigned VerifiedPredictions = 60, VerifiedShapes = 120;
/// Of one figure, and shapes that are given up because no formula holds around them.
constexpr std::size_t MostCases = 6, MostFailures = 2;
/// Compared shapes that a further case has to hold for: one is a coincidence.
constexpr std::size_t LeastOfCase = 3;
/// In all: where each takes long nobody waits for more.
constexpr std::size_t MostPredictions = 500;
/// Multiples of the domain at which formulas are tried, and the work that predictions there may take, in microseconds.
constexpr std::int64_t Multiples[] = {4, 16, 64, 512, 1 << 12, 1 << 16, 1 << 20};
constexpr std::uint64_t MostWork = 1'000'000;

/// What one prediction says.
enum Figure : std::size_t { PeakFigure, UpperFigure, OutputFigure, TensorFigure, Figures };
using Row = std::array<std::optional<std::int64_t>, Figures>;
using Proposals = std::array<std::optional<Recovered>, Figures>;

std::optional<std::int64_t> counted(std::uint64_t Bytes) {
  return Bytes <= INT64_MAX ? std::optional(static_cast<std::int64_t>(Bytes)) : std::nullopt;
}

bool isArgument(const Skeleton &S, std::int64_t Site) {
  return Site >= 0 && S.Sites[static_cast<std::size_t>(Site)].isArgument();
}

Row rowOf(const Prediction &P) {
  std::uint64_t Tensors = 0; // pointers are the caller's own
  for (const auto &[Id, Held] : P.Heap.SiteBytes)
    if (isArgument(*P.Operator, Id))
      Tensors += Held;
  return {counted(P.Heap.Peak), P.Range.Upper ? counted(*P.Range.Upper) : std::nullopt, counted(P.Heap.Output),
          counted(Tensors)};
}

class FigureSearch {
public:
  FigureSearch(const WholeOperator &Op, const Question &Asked, const Surroundings &Around)
      : Op(Op), Asked(Asked), Around(Around), Parameters(Op.Source.parametersOf(Role::Shape)) {}

  Result<FigureFormulas> run() {
    MEMSHAPE_CHECK(predictTypical());
    for (const Parameter &P : Parameters)
      Found.Most.push_back(largestValueOf(P));
    if (Parameters.empty()) {
      for (std::size_t I = 0; I < Figures; ++I)
        if (const std::optional<std::int64_t> Bytes = rowOf(Found.Typical)[I])
          casesOf(I).All.push_back(everywhere(*Bytes));
      Found.Predictions = 1;
      return std::move(Found);
    }
    const Proposals Anywhere = proposals();
    chooseHull(Anywhere);
    compare(Anywhere[PeakFigure]);
    for (std::size_t I = 0; I < Figures; ++I)
      if (I == UpperFigure && Found.Exact) // then the bound is the peak
        Found.Upper = Found.Peak;
      else
        findCases(I, Anywhere[I]);
    Found.Predictions = static_cast<unsigned>(Compared.size());
    lookBeyond();
    return std::move(Found);
  }

private:
  Cases &casesOf(std::size_t Figure) {
    const std::array<Cases *, Figures> All = {&Found.Peak, &Found.Upper, &Found.Output, &Found.Tensors};
    return *All[Figure];
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

  /// The skeleton's own formulas for shapes in general.
  Proposals proposals() {
    Proposals Out;
    const Skeleton &S = *Found.Source;
    if (!S.Available || S.Replayed || !startSession())
      return Out;
    Question Anywhere = Found.Typical.Asked;
    const Result<Footprint> At = Session->evaluate(Anywhere);
    Anywhere.Shape.clear();
    const bool Returns = At && At->Outcome == Footprint::Status::Ok;
    FormulaSet Set =
        searchFormulas(S, Anywhere, *Session, FormulaBudget, Returns ? &*At : nullptr, FormulaCache::ofUser());
    if (Set.Symbols.size() != Parameters.size()) // sizes that come from data are symbols, too
      return Out;
    for (const std::optional<Recovered> *Each : {&Set.Peak, &Set.Output, &Set.Allocations})
      if (*Each)
        Domains.push_back((*Each)->Valid);
    Out[PeakFigure] = Out[UpperFigure] = Set.Peak;
    Out[OutputFigure] = Set.Output;
    Out[TensorFigure] = ofArguments(S, Set);
    return Out;
  }

  bool startSession() {
    if (Session) {
      Session->setTimeouts(FormulaBudget, BusyMachine * FormulaBudget);
      return true;
    }
    Session.emplace(*Found.Source, runnerOptions(*Found.Source, Around));
    if (Session->start()) {
      Session.reset();
      return false;
    }
    Session->setTimeouts(FormulaBudget, BusyMachine * FormulaBudget);
    return true;
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

  /// Null where there is no answer.
  const Row *rowAt(const Shape &At) {
    if (const std::optional<Row> *Known = Rows.find(At))
      return *Known ? &**Known : nullptr;
    if (Rows.size() >= MostPredictions)
      return nullptr;
    std::optional<Row> Here;
    if (Result<Answer> There = predictAt(At)) {
      Here = rowOf(There->Predicted);
      Work += There->Predicted.Heap.WorkMicroseconds;
      Found.Bounded = Found.Bounded && (*Here)[UpperFigure];
      // Where no process has so many addresses the formula goes on all the same.
      const Bounds &Range = There->Predicted.Range;
      Found.Exact = Found.Exact && (Range.Exact || Range.says(NoteCode::beyond_addresses));
    }
    const std::optional<Row> &Kept = Rows.add(At, std::move(Here));
    return Kept ? &*Kept : nullptr;
  }

  /// The box around all domains: what is no part of that of the peak may be done in another way.
  void chooseHull(const Proposals &Anywhere) {
    for (std::size_t I = 0; I < Parameters.size(); ++I) {
      const std::int64_t Largest = largestValueOf(Parameters[I]);
      Range Whole{1, std::min(Anywhere[PeakFigure] ? 1 : LargestValue, Largest)};
      for (const Domain &Each : Domains) {
        Whole.Low = std::min(Whole.Low, std::max<std::int64_t>(1, Each.Ranges[I].Low));
        Whole.High = std::min(Largest, std::max(Whole.High, Each.Ranges[I].High));
      }
      Found.Hull.Ranges.push_back(Whole);
    }
    if (Anywhere[PeakFigure])
      Found.Hull.Ties = Anywhere[PeakFigure]->Valid.Ties;
  }

  /// Corners, and as many small shapes as large ones.
  void compare(const std::optional<Recovered> &Peak) {
    std::mt19937_64 Random(7919);
    std::uniform_real_distribution<double> Share(0, 1);
    for (unsigned I = 0; I < ComparedShapes; ++I) {
      const Domain &Box = Peak && I % 2 == 0 ? Peak->Valid : Found.Hull;
      Shape At;
      for (const auto &[Low, High] : Box.Ranges) {
        const double Least = static_cast<double>(std::max<std::int64_t>(Low, 1));
        const std::int64_t Drawn = std::llround(Least * std::pow(static_cast<double>(High) / Least, Share(Random)));
        At.push_back(I < 2 ? Low : I < 4 ? High : std::clamp(Drawn, Low, High));
      }
      At = Found.Hull.tied(std::move(At));
      if (const Row *Here = rowAt(At))
        Compared.emplace_back(std::move(At), *Here);
    }
  }

  static bool saysAt(const Recovered &Of, const Shape &At, const std::optional<std::int64_t> &Bytes) {
    return Bytes && Of.Value.evaluate(At) == Rational(*Bytes);
  }

  /// Of with the domain in which it agrees with predictions; nothing where that is hardly anything.
  std::optional<Recovered> agreeing(Recovered Of, std::size_t Figure) {
    std::vector<Shape> Right, Wrong;
    for (const auto &[At, Here] : Compared)
      if (Of.Valid.contains(At))
        (saysAt(Of, At, Here[Figure]) ? Right : Wrong).push_back(At);
    if (Right.size() < (casesOf(Figure).All.empty() ? 1 : LeastOfCase))
      return std::nullopt;
    if (Wrong.empty())
      return Of;
    const std::optional<Domain> Kept = cutDomain(Of.Valid, Right, Wrong, {}, [&](const Shape &At) {
      const Row *Here = rowAt(At);
      return Here && saysAt(Of, At, (*Here)[Figure]);
    });
    if (!Kept)
      return std::nullopt;
    Of.Valid = *Kept;
    return Of;
  }

  /// It leaves no symbol at one value that has several.
  bool isWide(const Domain &Box) const {
    for (std::size_t I = 0; I < Box.Ranges.size(); ++I)
      if (Box.Ranges[I].Low == Box.Ranges[I].High && Found.Hull.Ranges[I].Low < Found.Hull.Ranges[I].High)
        return false;
    return true;
  }

  /// The first shape with a figure that no case has, after those that were given up.
  const Shape *uncovered(std::size_t Figure, const std::vector<const Shape *> &GivenUp) {
    for (const auto &[At, Here] : Compared) {
      const bool Covered = std::any_of(casesOf(Figure).All.begin(), casesOf(Figure).All.end(),
                                       [&](const Recovered &Each) { return Each.Valid.contains(At); });
      if (Here[Figure] && !Covered && std::find(GivenUp.begin(), GivenUp.end(), &At) == GivenUp.end())
        return &At;
    }
    return nullptr;
  }

  void findCases(std::size_t Figure, const std::optional<Recovered> &General) {
    std::vector<Recovered> &All = casesOf(Figure).All;
    const auto Take = [&](const std::optional<Recovered> &Proposed) {
      std::optional<Recovered> Held = Proposed ? agreeing(*Proposed, Figure) : std::nullopt;
      if (!Held || !isWide(Held->Valid))
        return false;
      All.push_back(std::move(*Held));
      return true;
    };
    const auto HasBound = [&] { return Figure != UpperFigure || Found.Bounded; };
    if (HasBound() && !Take(General))
      Take(amongSamples(Figure, Found.Hull, {}));
    std::vector<const Shape *> GivenUp;
    while (!All.empty() && All.size() < MostCases && GivenUp.size() < MostFailures && HasBound()) {
      const Shape *Anchor = uncovered(Figure, GivenUp);
      if (!Anchor)
        break;
      if (!Take(amongSamples(Figure, boxBeside(All, *Anchor), *Anchor)))
        GivenUp.push_back(Anchor);
    }
    if (!HasBound()) // a bound that is missing anywhere is none
      All.clear();
    casesOf(Figure).Everywhere = !uncovered(Figure, {});
  }

  /// A box around the anchor with no shape of Others, as large as a cut for each leaves it.
  Domain boxBeside(const std::vector<Recovered> &Others, const Shape &Anchor) const {
    Domain Box = Found.Hull;
    for (const Recovered &Other : Others) {
      std::optional<std::pair<std::size_t, Range>> Best;
      for (std::size_t I = 0; I < Anchor.size(); ++I) {
        const Range &Cut = Other.Valid.Ranges[I];
        Range Left = Box.Ranges[I];
        if (Anchor[I] < Cut.Low)
          Left.High = std::min(Left.High, Cut.Low - 1);
        else if (Anchor[I] > Cut.High)
          Left.Low = std::max(Left.Low, Cut.High + 1);
        else
          continue;
        if (!Best || Left.High - Left.Low > Best->second.High - Best->second.Low)
          Best = {I, Left};
      }
      if (Best)
        Box.Ranges[Best->first] = Best->second;
    }
    return Box;
  }

  /// What the skeleton says where that is what is predicted.
  std::vector<std::optional<Outputs>> rowsOfSkeleton(std::size_t Figure, const std::vector<Shape> &Shapes) {
    std::vector<std::optional<Outputs>> Out;
    const Skeleton &S = *Found.Source;
    for (const std::optional<FootprintRow> &Row : Session->evaluateAt(Found.Typical.Asked, Shapes)) {
      Out.emplace_back();
      if (!Row)
        continue;
      std::int64_t Tensors = 0;
      for (const auto &[Id, Held] : Row->SiteBytes)
        if (isArgument(S, Id))
          Tensors += Held;
      Out.back() = Outputs{Figure == OutputFigure ? Row->Output : Figure == TensorFigure ? Tensors : Row->Peak};
    }
    return Out;
  }

  /// A formula in a box; with an anchor one that holds there. Of the skeleton, where each prediction so far was exact.
  std::optional<Recovered> amongSamples(std::size_t Figure, const Domain &Box, const Shape &Anchor) {
    const bool OfSkeleton = Found.Exact && !Found.Source->Replayed && startSession();
    RecoveryOptions Options;
    Options.FreshShapes = OfSkeleton ? VerifiedShapes : VerifiedPredictions;
    Options.LargestValue = 1;
    for (const Range &Each : Box.Ranges)
      Options.LargestValue = std::max(Options.LargestValue, Each.High);
    Options.Budget = LastResort;
    Options.MayHold = false;
    Options.Anchor = Anchor;
    Options.Limits = Box.Ranges;
    if (OfSkeleton) {
      Options.Budget = FormulaBudget;
      Options.Busy = [this] { return Session->busy(); };
      Options.EvaluateAll = [&](const std::vector<Shape> &Shapes) { return rowsOfSkeleton(Figure, Shapes); };
    }
    const auto Predicted = [&](const Shape &At) -> std::optional<Outputs> {
      const Row *Here = rowAt(At);
      return Here && (*Here)[Figure] ? std::optional(Outputs{*(*Here)[Figure]}) : std::nullopt;
    };
    const auto OfOne = [&](const Shape &At) -> std::optional<Outputs> {
      const std::vector<std::optional<Outputs>> Answers = rowsOfSkeleton(Figure, {At});
      return Answers.empty() ? std::nullopt : Answers.front();
    };
    Recovery Search(Parameters.size(), OfSkeleton ? Evaluation(OfOne) : Evaluation(Predicted), Options);
    return Search.recover(0);
  }

  /// The case for a shape that may lie beyond the hull: the one of its nearest shape there.
  const Recovered *caseAt(std::size_t Figure, const Shape &At) {
    const Shape Inside = Found.Hull.clamped(At);
    const auto &[All, Everywhere] = casesOf(Figure);
    for (std::size_t I = All.size(); I-- > 0;)
      if (All[I].Valid.contains(Inside) || (I == 0 && Everywhere))
        return &All[I];
    return nullptr;
  }

  /// Formulas go on beyond their domain, up to where a prediction refutes one.
  void lookBeyond() {
    Shape Before;
    for (const Range &Each : Found.Hull.Ranges)
      Before.push_back(Each.High);
    for (std::int64_t Multiple : Multiples) {
      Shape Far;
      for (std::size_t I = 0; I < Before.size(); ++I)
        Far.push_back(Found.Hull.Ranges[I].High > Found.Most[I] / Multiple ? Found.Most[I]
                                                                           : Found.Hull.Ranges[I].High * Multiple);
      const std::uint64_t Start = Work;
      bool Answered = true;
      for (std::size_t I = 0; I <= Far.size(); ++I) { // each symbol alone, then all together
        Shape At = Far;
        for (std::size_t K = 0; K < Far.size() && I < Far.size(); ++K)
          At[K] = K == I ? Far[K] : std::max(Found.Hull.Ranges[K].Low, Found.Hull.Ranges[K].High / 4);
        At = Found.Hull.tied(std::move(At));
        const Row *Here = rowAt(At);
        Answered = Answered && Here;
        for (std::size_t Figure = 0; Here && Figure < Figures; ++Figure)
          if (const Recovered *Of = caseAt(Figure, At); Of && !saysAt(*Of, At, (*Here)[Figure])) {
            Found.Most = Before;
            return;
          }
      }
      if (!Answered || Work - Start > MostWork)
        return;
      Before = Far;
    }
  }

  const WholeOperator &Op;
  const Question &Asked;
  const Surroundings &Around;
  const std::vector<Parameter> Parameters;
  FigureFormulas Found;
  std::optional<SkeletonSession> Session;
  std::uint64_t Work = 0;      ///< of all predictions, in microseconds
  std::vector<Domain> Domains; ///< of formulas for shapes in general
  AskedShapes<std::optional<Row>> Rows;
  std::vector<std::pair<Shape, Row>> Compared;
};

} // namespace

Result<FigureFormulas> figureFormulas(const WholeOperator &Op, const Question &Asked, const Surroundings &Around) {
  return FigureSearch(Op, Asked, Around).run();
}

} // namespace memshape
