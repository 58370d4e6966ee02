// Formulas of everything a skeleton accounts for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/formulas/FormulaSearch.h"
#include "libmemshape/formulas/FormulaCache.h"
#include "libmemshape/formulas/FormulaSampling.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace memshape {

namespace {

std::uint64_t bytesOr0(const std::optional<Recovered> &Found, const std::vector<std::int64_t> &At) {
  if (!Found)
    return 0;
  Rational Value = Found->Value.evaluate(At);
  return Value.valid() && Value.isInteger() && Value.numerator() >= 0 && Value.numerator() <= INT64_MAX
             ? static_cast<std::uint64_t>(Value.numerator())
             : 0;
}

/// The formulas say what the skeleton said at the asked shape, the sites' among them.
bool agree(const FormulaSet &Found, const Footprint &AtShape) {
  auto Says = [&](const Recovered &R, std::uint64_t Bytes) {
    return R.Value.evaluate(Found.Asked) == Rational(static_cast<std::int64_t>(Bytes));
  };
  if (!Found.Peak || !Says(*Found.Peak, AtShape.Peak))
    return false;
  return std::all_of(Found.Sites.begin(), Found.Sites.end(), [&](const auto &Site) {
    auto Held = AtShape.SiteBytes.find(Site.first);
    return Says(Site.second, Held == AtShape.SiteBytes.end() ? 0 : Held->second);
  });
}

/// One way to search. The list of them is an order: each is asked where those before it have found nothing.
struct SearchManner {
  RecoveryOptions Options;
  /// Symbols are held only where the asked shape takes less, in microseconds.
  double Cheap = 0;
  /// Whether to look around this shape; empty: for all shapes.
  std::function<bool(const Shape &Anchor)> Applies;
  bool Anchored = true; ///< the formula has to hold at the anchor
  bool Around = false;  ///< only shapes around it are asked
  /// Its samples serve both searches. It starts to ask as soon as it is there.
  std::optional<Recovery> Search = {};
};

class FormulaSearch {
public:
  FormulaSearch(const Skeleton &S, const Question &Asked, Evaluator &Evaluate, std::chrono::microseconds Budget,
                const Footprint *AtShape, const FormulaCache &Cache)
      : S(S), Asked(Asked), Evaluate(Evaluate), Budget(Budget), AtShape(AtShape), Cache(Cache),
        Sampling(S, Asked, Evaluate, AtShape) {}

  FormulaSet run();

private:
  void makeManners();
  FormulaSet blank() const;
  void chooseAskedShape();
  FormulaSet recallOrRecover(const Shape &Anchor);
  FormulaSet recover(const Shape &Anchor);
  void recoverArguments(Recovery &Search, FormulaSet &Set);
  /// Of the figure of a site, counted from FirstSite: the caller builds what it stands for, or gets it.
  bool isArgument(std::size_t Figure) const { return Figure > 0 && !S.Sites[Figure - 1].allocates(); }
  FormulaSet recoverIn(SearchManner &How, const Shape &Anchor);
  void addPart(FormulaSet &Set);
  FormulaSet withPart(FormulaSet Set);
  FormulaSet searched();

  const Skeleton &S;
  const Question &Asked;
  Evaluator &Evaluate;
  const std::chrono::microseconds Budget;
  const Footprint *AtShape;
  const FormulaCache &Cache;
  FormulaSampling Sampling;
  std::vector<SearchManner> Manners;
  std::chrono::nanoseconds Begin{0};
  Shape At;               ///< the asked shape in all symbols; empty where there is none
  Footprint Here;         ///< the footprint there, where HasPoint
  bool HasPoint = false;  ///< somebody asks for a shape, and the skeleton answers there
  bool Elsewhere = false; ///< a formula was found that does not hold at the asked shape
  bool Hurried = false;   ///< something was not looked for, for want of time
  std::optional<PartFormula> Part;
};

/// From many cheap shapes, from few around the asked one, from few that may be expensive.
void FormulaSearch::makeManners() {
  RecoveryOptions Options;
  Options.EvaluateAll = [this](const std::vector<Shape> &Shapes) { return Sampling.figuresAt(Shapes); };
  Options.Budget = Budget;
  Options.Busy = [this] { return Evaluate.busy(); };
  Options.Cost = [this](const Shape &Where) { return Sampling.costAt(Where); };
  // Somebody waits for the figures at a shape; a formula that is hard to find can be had from a report.
  if (HasPoint)
    Options.AtomBudget = Budget / 40;
  // Where there is a shape the others come when nothing was found around it either. What contradicts a formula of
  // others may have wrapped, and is none to look around.
  const auto Further = [this](const Shape &Anchor) { return !Elsewhere && !(HasPoint && Anchor.empty()); };
  SearchManner Usual{Options, 1000, [](const Shape &) { return true; }};
  SearchManner Nearby{Options, 4000, [this, Further](const Shape &Anchor) {
                        return Further(Anchor) && !Anchor.empty() &&
                               static_cast<double>(AtShape->WorkMicroseconds) < 4000;
                      }};
  Nearby.Around = true;
  Nearby.Options.FreshShapes = 60;
  SearchManner Thorough{Options, 0, Further};
  Thorough.Anchored = false;
  Thorough.Options.FreshShapes = 120;
  Thorough.Options.MaxCost = std::chrono::microseconds(2000);
  Manners.push_back(std::move(Usual));
  Manners.push_back(std::move(Nearby));
  Manners.push_back(std::move(Thorough));
}

FormulaSet FormulaSearch::blank() const {
  FormulaSet Set;
  Set.Symbols = Sampling.symbols();
  Set.Asked = At;
  return Set;
}

FormulaSet FormulaSearch::recover(const Shape &Anchor) {
  FormulaSet Set;
  Sampling.tie(HasPoint ? At : Shape());
  for (SearchManner &How : Manners) {
    if (!How.Applies(Anchor))
      continue;
    if (How.Around)
      How.Options.Around = Sampling.ofFree(Anchor);
    std::map<std::int64_t, Recovered> Arguments = std::move(Set.Arguments);
    Set = recoverIn(How, How.Anchored ? Anchor : Shape());
    Set.Arguments.merge(Arguments);
    if (Set.Peak || Sampling.lost())
      break;
  }
  return Set;
}

FormulaSet FormulaSearch::recoverIn(SearchManner &How, const Shape &Anchor) {
  /// A search asks for about as many shapes before it proposes a formula as it does to verify one.
  constexpr unsigned AsksPerFresh = 2;
  FormulaSet Set = blank();
  const auto Left = std::chrono::duration_cast<std::chrono::microseconds>(Budget - (Sampling.spent() - Begin));
  Set.OutOfTime = true;
  if (Left < Budget / 8)
    return Set;
  How.Options.Limits = Sampling.freeLimits();
  if (!How.Search)
    How.Search.emplace(
        Sampling.freeSymbols(), [this](const Shape &Where) { return Sampling.figuresAt(Where); }, How.Options);
  // Too few could be verified in time.
  if (Sampling.takesTooLong(AsksPerFresh * How.Options.FreshShapes, Budget))
    return Set;
  // Held symbols only at the asked shape, and only where to ask around it takes no longer than elsewhere.
  How.Search->anchorAt(Sampling.ofFree(Anchor),
                       !HasPoint || (!Anchor.empty() && static_cast<double>(AtShape->WorkMicroseconds) < How.Cheap));
  // Half of what is left: another manner may need the rest.
  How.Search->allow(std::max(Left / 2, std::min(Left, Budget / 4)));
  Set.Peak = How.Search->recover(PeakFigure);
  if (Set.Peak) {
    for (std::size_t I = 0; I <= S.Sites.size(); ++I)
      // It stands beside that of the peak without a range of its own: it has to hold where that one does.
      if (std::optional<Recovered> Site =
              isArgument(I) ? std::nullopt : How.Search->recoverWithin(FirstSite + I, *Set.Peak);
          Site && Site->Valid.nearlyHolds(Set.Peak->Valid))
        Set.Sites.emplace(static_cast<std::int64_t>(I) - 1, std::move(*Site));
    Set.Total = How.Search->recover(TotalFigure);
    Set.Output = How.Search->recover(OutputFigure);
    Set.Allocations = How.Search->recover(AllocationsFigure);
  }
  Set.OutOfTime = How.Search->outOfTime() || Sampling.lost();
  Hurried |= How.Search->hurried();
  recoverArguments(*How.Search, Set);
  for (std::optional<Recovered> *Each : {&Set.Peak, &Set.Total, &Set.Output, &Set.Allocations})
    if (*Each)
      *Each = Sampling.inAll(**Each);
  for (std::map<std::int64_t, Recovered> *Sites : {&Set.Sites, &Set.Arguments})
    for (auto &[Site, Bytes] : *Sites)
      Bytes = Sampling.inAll(Bytes);
  return Set;
}

/// They are simple, and have an eighth of the budget to themselves: what made the peak's search late is not theirs.
void FormulaSearch::recoverArguments(Recovery &Search, FormulaSet &Set) {
  if (Sampling.lost() ||
      std::none_of(S.Sites.begin(), S.Sites.end(), [](const auto &Each) { return !Each.allocates(); }))
    return;
  Search.allow(Budget / 8);
  for (std::size_t I = 1; I <= S.Sites.size(); ++I)
    if (isArgument(I))
      // What holds in a part of the peak's domain alone would be read as if it held in all of it.
      if (std::optional<Recovered> Bytes = Search.recover(FirstSite + I);
          Bytes && (!Set.Peak || Bytes->Valid.nearlyHolds(Set.Peak->Valid)))
        Set.Arguments.emplace(static_cast<std::int64_t>(I) - 1, std::move(*Bytes));
}

/// Where libraries hold something at the peak, and the formula of all leaves symbols out, those of the rest are looked
/// for.
void FormulaSearch::addPart(FormulaSet &Set) {
  const auto Inside = AtShape->SiteBytes.find(LibrarySite);
  if (!Asked.Space.empty() || Inside == AtShape->SiteBytes.end() || !Inside->second ||
      (Set.Peak && !heldSymbols(Set.Peak->Valid)))
    return;
  std::vector<bool> OfPeak;
  for (const SkeletonSite &Site : S.Sites)
    OfPeak.push_back(Site.Space.empty() || Site.Space == "host");
  Set.Part = searchBesideLibraries({Sampling.everywhere(), Set.Symbols.size(), OfPeak, Sampling.limits()}, Evaluate);
}

FormulaSet FormulaSearch::recallOrRecover(const Shape &Anchor) {
  if (!AtShape)
    return recover(Anchor);
  const std::string Key = FormulaCache::keyOf(S, Asked, *AtShape, !Anchor.empty());
  // What was found in a hurry serves those who are in a hurry too.
  const std::string HurriedKey = Key + "-hurried";
  std::optional<FormulaSet> Known = Cache.find(Key);
  if (!Known && HasPoint)
    Known = Cache.find(HurriedKey);
  if (Known && Known->Symbols == Sampling.symbols()) {
    Known->Asked = At;
    return std::move(*Known);
  }
  Hurried = false;
  FormulaSet New = recover(Anchor);
  if (Sampling.lost())
    return New;
  if (Anchor.empty())
    addPart(New);
  Cache.keep(Hurried ? HurriedKey : Key, New);
  return New;
}

void FormulaSearch::chooseAskedShape() {
  if (!HasPoint) {
    if (!Asked.Shape.empty() && !Sampling.hasSizesFromData())
      At = Asked.Shape;
    return;
  }
  Here = *AtShape;
  bool SizesAreGiven = true;
  At = Sampling.asked(SizesAreGiven);
  if (SizesAreGiven)
    return;
  Result<Footprint> Answer = Evaluate.evaluate(Sampling.at(At));
  HasPoint = Answer && Answer->Outcome == Footprint::Status::Ok;
  if (HasPoint)
    Here = std::move(*Answer);
}

FormulaSet FormulaSearch::withPart(FormulaSet Set) {
  Set.Part = std::move(Part);
  if (Set.prefersPart())
    Set.Sites = Set.Part->Sites;
  return Set;
}

FormulaSet FormulaSearch::run() {
  if (Sampling.symbols().empty())
    return {};
  FormulaSet Found = searched();
  if (HasPoint)
    dropDisagreeing(Found.Arguments, Here, At);
  return Found;
}

FormulaSet FormulaSearch::searched() {
  // An operator whose sizes all come from data is asked at a point that has no extents.
  HasPoint =
      AtShape && AtShape->Outcome == Footprint::Status::Ok && Asked.Shape.size() == S.parametersOf(Role::Shape).size();
  makeManners();
  Begin = Sampling.spent();
  chooseAskedShape();
  // For all shapes first: that serves every further question about the operator.
  FormulaSet General = recallOrRecover({});
  Part = std::exchange(General.Part, std::nullopt);
  if (HasPoint && Part && !agreesWith(*Part, Here, At))
    Part.reset();
  if (!HasPoint || agree(General, Here)) {
    General.HoldsAtShape = HasPoint && General.Peak;
    return withPart(std::move(General));
  }
  Elsewhere = General.Peak.has_value();
  // A zero means "nothing to do" to most operators, and its footprint says little about others.
  const bool Usable = std::find(At.begin(), At.end(), 0) == At.end();
  FormulaSet Local = Usable ? recallOrRecover(At) : FormulaSet();
  if (Local.Peak && agree(Local, Here)) {
    Local.HoldsAtShape = true;
    return withPart(std::move(Local));
  }
  General.OutOfTime |= Local.OutOfTime;
  dropDisagreeing(General.Sites, Here, At);
  General.Arguments.merge(Local.Arguments);
  General.HoldsAtShape = agree(General, Here);
  return withPart(std::move(General));
}

} // namespace

/// From Valid one may go on to At: upwards, in symbols that were varied.
static bool reaches(const Domain &Valid, const std::vector<std::int64_t> &At) {
  for (std::size_t I = 0; I < Valid.Ranges.size(); ++I) {
    const Range &R = Valid.Ranges[I];
    if (I >= At.size() || At[I] < R.Low || (R.Low == R.High && At[I] != R.Low))
      return false;
  }
  return Valid.isTied(At);
}

std::ptrdiff_t heldSymbols(const Domain &Valid) {
  return std::count_if(Valid.Ranges.begin(), Valid.Ranges.end(), [](const Range &R) { return R.Low == R.High; });
}

bool FormulaSet::prefersPart() const {
  return Part && (!Peak || (!Asked.empty() && !HoldsAtShape) || heldSymbols(Part->Valid) < heldSymbols(Peak->Valid));
}

FormulaSet searchFormulas(const Skeleton &S, const Question &Asked, Evaluator &Evaluate,
                          std::chrono::microseconds Budget, const Footprint *AtShape, const FormulaCache &Cache) {
  return FormulaSearch(S, Asked, Evaluate, Budget, AtShape, Cache).run();
}

void confirmAt(FormulaSet &Formulas, const Footprint &Heap, const Shape &At) {
  Formulas.Asked = At;
  Formulas.HoldsAtShape = agree(Formulas, Heap);
  dropDisagreeing(Formulas.Sites, Heap, At);
  dropDisagreeing(Formulas.Arguments, Heap, At);
  if (Formulas.Part && !agreesWith(*Formulas.Part, Heap, At))
    Formulas.Part.reset();
}

std::optional<Footprint> extrapolated(const FormulaSet &Formulas, const std::vector<std::int64_t> &At) {
  if (!Formulas.Peak || !reaches(Formulas.Peak->Valid, At))
    return std::nullopt;
  Rational Peak = Formulas.Peak->Value.evaluate(At);
  if (!Peak.valid() || !Peak.isInteger() || Peak.numerator() < 0 || Peak.numerator() > INT64_MAX)
    return std::nullopt;
  Footprint Heap;
  Heap.Outcome = Footprint::Status::Ok;
  Heap.Peak = static_cast<std::uint64_t>(Peak.numerator());
  Heap.Total = std::max(Heap.Peak, bytesOr0(Formulas.Total, At));
  Heap.Output = bytesOr0(Formulas.Output, At);
  Heap.Allocations = bytesOr0(Formulas.Allocations, At);
  Heap.Spaces["host"] = Heap.Peak;
  // Each was verified by itself: where together they hold more than the peak, they do not go as far as it does.
  unsigned __int128 Sum = 0;
  for (const auto &[Site, Found] : Formulas.Sites)
    if (std::uint64_t Held = bytesOr0(Found, At)) {
      Heap.SiteBytes[Site] = Held;
      Sum += Held;
    }
  if (Sum > Heap.Peak)
    Heap.SiteBytes.clear();
  for (const auto &[Site, Found] : Formulas.Arguments)
    Heap.SiteBytes[Site] = bytesOr0(Found, At);
  return Heap;
}

} // namespace memshape
