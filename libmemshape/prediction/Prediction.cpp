// The memory of one operator call before it runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Prediction.h"
#include "libmemshape/formulas/FormulaCache.h"
#include "libmemshape/prediction/Methods.h"
#include "libmemshape/prediction/Sentences.h"
#include "libmemshape/processes/WorkLimits.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/text/Split.h"
#include "memshape/SkeletonAbi.h"

#include <algorithm>
#include <set>

namespace memshape {

std::string shapeText(const Skeleton &S, const std::vector<std::int64_t> &At, const char *Between) {
  std::vector<std::string> Names;
  std::vector<std::int64_t> Values;
  for (std::size_t I = 0; const Parameter &Symbol : S.parametersOf(Role::Shape)) {
    if (I == At.size())
      break;
    const bool IsLeft =
        Symbol.Unread ? At[I] == numberIn<std::int64_t>(Symbol.Default).value_or(0) : Symbol.Optional && At[I] == 1;
    if (!IsLeft) {
      Names.push_back(Symbol.Name);
      Values.push_back(At[I]);
    }
    ++I;
  }
  return assigned(Names, Values, Between);
}

/// For all formulas; an answer should come while its reader waits.
constexpr std::chrono::milliseconds FormulaBudget{800};
/// Budgets are of processor time; where others use the processor, so many times as long may pass.
constexpr int BusyMachine = 4;
/// For the asked shape, before formulas are tried in its place.
constexpr std::chrono::milliseconds FirstTimeout{3000};
/// Where the figures are no proof anyway.
constexpr std::chrono::milliseconds InexactFormulaBudget{100};
/// For the call in other circumstances, and with other answers to decisions, each.
constexpr std::chrono::milliseconds DecisionTimeout{3000};
/// For all of them.
constexpr std::chrono::milliseconds DecisionBudget{20000};

static Failure tooLarge(const Skeleton &S, const Question &Asked, const std::string &Bytes) {
  return Failure{"the shape " + shapeText(S, Asked.Shape) + " is too large: '" + S.Operator + "' would need " + Bytes +
                     " bytes, more than 2^63, and its sizes overflow",
                 FailureCode::TooLarge};
}

/// Where no formula helps: could a product of four shape values have wrapped?
static bool mayWrap(const std::vector<std::int64_t> &At) {
  long double Largest = 1;
  for (std::int64_t Value : At)
    Largest = std::max<long double>(Largest, static_cast<long double>(Value));
  long double Product = 1;
  for (std::int64_t Value : At)
    Product *= std::max<long double>(1, static_cast<long double>(Value));
  constexpr long double Limit = 1ULL << 58; // sizes of elements take the rest of 63 bits
  return std::max(Largest * Largest * Largest * Largest, Product) >= Limit;
}

/// A peak that falls while the shape grows has wrapped where peaks came close to 64 bits: half the shape divides a size
/// by a few powers of two. Otherwise large shapes are done in another way.
static bool hasWrapped(const Question &Asked, const Footprint &Heap, Evaluator &Evaluate) {
  constexpr std::uint64_t Close = std::uint64_t(1) << 56;
  Question Smaller = Asked;
  for (int Halvings = 0; Halvings < 24; ++Halvings) {
    for (std::int64_t &Value : Smaller.Shape)
      Value = std::max<std::int64_t>(1, Value / 2);
    Result<Footprint> Answer = Evaluate.evaluate(Smaller);
    if (!Answer || Answer->Outcome != Footprint::Status::Ok)
      return false;
    if (Answer->Peak > Heap.Peak && Answer->Peak >= Close)
      return true;
  }
  return false;
}

/// What beside shape, settings and decisions has a say.
static void noteSurroundings(const Skeleton &S, const Question &Asked, const Footprint &Heap,
                             std::vector<Note> &Notes) {
  std::vector<std::string> Called;
  for (std::uint32_t Id = 0; Id < S.Unknown.size(); ++Id)
    if (const UnknownCall &Call = S.Unknown[Id]; !Call.Dropped && !Asked.Refused.contains(Id) &&
                                                 std::find(Called.begin(), Called.end(), Call.Symbol) == Called.end())
      Called.push_back(Call.Symbol);
  if (!Called.empty())
    Notes.push_back({NoteCode::called_for_real, "called for real, as installed on this machine: " + joined(Called)});
  std::vector<std::string> Facts;
  for (const auto &[Name, Value] : Heap.Machine)
    Facts.push_back(Name + "=" + std::to_string(Value));
  if (!Facts.empty())
    Notes.push_back(
        {NoteCode::machine, "depends on the machine: " + joined(Facts) + "; --machine gives those of another"});
  Facts.clear();
  for (const auto &[Name, Value] : Heap.Environment)
    Facts.push_back(Name + (isWithheld(Name) ? " (set, but withheld; --variable " + Name + " hands it on)"
                            : Value.empty()  ? " (not set)"
                                             : "=" + Value));
  if (!Facts.empty())
    Notes.push_back(
        {NoteCode::environment, "depends on environment variables, read where memshape runs: " + joined(Facts)});
  if (!S.Machine.empty() && Heap.Machine.empty() && Heap.Environment.empty())
    Notes.push_back({NoteCode::machine, "depends on this machine through " + joined(S.Machine)});
  noteInitialFunctions(S, Notes);
  for (const TensorPresence &Each : S.Presences)
    if (!Asked.Presence.contains(Each.Tensor))
      Notes.push_back({NoteCode::present_tensor, sentence(Each)});
  for (std::size_t I = 0; const Parameter &P : S.parametersOf(Role::Setting))
    if (Asked.Settings[I++] == 0 && isPresence(P) && !P.Unread && !P.Optional)
      Notes.push_back({NoteCode::present_tensor, absence(P)});
  Notes.insert(Notes.end(), S.Notes.begin(), S.Notes.end());
}

static Result<Footprint> evaluateSmall(const Question &Asked, Evaluator &Evaluate) {
  Question Small = Asked;
  for (std::int64_t &Extent : Small.Shape)
    Extent = std::min<std::int64_t>(Extent, 16);
  return Evaluate.evaluate(Small);
}

/// Where millions of millions of allocations would have to be counted, the formulas of smaller shapes give the figures.
/// They are verified, not proven to hold here.
static bool extrapolate(Prediction &P, const Result<Footprint> &AtSmall, Evaluator &Evaluate,
                        const FormulaCache &Cache) {
  const Skeleton &S = *P.Operator;
  if (!AtSmall || AtSmall->Outcome != Footprint::Status::Ok || !AtSmall->Decisions.empty() ||
      !AtSmall->UnknownMet.empty() || !AtSmall->Resized.empty())
    return false;
  Question Anywhere = P.Asked;
  Anywhere.Shape.clear();
  P.Formulas = searchFormulas(S, Anywhere, Evaluate, FormulaBudget, &*AtSmall, Cache);
  if (!P.Formulas.Peak || !P.Formulas.Total || !P.Formulas.Output || !P.Formulas.Allocations)
    return false;
  std::optional<Footprint> Figures = extrapolated(P.Formulas, P.Asked.Shape);
  if (!Figures)
    return false;
  P.Heap = std::move(*Figures);
  P.Heap.Machine = AtSmall->Machine;
  P.Heap.Environment = AtSmall->Environment;
  P.Formulas.Asked = P.Asked.Shape;
  P.Extrapolated = P.Formulas.HoldsAtShape = true;
  noteSurroundings(S, P.Asked, P.Heap, P.Notes);
  P.Notes.push_back(
      {NoteCode::extrapolated,
       "the skeleton would take too long at this shape: these are the figures of its formulas, verified at " +
           std::to_string(P.Formulas.Peak->VerifiedShapes) + " smaller shapes"});
  return true;
}

/// Their decisions were answered alike: what else differs are sizes, for which formulas have symbols.
static bool answeredAlike(const Footprint &One, const Footprint &Other) {
  return std::equal(One.Decisions.begin(), One.Decisions.end(), Other.Decisions.begin(), Other.Decisions.end(),
                    [](const DecisionUse &X, const DecisionUse &Y) {
                      return X.Id == Y.Id && X.Asked == Y.Asked && X.Ones == Y.Ones;
                    });
}

/// One run stands for all: its figures become those that are expected. The formula stays that of the answers that were
/// proposed.
static void expect(Prediction &P, Footprint Typical) {
  Bounds &Range = P.Range;
  Range.Lower = std::min(Range.Lower, Typical.Peak);
  if (Range.Upper)
    Range.Upper = std::max(*Range.Upper, Typical.Peak);
  Range.LeftOut.insert(Typical.UnknownMet.begin(), Typical.UnknownMet.end());
  if (Typical.Peak != P.Heap.Peak && !answeredAlike(Typical, P.Heap))
    P.Formulas.HoldsAtShape = false;
  Typical.Undecided = P.Heap.Undecided;
  P.Heap = std::move(Typical);
}

/// C has no exceptions: what is one elsewhere is a longjmp there.
static bool isOfC(const Skeleton &S) { return S.Place.File.ends_with(".c"); }

/// The runner speaks of all languages at once.
static std::string inWordsOf(const Skeleton &S, const Footprint &Heap) {
  if (isOfC(S) && Heap.Reason == MEMSHAPE_SK_CAUGHT)
    return "it leaves by longjmp, which is not followed";
  return Heap.Message;
}

static Failure outcomeOf(const Skeleton &S, const Question &Asked, const Footprint &Heap) {
  if (Heap.Building)
    return notBuilt(S, Asked, Heap);
  std::string At = " at " + shapeText(S, Asked.Shape), Message = inWordsOf(S, Heap);
  if (!Message.empty())
    Message = ": " + Message;
  switch (Heap.Outcome) {
  case Footprint::Status::Throws:
    if (Heap.Reason == MEMSHAPE_SK_ASTRAY)
      return Failure{"with the answers that decisions got, the skeleton of '" + S.Operator + "' " + endingOf(S) + At +
                     Message};
    return Failure{"operator '" + S.Operator + "' " + endingOf(S) + At + Message};
  case Footprint::Status::Limit: return Failure{"the skeleton of '" + S.Operator + "' reached a limit" + At + Message};
  default: return Failure{"the skeleton of '" + S.Operator + "' failed" + At + Message};
  }
}

std::string endingOf(const Skeleton &S) {
  return isOfC(S) ? "ends the program (abort, exit or a failed check)" : "throws or aborts";
}

Result<Footprint> evaluateRefusing(const Skeleton &S, Question &Asked, Evaluator &Evaluate) {
  for (;;) {
    Result<Footprint> Heap = Evaluate.evaluate(Asked);
    if (!Heap || !Heap->Attempted || *Heap->Attempted >= S.Unknown.size() ||
        !Asked.Refused.insert(*Heap->Attempted).second)
      return Heap;
  }
}

/// What the call takes of the space that Given names.
static Result<Prediction> predictSpace(const Skeleton &S, const Question &Given, Evaluator &Evaluate,
                                       const SetTimeouts &Timeout, const FormulaCache &Cache, bool WithFormulas) {
  Question Asked = Given;
  Timeout(FirstTimeout, BusyMachine * FirstTimeout);
  Result<Footprint> Heap = evaluateRefusing(S, Asked, Evaluate);
  Prediction P;
  P.Operator = &S;
  P.Asked = Asked;
  if (!Heap || Heap->Outcome == Footprint::Status::Limit) {
    Timeout(FormulaBudget, BusyMachine * FormulaBudget);
    const Result<Footprint> AtSmall = evaluateSmall(Asked, Evaluate);
    if (extrapolate(P, AtSmall, Evaluate, Cache))
      return P;
    constexpr std::chrono::hours Unlimited{1}; // but for the limit of the session
    // Where decisions were answered it may be in a loop that only other answers end, or in one of a library, which
    // counts no steps.
    const bool Spins = AtSmall && AtSmall->Outcome == Footprint::Status::Limit && !AtSmall->Reason;
    // What a small shape comes to at once, this one comes to after all its work.
    const bool Fails = AtSmall && AtSmall->Outcome == Footprint::Status::Error;
    if (!Spins && !Fails && (!Heap || Heap->Reason != MEMSHAPE_SK_ASTRAY)) {
      Timeout(Unlimited, Unlimited);
      Heap = Evaluate.evaluate(Asked);
    }
  }
  if (!Heap)
    return Heap.failure();
  P.Heap = std::move(*Heap);
  bool Returns = P.Heap.Outcome == Footprint::Status::Ok;
  std::optional<Footprint> Typical;
  if (Returns) {
    // What took long with the answers that were proposed takes as long with others, and in other circumstances.
    const std::chrono::milliseconds Twice(P.Heap.WorkMicroseconds / 500);
    Timeout(std::max(DecisionTimeout, Twice), std::max(DecisionBudget, 4 * Twice));
    P.Range = boundsOf(S, Asked, P.Heap, Evaluate);
    if (!P.Range.Exact)
      Typical = representativeRun(S, Asked, P.Heap, Evaluate, Question::Sizes::Middle);
    // Half of a range that means nothing, as that of a type, is no figure.
    if (Typical && (!P.Range.Upper || P.Range.Sampled))
      P.LeastSizes = representativeRun(S, Asked, P.Heap, Evaluate, Question::Sizes::Least);
  }
  // A size that wraps may make the operator throw: the formula tells the two apart.
  std::chrono::milliseconds Budget = P.Range.Exact || !Returns ? FormulaBudget : InexactFormulaBudget;
  Timeout(Budget, BusyMachine * Budget);
  // Where the shape took too long at first, formulas were looked for in its place already.
  const bool Searched = !P.Formulas.Symbols.empty() && !P.Formulas.Peak;
  if (Searched && Returns)
    confirmAt(P.Formulas, P.Heap, Asked.Shape);
  else if (WithFormulas && (Returns || mayWrap(Asked.Shape)) && !Searched)
    P.Formulas = searchFormulas(S, Asked, Evaluate, Budget, &P.Heap, Asked.Refused.empty() ? Cache : FormulaCache());
  if (P.Formulas.Peak && !P.Formulas.HoldsAtShape && !P.Formulas.Asked.empty()) {
    Rational Expected = P.Formulas.Peak->Value.evaluate(P.Formulas.Asked);
    if (!Expected.valid())
      return tooLarge(S, Asked, "far");
    if (Expected.isInteger() && Expected.numerator() > INT64_MAX)
      return tooLarge(S, Asked, toDecimal(Expected.numerator()));
    if (Returns && Expected.isInteger() && Expected.numerator() > P.Heap.Peak && mayWrap(Asked.Shape))
      P.Notes.push_back(
          {NoteCode::may_overflow,
           "the formula of smaller shapes gives " + toDecimal(Expected.numerator()) +
               " bytes here; large shapes are done in another way, or an integer in the operator has overflowed"});
  }
  if (!Returns)
    return outcomeOf(S, Asked, P.Heap);
  // Of the run that was proposed: one that stands for all may well fall.
  if (!P.Formulas.HoldsAtShape && mayWrap(Asked.Shape) && hasWrapped(Asked, P.Heap, Evaluate))
    return tooLarge(S, Asked, "so many");
  if (Typical)
    expect(P, std::move(*Typical));
  noteSurroundings(S, P.Asked, P.Heap, P.Notes);
  if (P.Heap.Threads)
    P.Notes.push_back(
        {NoteCode::threads,
         "for " + std::to_string(P.Heap.Threads) + (P.Heap.Threads == 1 ? " thread" : " threads") +
             (Asked.Threads ? ", as asked for: each region that names no number has them, whatever OMP_DYNAMIC, "
                              "OMP_THREAD_LIMIT and the caller say"
                            : ", as this machine gives where nothing is said (--threads N)")});
  P.Notes.insert(P.Notes.end(), P.Range.Notes.begin(), P.Range.Notes.end());
  return P;
}

void expectLeastSizes(Prediction &P) {
  if (P.LeastSizes && P.Heap.Peak > P.Range.Upper.value_or(0))
    expect(P, *std::exchange(P.LeastSizes, std::nullopt));
}

std::vector<std::uint32_t> openSizes(const Prediction &P) {
  std::vector<std::uint32_t> Open;
  if (!P.Range.Upper && (P.Range.says(NoteCode::unbounded_size) || P.Range.says(NoteCode::unbounded_switch)))
    for (const DecisionUse &Use : P.Heap.Decisions)
      if (Use.Id < P.Operator->Decisions.size() && P.Operator->Decisions[Use.Id].IsValue &&
          !P.Asked.Values.contains(Use.Id))
        Open.push_back(Use.Id);
  return Open;
}

/// The spaces in which S may allocate, beside the host's.
static std::set<std::string> spacesElsewhere(const Skeleton &S) {
  std::set<std::string> Names;
  for (const SkeletonSite &Site : S.Sites)
    if (Site.allocates() && !Site.Space.empty() && Site.Space != "host")
      Names.insert(Site.Space);
  return Names;
}

void addSpacesWithoutBounds(Prediction &P) {
  for (const auto &[Space, Held] : P.Heap.Spaces) {
    if (Space == "host" || P.Elsewhere.contains(Space))
      continue;
    Prediction &There = P.Elsewhere[Space];
    There.Operator = P.Operator;
    There.Asked = P.Asked;
    There.Asked.Space = Space;
    There.Heap.Peak = Held;
  }
}

Result<Prediction> predictWith(const Skeleton &S, const Question &Given, Evaluator &Evaluate,
                               const SetTimeouts &Timeout, const FormulaCache &Cache, bool WithFormulas) {
  Result<Prediction> Host = predictSpace(S, Given, Evaluate, Timeout, Cache, WithFormulas);
  if (!Host || !Given.Space.empty())
    return Host;
  Question There = Host->Asked;
  for (const std::string &Space : spacesElsewhere(S)) {
    There.Space = Space;
    Result<Prediction> Found = predictSpace(S, There, Evaluate, Timeout, Cache, WithFormulas);
    if (!Found) {
      Host->Heap.Spaces.try_emplace(Space, 0);
      Host->Notes.push_back({NoteCode::no_counted_upper, Space + ": " + Found.failure().Message});
      continue;
    }
    if (Found->Heap.Peak)
      Host->Heap.Spaces[Space] = Found->Heap.Peak;
    for (const Note &Each : Found->Notes)
      if (std::find(Host->Notes.begin(), Host->Notes.end(), Each) == Host->Notes.end())
        Host->Notes.push_back({Each.Code, Space + ": " + Each.Text});
    Host->Elsewhere[Space] = std::move(*Found);
  }
  addSpacesWithoutBounds(*Host);
  return Host;
}

bool isIndifferent(const Prediction &P) {
  return P.Range.Indifferent && std::all_of(P.Elsewhere.begin(), P.Elsewhere.end(),
                                            [](const auto &Each) { return Each.second.Range.Indifferent; });
}

std::map<std::int64_t, Recovered> formulasOfSites(const Prediction &P) {
  std::map<std::int64_t, Recovered> Found;
  const auto Add = [&](const Prediction &Of, bool Host) {
    if (!Of.Formulas.HoldsAtShape && !Of.Formulas.prefersPart())
      return;
    for (const auto &[Id, Formula] : Of.Formulas.Sites) {
      const std::string &Space = Id == LibrarySite ? "" : P.Operator->Sites[static_cast<std::size_t>(Id)].Space;
      if (Host ? !P.Elsewhere.contains(Space) : Space == Of.Asked.Space)
        Found.emplace(Id, Formula);
    }
  };
  Add(P, true);
  for (const auto &[Space, Of] : P.Elsewhere)
    Add(Of, false);
  return Found;
}

Result<Prediction> predict(const Skeleton &S, const Question &Asked, SkeletonSession &Session) {
  return predictWith(S, Asked, Session, [&](auto Longest, auto InAll) { Session.setTimeouts(Longest, InAll); }, {});
}

/// Pointer is what the argument Name refers to, or a member of it: a view, a structure.
static bool isPointerOf(const Parameter &Pointer, const std::string &Name) {
  return Pointer.Name == Name || Pointer.Name.starts_with(Name + ".");
}

/// What site number I says of the argument that it stands for.
static TensorBytes tensorAt(const Prediction &P, std::size_t I) {
  // Arithmetic that leaves 62 bits stands for no end.
  constexpr std::uint64_t Most = std::uint64_t(1) << 62;
  const SkeletonSite &Site = P.Operator->Sites[I];
  const auto Id = static_cast<std::int64_t>(I);
  TensorBytes Each{Site.Allocator};
  Each.IsPointer = Site.isReach();
  if (const auto Held = P.Heap.SiteBytes.find(Id); Held != P.Heap.SiteBytes.end() && Held->second < Most)
    Each.Bytes = Held->second;
  if (const auto Found = P.Formulas.Arguments.find(Id); Each.Bytes && Found != P.Formulas.Arguments.end()) {
    Each.Formula = Found->second.Value.str(P.Formulas.Symbols);
    if (P.Formulas.Symbols.size() == P.Asked.Shape.size())
      Each.Law = Found->second.Value;
  }
  return Each;
}

std::vector<TensorBytes> tensorsOf(const Prediction &P) {
  const Skeleton &S = *P.Operator;
  const std::vector<Parameter> Pointers = S.parametersOf(Role::Tensor);
  std::vector<TensorBytes> Tensors;
  std::map<std::string, TensorBytes> Used;
  for (std::size_t I = 0; I < S.Sites.size(); ++I) {
    if (S.Sites[I].isReach())
      Used.emplace(S.Sites[I].Allocator, tensorAt(P, I));
    if (!S.Sites[I].isArgument())
      continue;
    TensorBytes Each = tensorAt(P, I);
    if (P.Range.OpenArguments.contains(static_cast<std::int64_t>(I)))
      Each.Bytes.reset();
    // What takes nothing itself and only points to tensors is told by these.
    if (Each.Bytes != 0 || std::none_of(Pointers.begin(), Pointers.end(),
                                        [&](const Parameter &Pointer) { return isPointerOf(Pointer, Each.Name); }))
      Tensors.push_back(std::move(Each));
  }
  for (const auto &[Number, Name] : S.namedTensors())
    if (const auto Said = P.Asked.Presence.find(Number); Said != P.Asked.Presence.end() && !Said->second)
      Used[Name] = {Name, 0, "0"};
  for (const Parameter &Pointer : Pointers)
    if (!Pointer.Name.empty()) // otherwise it fills a member of an argument with data
      Tensors.push_back(Used.contains(Pointer.Name) ? Used[Pointer.Name] : TensorBytes{Pointer.Name});
  return Tensors;
}

std::optional<StackUse> stackOf(const Prediction &P) {
  const std::vector<SkeletonSite> &Sites = P.Operator->Sites;
  const auto Found = std::find_if(Sites.begin(), Sites.end(), [](const SkeletonSite &Each) { return Each.isFrames(); });
  if (Found == Sites.end())
    return std::nullopt;
  const TensorBytes Told = tensorAt(P, static_cast<std::size_t>(Found - Sites.begin()));
  if (!Told.Bytes && !Found->Place.Line)
    return std::nullopt;
  return StackUse{Told.Bytes, Told.Formula, Found->Place, Found->Allocator == "recursion"};
}

std::vector<std::pair<std::int64_t, std::uint64_t>> sitesByBytes(const Footprint &Heap, const Skeleton &S) {
  std::vector<std::pair<std::int64_t, std::uint64_t>> Sorted;
  for (auto [Id, Held] : Heap.SiteBytes)
    if (Id + 1 <= static_cast<std::int64_t>(S.Sites.size()) &&
        (Id == LibrarySite || S.Sites[static_cast<std::size_t>(Id)].allocates()))
      Sorted.emplace_back(Id, Held);
  std::sort(Sorted.begin(), Sorted.end(), [](const auto &A, const auto &B) {
    return A.second != B.second ? A.second > B.second : A.first < B.first;
  });
  return Sorted;
}

std::string shortFunction(const std::string &Name) {
  constexpr std::size_t Longest = 40;
  if (Name.size() <= Longest)
    return Name;
  std::size_t Open = Name.find('<'), Close = Name.rfind('>');
  if (Open == std::string::npos || Close == std::string::npos || Close < Open)
    return Name;
  return Name.substr(0, Open) + "<...>" + Name.substr(Close + 1);
}

/// The skeleton tells extents that data cannot change. What else is in doubt - a call that was left out, another device,
/// earlier calls - may change them.
static bool areProven(const Prediction &P) {
  return P.Range.ResultsHold && !P.Range.Presumed && !P.Extrapolated && P.Heap.UnknownMet.empty();
}

std::vector<OutputExtent> outputShapeOf(const Prediction &P) {
  const Skeleton &S = *P.Operator;
  std::vector<OutputExtent> Shape;
  if (!areProven(P))
    return Shape;
  for (std::size_t I = 0; I < S.Sites.size(); ++I) {
    const auto Id = static_cast<std::int64_t>(I);
    const auto Told = P.Heap.SiteBytes.find(Id);
    if (!S.Sites[I].isResult() || Told == P.Heap.SiteBytes.end())
      continue;
    OutputExtent Each{S.Sites[I].Allocator, Told->second, {}};
    if (const auto Found = P.Formulas.Arguments.find(Id); Found != P.Formulas.Arguments.end())
      Each.Formula = Found->second.Value.str(P.Formulas.Symbols);
    Shape.push_back(std::move(Each));
  }
  return Shape;
}

} // namespace memshape
