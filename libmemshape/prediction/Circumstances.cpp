// What a caller may have done before the call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Bounds.h"
#include "libmemshape/prediction/Evidence.h"
#include "runner/protocol/FloatEnvironment.h"
#include "runner/protocol/Places.h"

#include <algorithm>
#include <set>
#include <utility>

namespace memshape {

namespace {

/// Teams of other sizes that are tried, at most, and the work of all of them.
constexpr std::uint64_t MostTeams = 64, TeamWorkMicroseconds = 2'000'000;
constexpr char WhereBlocksLie[] = "it depends on where in memory blocks lie";
/// Orders of a team's threads that are tried, at most.
constexpr std::uint32_t MostOrders = 8;

class Trial {
public:
  Trial(const Skeleton &S, const Question &Asked, const Footprint &Proposed, Evaluator &Evaluate, Bounds &Range)
      : S(S), Asked(Asked), Proposed(Proposed), Evaluate(Evaluate), Range(Range) {}

  void run() {
    hold();
    orderThreads();
    formOtherTeams();
    placeBlocks();
    giveOneObjectTwice();
    Range.ResultsHold = !ResultsDiffer && !Tired;
  }

private:
  void hold() {
    if (!Proposed.Recalled.empty()) // nothing else leaves fewer bounds
      return fail(NoteCode::earlier_calls,
                  "what it finds may depend on the shapes of earlier calls: it uses " + recalled());
    if (S.Rounds && !holdsWhenRounded())
      return;
    doubtIfTired();
    if (Proposed.Remembers)
      callAgain();
  }

  /// In each state of arithmetic; in those that differ from the usual one in two ways after what the others met. False
  /// where there are no bounds.
  bool holdsWhenRounded() {
    const char Why[] = "it depends on how floating-point numbers are rounded, which the caller may have changed";
    for (const bool Combined : {false, true})
      for (std::uint32_t State = 1; State != Rounding::States; ++State) {
        const Rounding How(State);
        if (How.isCombined() != Combined || (Combined && !FloatEvents::callFor(How, Events)))
          continue;
        const bool Differs = attempt([&](Question &Q) { Q.Rounding = State; });
        if (!Proposed.Decisions.empty() && (Differs || !holdsForAllAnswers([&](Question &Q) { Q.Rounding = State; }))) {
          fail(NoteCode::circumstances, Why);
          return false;
        }
        if (Differs)
          doubt(NoteCode::circumstances, Why);
        RoundingMatters |= Differs;
      }
    return true;
  }

  /// Bounds that were found by running all answers to decisions are those where Make changes the circumstances, too, as
  /// far as they could be run there.
  template <class Change> bool holdsForAllAnswers(Change Make) {
    if (!Range.Covered)
      return true;
    Question There = Asked;
    Make(There);
    const Evidence Seen = evidenceOf(S, There, Proposed, Evaluate);
    Events |= Seen.FloatEvents;
    if (Seen.Lower < Range.Lower || (Range.Upper && Seen.Upper > *Range.Upper) ||
        (Seen.Covered && Range.Indifferent && !Seen.Alike))
      return false;
    Tired |= !Seen.Covered;
    return true;
  }

  /// Where a block lies is nobody's choice. If few are compared with each other, in whatever order they lie, all their
  /// orders are tried, and then no other block matters. Where data decides as well, no order is tried: there are no bounds.
  void placeBlocks() {
    if (!Proposed.Recalled.empty())
      return;
    const bool WasTired = std::exchange(Tired, false);
    if (!Proposed.Decisions.empty() && Range.Covered &&
        (Range.AsksOrders || (Range.AsksDistances && !holdsForAllAnswers([](Question &Q) { Q.Places = 1; }))))
      fail(NoteCode::circumstances, WhereBlocksLie);
    else if (S.MakesNumbers || ComparesBlocks)
      orderBlocks();
    doubtIfTired();
    Tired |= WasTired;
  }

  void doubtIfTired() {
    if (Tired)
      doubt(NoteCode::circumstances, "it takes too many steps to be tried with numbers that are rounded otherwise and "
                                     "blocks that lie elsewhere in memory");
  }

  void orderBlocks() {
    constexpr std::uint32_t Mixed = 13;
    for (std::uint32_t Order = 1; Order <= Mixed; ++Order)
      if (liesOtherwise(Order, {}) || (Order == 1 && !S.MakesNumbers && orderFewBlocks()))
        return;
    if (Compared.size() > Places::MostCompared)
      fail(NoteCode::circumstances, "it asks which of more than " + std::to_string(Places::MostCompared) +
                                        " blocks come first in memory: " + std::to_string(Mixed) +
                                        " of their orders were tried and agree, others may lead elsewhere");
  }

  /// False where too many are compared, or something else.
  bool orderFewBlocks() {
    while (Compared.size() <= Places::MostCompared && !Compared.contains(0)) {
      const std::vector<std::uint32_t> Few(Compared.begin(), Compared.end());
      for (std::uint32_t Order = 1, All = Places::ordersOf(Few.size()); Order <= All; ++Order)
        if (liesOtherwise(Order, Few))
          return true;
      if (Few.size() == Compared.size())
        return true;
    }
    return false;
  }

  /// True where the footprint is another one.
  bool liesOtherwise(std::uint32_t Order, const std::vector<std::uint32_t> &Among) {
    const bool Differs = attempt([&](Question &Q) {
      Q.Places = Order;
      Q.Compared = Among;
    });
    if (Differs) // in others it may be any number
      fail(NoteCode::circumstances, WhereBlocksLie);
    return Differs;
  }

  /// Any thread of a team may be the first to pass a place, or the last.
  void orderThreads() {
    for (std::uint32_t Order = 1; Order <= std::min(MostOrders, ordersOf(Proposed.Teams.Largest)); ++Order)
      if (attempt([&](Question &Q) { Q.ThreadOrder = Order; }))
        // Those that were tried are few of many.
        return fail(NoteCode::circumstances, "it depends on which thread of a team comes first");
  }

  /// A region's team may have fewer threads than it asks for, and one inside of it more than one.
  void formOtherTeams() {
    const TeamFigures &Teams = Proposed.Teams;
    if (Teams.OfCaller)
      fail(NoteCode::team_size,
           "outside of its own regions it depends on its caller's: on the team that it is called in");
    if (!Teams.Regions && !Teams.Nested)
      return;
    const std::optional<std::uint64_t> OfFullTeams = Range.Upper;
    bool All = Proposed.Decisions.empty(); // what other answers lead to in other teams was not tried
    for (const std::vector<std::uint32_t> &Sizes : teamSizes(All))
      All &= formTeams([&](Question &Q) { Q.TeamSizes = Sizes; });
    // Where smaller teams take more than full ones, those that were not tried may take more still.
    if (!All) {
      Range.Lower = std::min(Range.Lower, Proposed.Undecided);
      Range.Sampled |= Range.Upper && Range.Upper != OfFullTeams;
    }
    if (Teams.Nested)
      formTeams([&](Question &Q) { Q.NestedTeams = true; });
    if (RoundingMatters) // which was not tried in smaller teams
      Range.Lower = 0;
    doubt(NoteCode::team_size, teamWords());
    if (Teams.Regions && Proposed.Remembers && (Teams.Keep || StateDiffers))
      fail(NoteCode::earlier_calls, "what it finds may depend on how many threads its teams had in earlier calls");
  }

  /// Where two arguments may be one object, what the call does to one of them happens to the other as well.
  void giveOneObjectTwice() {
    for (const SkeletonSite &One : S.Sites)
      for (const SkeletonSite &Other : S.Sites)
        if (&One != &Other && One.isArgument() && Other.isArgument() && One.Place.Function == Other.Place.Function &&
            extentsOf(One) == extentsOf(Other) && leavesOtherExtents(One)) {
          Range.withoutBounds(
              Note{NoteCode::circumstances, "it holds where '" + One.Allocator + "' and '" + Other.Allocator +
                                                "' are different objects: the call changes the size of '" +
                                                One.Allocator + "'"});
          return;
        }
  }

  /// A symbol of an argument: the extent `size` of `in` is `in.size`.
  static bool isOf(const SkeletonSite &Argument, const std::string &Symbol) {
    return Symbol.starts_with(Argument.Allocator + ".");
  }

  /// What the shape says of an argument.
  std::vector<std::int64_t> extentsOf(const SkeletonSite &Argument) const {
    std::vector<std::int64_t> Extents;
    const std::vector<std::string> Symbols = S.shapeSymbols();
    for (std::size_t I = 0; I != Symbols.size() && I != Asked.Shape.size(); ++I)
      if (isOf(Argument, Symbols[I]))
        Extents.push_back(Asked.Shape[I]);
    return Extents;
  }

  /// After the call the argument has an extent that the shape does not say.
  bool leavesOtherExtents(const SkeletonSite &Argument) const {
    const std::vector<std::string> Symbols = S.shapeSymbols();
    for (std::size_t Site = 0; Site != S.Sites.size(); ++Site) {
      const SkeletonSite &Result = S.Sites[Site];
      if (!Result.isResult() || !isOf(Argument, Result.Allocator))
        continue;
      const auto Symbol = std::find(Symbols.begin(), Symbols.end(), Result.Allocator);
      const std::optional<std::uint64_t> Told = told(Proposed, Site);
      if (Symbol != Symbols.end() && Told != std::uint64_t(Asked.Shape[std::size_t(Symbol - Symbols.begin())]))
        return true;
    }
    return false;
  }

  std::string teamWords() const {
    std::string Text = "the peak is that of teams which have all threads that they ask for; ";
    if (Proposed.Teams.Regions)
      Text +=
          "a limit (OMP_THREAD_LIMIT), dynamic teams (OMP_DYNAMIC) and a caller that is parallel itself give " +
          std::string(Proposed.Threads && !Asked.Threads ? "fewer, a number that the program sets others" : "fewer") +
          ", which the lower bound covers, from one to " + std::to_string(Proposed.Teams.Widest);
    if (Proposed.Teams.Nested)
      Text +=
          std::string(Proposed.Teams.Regions ? "; " : "") +
          "levels that may be active (OMP_MAX_ACTIVE_LEVELS) decide whether regions inside of others have more than "
          "one, which the upper bound covers";
    return Text;
  }

  /// Sizes for the regions of the call, one after the other: all ways where they are few, which All then tells.
  std::vector<std::vector<std::uint32_t>> teamSizes(bool &All) const {
    const std::uint64_t Regions = Proposed.Teams.Regions, Widest = std::max(1u, Proposed.Teams.Widest);
    const std::uint64_t Most = std::clamp<std::uint64_t>(
        TeamWorkMicroseconds / std::max<std::uint64_t>(1, Proposed.WorkMicroseconds), 2, MostTeams);
    std::uint64_t Ways = 1;
    for (std::uint64_t I = 0; I != Regions && Ways <= Most; ++I)
      Ways *= Widest;
    std::vector<std::vector<std::uint32_t>> Sizes;
    if (Ways <= Most) {
      for (std::uint64_t Way = 0; Regions && Way + 1 < Ways; ++Way) // the last one is what was proposed
        for (std::uint64_t I = 0, Left = Way; I != (Widest > 1 ? Regions : 0); ++I, Left /= Widest)
          (I ? Sizes.back() : Sizes.emplace_back()).push_back(static_cast<std::uint32_t>(Left % Widest) + 1);
      return Sizes;
    }
    All = false;
    for (std::uint64_t Size = 1; Size < Widest && Sizes.size() < Most;
         Size += std::max<std::uint64_t>(1, Widest / Most))
      Sizes.push_back({static_cast<std::uint32_t>(Size)});
    return Sizes;
  }

  /// The bounds reach as far as the footprint with these teams. False where it does not tell all of them.
  template <class Change> bool formTeams(Change Make) {
    Question Next = Asked;
    Make(Next);
    if (std::any_of(S.Decisions.begin(), S.Decisions.end(), [](const auto &D) { return D.Bounded; }))
      Next.SizesFromData = Question::Sizes::Greatest;
    const Result<Footprint> Other = Evaluate.evaluate(Next);
    if (Other && Other->Outcome == Footprint::Status::Throws)
      return true; // no return, so no peak of a call that returns
    if (!Other || Other->Outcome != Footprint::Status::Ok) {
      Range.withoutUpper();
      return false;
    }
    StateDiffers |= Other->State != Proposed.State;
    span(*Other);
    return Other->Teams.Regions == Proposed.Teams.Regions && Other->Decisions.empty();
  }

  /// Calls after others of the same shape and of other shapes. What a variable remembers that no call changes any more,
  /// later calls of this shape find as well.
  void callAgain() {
    const std::vector<std::int64_t> &Same = Asked.Shape;
    std::vector<std::uint64_t> Peaks = {Proposed.Peak};
    bool Unsettled = Proposed.Unsettled;
    for (std::size_t Calls : {1, 2, 7}) {
      const std::optional<Footprint> After = evaluate([&](Question &Q) { Q.Between.assign(Calls, Same); });
      if (!After)
        return fail(NoteCode::earlier_calls, "it remembers earlier calls, and could not be called again");
      Peaks.push_back(After->Peak);
      Unsettled = After->Unsettled;
      span(*After);
    }
    if (Changed) {
      std::string Text;
      constexpr std::size_t Shown = 3; // the second, third and fourth call
      for (std::size_t I = 0; I != Shown; ++I)
        Text += (I ? ", " : "") + std::to_string(Peaks[I]);
      return fail(NoteCode::earlier_calls, "it changes what its next call finds" + changing() +
                                               ": the second, third and fourth call take " + Text +
                                               " bytes, and later ones may take any number");
    }
    // Data that has decided otherwise in an earlier call may have left anything.
    if (!Proposed.Decisions.empty() && (Unsettled || changesWithAnswers()))
      return fail(NoteCode::earlier_calls,
                  "what data has decided in earlier calls remains in variables that outlive the call" + changing());
    if (Unsettled)
      return fail(NoteCode::earlier_calls,
                  "each call leaves other values behind" + changing() +
                      "; the calls that were tried took the same, but later ones may take any number of bytes");
    callAtOtherShapes();
    endCalls();
  }

  /// A call that throws, or jumps to its caller, leaves what it has stored by then: the first call, or a later one. A
  /// call of another thread that is under way has stored as much.
  void endCalls() {
    for (std::uint32_t Ending = 1; Ending <= Proposed.MayEnd.size(); ++Ending)
      for (std::uint32_t At : placesToEnd(Proposed.MayEnd[Ending - 1])) {
        const std::optional<Footprint> After = evaluate([&](Question &Q) {
          Q.Between = {Asked.Shape};
          Q.Ending = Ending;
          Q.EndsAt = At;
        });
        if (After)
          span(*After);
        // After the first call a later one settles, if in another state.
        if (!After || Changed || (Ending == 1 ? After->Unsettled : After->State != Proposed.State))
          return fail(NoteCode::earlier_calls, "a call that ends half-way, by an exception or a jump to its caller, "
                                               "or one of another thread that is under way, leaves other values" +
                                                   changing() + ": calls after that may take any number of bytes");
      }
  }

  /// Of so many places the first and the last ones.
  static std::vector<std::uint32_t> placesToEnd(std::uint32_t Places) {
    constexpr std::uint32_t First = 6, Last = 2;
    std::vector<std::uint32_t> Tried;
    for (std::uint32_t At = 1; At <= std::min(Places, First); ++At)
      Tried.push_back(At);
    for (std::uint32_t At = std::max(First, Places - std::min(Places, Last)) + 1; At <= Places; ++At)
      Tried.push_back(At);
    return Tried;
  }

  /// Where what a call leaves is kept.
  std::string changing() const {
    std::string Text;
    constexpr std::size_t Shown = 3;
    for (std::size_t I = 0; I != std::min(Shown, S.Changing.size()); ++I)
      Text += (I ? ", " : " in ") + S.Changing[I];
    return Text + (S.Changing.size() > Shown ? " and others" : "");
  }

  std::string recalled() const {
    std::string Text;
    for (std::uint32_t Number : Proposed.Recalled)
      if (Number < S.Recalled.size())
        Text += (Text.empty() ? "" : ", ") + S.Recalled[Number];
    return Text;
  }

  /// What calls at other shapes leave: other values in variables are found by later calls of this shape.
  void callAtOtherShapes() {
    const std::vector<std::vector<std::int64_t>> Others = otherShapes();
    const auto Hold = [&](const std::optional<Footprint> &After) {
      if (After)
        span(*After);
    };
    Hold(evaluate([&](Question &Q) { Q.Between = Others; }));
    for (const std::vector<std::int64_t> &Other : Others) {
      Hold(evaluate([&](Question &Q) { Q.Between = {Other}; }));
      Hold(evaluate([&](Question &Q) {
        Q.First = Other;
        Q.Between = {Asked.Shape};
      }));
    }
    if (Changed)
      fail(NoteCode::earlier_calls,
           "what it finds depends on the shapes of earlier calls; after others than this one it may take another "
           "number of bytes");
  }

  /// Shapes that other calls may have: smaller, larger, odd and even, with one extent changed.
  std::vector<std::vector<std::int64_t>> otherShapes() const {
    std::vector<std::vector<std::int64_t>> Shapes;
    const auto Add = [&](auto Change) {
      std::vector<std::int64_t> Next = Asked.Shape;
      for (std::int64_t &Extent : Next)
        Extent = Change(Extent);
      if (Next != Asked.Shape && std::find(Shapes.begin(), Shapes.end(), Next) == Shapes.end())
        Shapes.push_back(std::move(Next));
    };
    Add([](std::int64_t) { return 1; });
    Add([](std::int64_t Extent) { return std::max<std::int64_t>(1, Extent / 2); });
    Add([](std::int64_t Extent) { return Extent + 1; });
    Add([](std::int64_t Extent) { return Extent * 2; });
    constexpr std::size_t Most = 12;
    for (std::size_t I = 0; I != Asked.Shape.size() && Shapes.size() < Most; ++I) {
      std::vector<std::int64_t> Next = Asked.Shape;
      Next[I] = Next[I] * 3 + 1;
      Shapes.push_back(std::move(Next));
    }
    return Shapes;
  }

  void answerAll(Question &Q, std::uint32_t Answer) const {
    for (std::uint32_t Id = 0; Id < S.Decisions.size(); ++Id)
      if (!S.Decisions[Id].IsValue)
        Q.Branches.emplace(Id, Answer);
    Q.MostWork = workOfTrial(Proposed);
  }

  /// Other answers to decisions leave other values behind, or fail.
  bool changesWithAnswers() {
    for (std::uint32_t Answer : {0u, 1u}) {
      const std::optional<Footprint> After = evaluate([&](Question &Q) { answerAll(Q, Answer); });
      if (!After || After->Unsettled || After->State != Proposed.State)
        return true;
    }
    return std::any_of(S.Decisions.begin(), S.Decisions.end(), [](const auto &D) { return D.IsValue; });
  }

  template <class Change> std::optional<Footprint> evaluate(Change Make) {
    Question Next = Asked;
    Make(Next);
    Result<Footprint> Answer = Evaluate.evaluate(Next);
    Events |= Answer ? Answer->FloatEvents : 0;
    noteComparisons(Next, Answer);
    Tired |= !Answer || Answer->Outcome == Footprint::Status::Limit;
    if (!Answer || Answer->Outcome != Footprint::Status::Ok)
      return std::nullopt;
    extend(std::move(Next));
    return std::move(*Answer);
  }

  /// Sizes that come from data have bounds that may follow from the circumstances: the peak is held against what their
  /// least and their greatest lead to.
  void extend(Question There) {
    bool AsksForSizes = false;
    for (std::uint32_t Id = 0; Id != S.Decisions.size(); ++Id)
      AsksForSizes |= S.Decisions[Id].Bounded && !Asked.Values.contains(Id);
    if (!AsksForSizes || !Range.Upper)
      return;
    for (const Question::Sizes Extreme : {Question::Sizes::Least, Question::Sizes::Greatest}) {
      There.SizesFromData = Extreme;
      const Result<Footprint> Other = Evaluate.evaluate(There);
      if (!Other || Other->Outcome != Footprint::Status::Ok) {
        Tired |= !Other || Other->Outcome == Footprint::Status::Limit;
        continue;
      }
      Changed |= Other->Peak - Other->Below < Range.Lower || Other->Peak + Other->Above > *Range.Upper;
      widen(*Other);
    }
  }

  void noteComparisons(const Question &Next, const Result<Footprint> &Answer) {
    const bool Returns = Answer && Answer->Outcome == Footprint::Status::Ok;
    ComparesBlocks |= Returns && !Answer->Compared.empty();
    if (Next.Places && Returns)
      Compared.insert(Answer->Compared.begin(), Answer->Compared.end());
    else if (Next.Places)
      Compared.insert(0); // what it has compared is not known
  }

  /// The bounds reach as far as F.
  void span(const Footprint &F) {
    Changed |= F.Peak != Proposed.Peak || F.Total != Proposed.Total || F.Allocations != Proposed.Allocations ||
               F.Output != Proposed.Output;
    for (std::size_t I = 0; I != S.Sites.size(); ++I)
      ResultsDiffer |= S.Sites[I].isResult() && told(F, I) != told(Proposed, I);
    widen(F);
  }

  void widen(const Footprint &F) {
    Range.Lower = std::min(Range.Lower, F.Peak - F.Below);
    if (Range.Upper)
      Range.Upper = std::max(*Range.Upper, F.Peak + F.Above);
  }

  static std::optional<std::uint64_t> told(const Footprint &F, std::size_t Site) {
    const auto Found = F.SiteBytes.find(static_cast<std::int64_t>(Site));
    return Found == F.SiteBytes.end() ? std::nullopt : std::optional(Found->second);
  }

  void fail(NoteCode Code, const std::string &Why) {
    ResultsDiffer = true; // or not all has been tried
    Range.withoutBounds(Note{Code, Why});
  }

  /// True where the footprint is another one; the bounds reach as far as it.
  template <class Change> bool attempt(Change Make) {
    const bool Before = std::exchange(Changed, false);
    // One that does not return in these circumstances has no footprint that differs.
    if (const std::optional<Footprint> Other = evaluate(Make))
      span(*Other);
    return std::exchange(Changed, Before);
  }

  /// There are bounds, and no more: each of the circumstances was tried.
  void doubt(NoteCode Code, const std::string &Why) {
    Range.unproven();
    if (const Note Said{Code, Why}; std::find(Range.Notes.begin(), Range.Notes.end(), Said) == Range.Notes.end())
      Range.Notes.push_back(Said);
  }

  const Skeleton &S;
  const Question &Asked;
  const Footprint &Proposed;
  Evaluator &Evaluate;
  Bounds &Range;
  bool ResultsDiffer = false;
  bool Changed = false;                             ///< some footprint was another one
  bool RoundingMatters = false;                     ///< some state of arithmetic leads to another footprint
  bool StateDiffers = false;                        ///< teams of some sizes leave other values in variables
  std::uint32_t Events = Range.FloatEvents;         ///< of arithmetic, in some evaluation
  bool ComparesBlocks = !Proposed.Compared.empty(); ///< in some evaluation
  std::set<std::uint32_t> Compared;                 ///< by number, where places are not used again; 0: something else
  bool Tired = false; ///< some evaluation came to no end within the steps that it may take
};

} // namespace

void holdUnderCircumstances(const Skeleton &S, const Question &Asked, const Footprint &Proposed, Evaluator &Evaluate,
                            Bounds &Range) {
  Range.ResultsHold =
      !S.Rounds && !S.MakesNumbers && Proposed.Compared.empty() && !Proposed.Remembers && Proposed.Recalled.empty();
  if (Range.Exact || Range.Upper || Range.Lower || Proposed.Teams.Largest || Proposed.Teams.Regions ||
      Proposed.Teams.Nested || Proposed.Teams.OfCaller)
    Trial(S, Asked, Proposed, Evaluate, Range).run();
}

} // namespace memshape
