// What a change of one line would bring.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/advise/Advising.h"

#include "libmemshape/text/Try.h"
#include "runner/protocol/Request.h"

#include <algorithm>

namespace memshape {

namespace {

using v1::Remedy;

/// Lines that are looked at: others hold less at the peak.
constexpr std::size_t MostLines = 16;

/// The sites of a line that hold bytes at the peak.
struct Line {
  std::vector<std::uint32_t> Sites;
  std::uint64_t Bytes = 0;
  const SourcePlace *Place = nullptr;
  bool IsOutput = false; ///< blocks of it live at the return
};

struct Trial {
  const Line *Of = nullptr;
  v1::Advice Advice;
  TriedChange Change;
};

std::string lineText(const SourcePlace &Place) { return "line " + std::to_string(Place.Line); }

class Advising {
public:
  Advising(const AdviceQuestion &Of, Evaluator &Evaluate) : Of(Of), S(*Of.Now.Operator), Evaluate(Evaluate) {}

  std::optional<Failure> run() {
    Question Asked = Of.Now.Asked;
    Asked.Steps = request::MaxSteps;
    Result<Footprint> Found = Evaluate.evaluate(Asked);
    if (!Found || Found->Outcome != Footprint::Status::Ok)
      return Found ? Failure{"the operator does not return at this shape"} : Found.failure();
    Now = std::move(*Found);
    findLines();
    for (const Line &Each : Lines)
      tryAll(Each);
    rank();
    return std::nullopt;
  }

  std::vector<Trial> Trials; ///< that save bytes, what saves most first

private:
  const SkeletonSite &site(std::int64_t Id) const { return S.Sites[static_cast<std::size_t>(Id)]; }
  /// Its text, as the chain of calls has it.
  std::string sourceOf(const Line &Of) const {
    for (const SourcePlace &Call : site(Of.Sites.front()).Chain)
      if (Call.File == Of.Place->File && Call.Line == Of.Place->Line)
        return Call.Text;
    return Of.Place->Text;
  }
  /// The line that its author would change.
  const SourcePlace &lineOf(std::int64_t Id) const { return site(Id).From.Line ? site(Id).From : site(Id).Place; }

  void findLines() {
    Lines.reserve(S.Sites.size());
    for (const auto &[Id, Bytes] : sitesByBytes(Now, S)) {
      if (Id == LibrarySite || !Bytes || !lineOf(Id).Line || !(site(Id).Space.empty() || site(Id).Space == "host"))
        continue;
      const SourcePlace &Place = lineOf(Id);
      auto Same = std::find_if(Lines.begin(), Lines.end(), [&](const Line &Each) {
        return Each.Place->File == Place.File && Each.Place->Line == Place.Line;
      });
      if (Same == Lines.end())
        Same = Lines.insert(Lines.end(), Line{{}, 0, &Place, false});
      Same->Sites.push_back(static_cast<std::uint32_t>(Id));
      Same->Bytes += Bytes;
      const auto Asked = Now.Requested.find(Id);
      Same->IsOutput |= Asked != Now.Requested.end() && Asked->second.Left > 0;
    }
    std::stable_sort(Lines.begin(), Lines.end(), [](const Line &A, const Line &B) { return A.Bytes > B.Bytes; });
    Lines.resize(std::min(Lines.size(), MostLines));
    const auto Highest = std::max_element(Now.Steps.begin(), Now.Steps.end(),
                                          [](const LiveStep &A, const LiveStep &B) { return A.Live < B.Live; });
    if (Highest != Now.Steps.end())
      Maker = Highest->Site;
  }

  void tryAll(const Line &Each) {
    using Kind = TriedChange::Kind;
    TriedChange Grown{Kind::Reserve, Each.Sites};
    for (std::uint32_t Id : Each.Sites)
      Grown.Into.insert(Grown.Into.end(), site(Id).CopiedTo.begin(), site(Id).CopiedTo.end());
    tryOne(Each, Remedy::reserve, Grown, "request the last size at once, instead of growing to it (reserve)");
    tryMoves(Each);
    if (!Each.IsOutput) {
      tryClosing(Each);
      tryOne(Each, Remedy::without, {Kind::Scale, Each.Sites}, "do without this memory: in place, or by reference",
             "if the algorithm allows");
    }
    TriedChange Half{Kind::Scale, Each.Sites};
    Half.Times = 1, Half.Parts = 2;
    const bool IsWide = std::all_of(Each.Sites.begin(), Each.Sites.end(),
                                    [&](std::uint32_t Id) { return site(Id).Elements == "double"; });
    if (IsWide)
      tryOne(Each, Remedy::thin, Half, "elements of half the size: float for double", "if they suffice");
    for (const auto &[Parameter, Count] : Of.Chunks) {
      TriedChange Part{Kind::Scale, Each.Sites};
      Part.Times = static_cast<std::uint64_t>(Count);
      Part.Extent = Parameter;
      if (!Each.IsOutput)
        tryOne(Each, Remedy::chunk, Part,
               "hold " + std::to_string(Count) + " of " + S.shapeSymbols()[Parameter] + " at a time",
               "if the algorithm allows");
    }
  }

  /// Free its blocks before what allocates when nobody uses them any more; where that is not known, before what makes
  /// the peak.
  void tryClosing(const Line &Each) {
    std::vector<std::uint32_t> Before;
    bool Known = true;
    for (std::uint32_t Id : Each.Sites) {
      Known &= site(Id).UsesKnown;
      Before.insert(Before.end(), site(Id).UnusedAfter.begin(), site(Id).UnusedAfter.end());
    }
    if (!Known && Maker >= 0 && std::find(Each.Sites.begin(), Each.Sites.end(), Maker) == Each.Sites.end())
      Before = {static_cast<std::uint32_t>(Maker)};
    std::erase_if(Before, [&](std::uint32_t Id) {
      return std::any_of(Each.Sites.begin(), Each.Sites.end(), [&](std::uint32_t Own) {
        const std::vector<std::uint32_t> &After = site(Own).UnusedAfter;
        return Known && std::find(After.begin(), After.end(), Id) == After.end();
      });
    });
    if (const LiveStep *First = firstWith(Each, Before)) {
      TriedChange Change{TriedChange::Kind::Close, Each.Sites, Before};
      tryOne(Each, Remedy::close, Change,
             "free it before " + lineText(lineOf(First->Site)) + " allocates: close its scope",
             Known ? "" : "if nothing uses it from there on");
    }
  }

  /// The first allocation of Before that finds blocks of Each.
  const LiveStep *firstWith(const Line &Each, const std::vector<std::uint32_t> &Before) const {
    const auto IsOf = [](const std::vector<std::uint32_t> &Sites, std::int64_t Id) {
      return Id >= 0 && std::find(Sites.begin(), Sites.end(), static_cast<std::uint32_t>(Id)) != Sites.end();
    };
    for (const LiveStep &Step : Now.Steps)
      if (Step.Change > 0 && IsOf(Before, Step.Site) &&
          std::any_of(Step.Held.begin(), Step.Held.end(),
                      [&](const auto &Held) { return IsOf(Each.Sites, Held.first); }))
        return &Step;
    return nullptr;
  }

  /// What is copied to Each as it is, and not used any more, can be handed on instead.
  void tryMoves(const Line &Each) {
    TriedChange Change{TriedChange::Kind::Close, {}, Each.Sites};
    for (std::uint32_t From = 0; From < S.Sites.size(); ++From)
      for (std::uint32_t To : S.Sites[From].MovedTo)
        if (std::find(Each.Sites.begin(), Each.Sites.end(), To) != Each.Sites.end() && hasBlocksAlike(From, To)) {
          Change.Sites.push_back(From);
          break;
        }
    if (!Change.Sites.empty())
      tryOne(Each, Remedy::move, Change,
             "move instead of copying: what " + lineText(lineOf(Change.Sites.front())) +
                 " allocates is not used afterwards");
  }

  bool hasBlocksAlike(std::uint32_t One, std::uint32_t Other) const {
    const auto A = Now.Requested.find(One), B = Now.Requested.find(Other);
    return A != Now.Requested.end() && B != Now.Requested.end() && A->second.Bytes == B->second.Bytes &&
           A->second.Times == B->second.Times;
  }

  void tryOne(const Line &Each, Remedy What, TriedChange Change, std::string Text, const std::string &Supposed = "") {
    Question Asked = Of.Now.Asked;
    Asked.Tried = std::move(Change);
    const Result<Footprint> Found = Evaluate.evaluate(Asked);
    if (!Found || Found->Outcome != Footprint::Status::Ok || Found->Peak >= Now.Peak)
      return;
    v1::Advice Advice;
    Advice.file = Each.Place->File;
    Advice.line = Each.Place->Line;
    Advice.function = Each.Place->Function;
    Advice.source = sourceOf(Each);
    Advice.remedy = What;
    Advice.text = Text + (Supposed.empty() ? "" : ", " + Supposed);
    if (Found->CountsWhole)
      Advice.text += "; how much of it is written is not known: at most";
    Advice.supposed = !Supposed.empty();
    Advice.peak_bytes = Found->Peak;
    Advice.saved_bytes = Now.Peak - Found->Peak;
    Trials.push_back({&Each, std::move(Advice), std::move(Asked.Tried)});
  }

  /// Of a line, what takes more work and saves no more than something else is left out.
  void rank() {
    std::vector<Trial> Kept;
    for (const Trial &Each : Trials)
      if (std::none_of(Trials.begin(), Trials.end(), [&](const Trial &Other) {
            return Other.Of == Each.Of && !Other.Advice.supposed && Other.Advice.remedy < Each.Advice.remedy &&
                   Other.Advice.peak_bytes <= Each.Advice.peak_bytes;
          }))
        Kept.push_back(Each);
    std::stable_sort(Kept.begin(), Kept.end(), [](const Trial &A, const Trial &B) {
      return A.Advice.peak_bytes != B.Advice.peak_bytes ? A.Advice.peak_bytes < B.Advice.peak_bytes
                                                        : A.Advice.remedy < B.Advice.remedy;
    });
    Kept.resize(std::min(Kept.size(), Of.Most));
    Trials = std::move(Kept);
  }

  const AdviceQuestion &Of;
  const Skeleton &S;
  Evaluator &Evaluate;
  Footprint Now;
  std::int64_t Maker = -1; ///< the site that makes the peak
  std::vector<Line> Lines;
};

} // namespace

Result<std::vector<v1::Advice>> advise(const AdviceQuestion &Of, Evaluator &Evaluate, const SetTimeouts &Timeout,
                                       const FormulaCache &Cache) {
  Advising All(Of, Evaluate);
  MEMSHAPE_CHECK(All.run());
  std::vector<v1::Advice> Found;
  for (Trial &Each : All.Trials) {
    Question Asked = Of.Now.Asked;
    Asked.Tried = Each.Change;
    Asked.Space = "host";
    const Result<Prediction> Changed = predictWith(*Of.Now.Operator, Asked, Evaluate, Timeout, Cache);
    if (!Changed)
      continue;
    v1::Advice &Advice = Each.Advice;
    Advice.exact = Of.Now.Range.Exact && Changed->Range.Exact && Changed->Heap.Peak == Advice.peak_bytes;
    Advice.lower_bytes = std::min(Changed->Range.Lower, Advice.peak_bytes);
    if (Changed->Heap.CountsWhole) {
      Advice.exact = false;
      Advice.lower_bytes = 0;
    }
    Advice.upper_bytes = Changed->Range.Upper;
    const FormulaSet &Formulas = Changed->Formulas;
    if (Formulas.Peak && Formulas.HoldsAtShape && Changed->Heap.Peak == Advice.peak_bytes)
      Advice.formula = Formulas.Peak->Value.str(Formulas.Symbols);
    Found.push_back(std::move(Advice));
  }
  return Found;
}

} // namespace memshape
