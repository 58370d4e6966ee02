// Chunks for an operator whose bytes are predicted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/plan/ChunkPlan.h"
#include "libmemshape/plan/TaskLaw.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

namespace memshape {

namespace {

using planning::Grid;
using planning::LargestTask;
using planning::TaskBytes;
using planning::WorkerBytes;
using Values = std::vector<std::int64_t>;

/// Laws that are tried around what was predicted last.
constexpr int Rounds = 32;
/// Tasks with about as many elements, as a natural logarithm of the ratio.
constexpr double Nearby = 0.01;
/// A law within so much of what is predicted is not made anew.
constexpr double GoodEnough = 0.01;
/// Plans that may fail in a row while what is beside the calls is estimated anew each time.
constexpr int MostUnsettled = 5;
/// Laws that the least memory is looked for with, one after the other.
constexpr int LawsOfLeast = 4;
/// Of differing tasks, that are predicted.
constexpr std::size_t MostPredicted = 64;

std::uint64_t wholeBytes(double Bytes) {
  return Bytes >= static_cast<double>(planning::MostBytes)
             ? planning::MostBytes
             : static_cast<std::uint64_t>(std::ceil(std::max(Bytes, 0.0)));
}

/// Plans one request; predictions are kept.
class ChunkSearch {
public:
  explicit ChunkSearch(const ChunkRequest &Request) : Request(Request) {
    for (std::size_t I = 0; I < Request.Symbols.size(); ++I)
      if (const PlannedSymbol &S = Request.Symbols[I]; S.IsExtent) {
        Places.push_back(I);
        Axes.push_back({S.Value, S.Halo, S.Align, S.Split});
      }
  }

  Result<PlanAnswer> answer() {
    Result<std::optional<ChunkPlan>> Found = planWithin(Request.Limit);
    if (!Found)
      return Found.failure();
    if (*Found)
      return PlanAnswer{std::move(*Found), std::nullopt};
    Result<std::optional<std::uint64_t>> Least = leastBytes();
    if (!Least)
      return Least.failure();
    // Estimates may lead past all plans at a limit, and to one below it.
    for (std::uint64_t Less = Request.Limit; *Least && **Least <= Request.Limit;) {
      Less = std::max(**Least, Less - Less / 8 - 1);
      Found = planWithin(Less);
      if (!Found)
        return Found.failure();
      if (*Found)
        return PlanAnswer{std::move(*Found), std::nullopt};
      if (Less == **Least)
        break;
    }
    return PlanAnswer{std::nullopt, *Least};
  }

private:
  Values valuesOf(std::span<const std::int64_t> Extents) const {
    Values At;
    for (const PlannedSymbol &S : Request.Symbols)
      At.push_back(S.Value);
    for (std::size_t I = 0; I < Places.size(); ++I)
      At[Places[I]] = Extents[I];
    return At;
  }

  static double volumeOf(std::span<const std::int64_t> Extents) {
    double Volume = 1;
    for (std::int64_t Each : Extents)
      Volume *= static_cast<double>(Each);
    return Volume;
  }

  Result<CallBytes> ask(std::span<const std::int64_t> Extents) {
    const Values At = valuesOf(Extents);
    if (const auto Known = Asked.find(At); Known != Asked.end())
      return Known->second;
    Result<CallBytes> Found = Request.Ask(At);
    if (!Found && Found.failure().Code == FailureCode::TooLarge)
      Found = CallBytes{planning::MostBytes, planning::MostBytes, std::nullopt, 0, 0, 0, 0, {}};
    if (Found)
      Asked.emplace(At, *Found);
    return Found;
  }

  /// The bytes of a task beside what the call requests. What is returned is a part of that.
  TaskBytes around(std::span<const std::int64_t> Extents, const CallBytes &Call) const {
    const double Volume = volumeOf(Extents);
    TaskBytes Task;
    Task.In = wholeBytes(Request.ElementIn * Volume);
    const std::uint64_t Handed = wholeBytes(Request.ElementOut * Volume);
    if (!Request.ElementsGiven)
      Task.In = planning::add(Task.In, Call.Arguments);
    Task.Out = Request.ElementsGiven ? Handed : planning::add(Handed, planning::add(Call.Output, Call.Written));
    // What the user says of results is about those that the call returns, where it returns something.
    const std::uint64_t Besides = Request.ElementsGiven && Call.Output ? 0 : Handed;
    Task.Upper = planning::add(Call.Upper.value_or(Call.Peak), Besides);
    // A result that the engine hands in is written last.
    Task.Expected = std::max(std::min(Call.Peak, Call.Touched.value_or(Call.Peak)), Besides);
    return Task;
  }

  /// What a task takes beside its call where only predictions tell: right at some extents and, about, around them. Each
  /// argument grows with its own extents.
  struct Besides {
    std::vector<PowerLaw> Arguments;
    PowerLaw Output;
    bool Returns = false;      ///< what the user says of results is a part of the call
    bool Proportional = false; ///< each to the product of some extents: nothing is estimated

    double argumentsAt(std::span<const std::int64_t> At) const {
      double Sum = 0;
      for (const PowerLaw &Each : Arguments)
        Sum += Each.bytes(At);
      return Sum;
    }
  };

  /// Whole arrays. Where Of estimates, each of their elements takes as much as in the task around which it was made: of
  /// several objects that is more than they have.
  void setArrays(planning::Problem &P, const Besides &Of, const Values &Around, const CallBytes &Call) const {
    Values Whole;
    for (const planning::Axis &Each : Axes)
      Whole.push_back(Each.Extent);
    const double Volume = volumeOf(Whole), Times = Volume / volumeOf(Around);
    double In = 0, Out = 0; // where only predictions tell
    if (!Request.ElementsGiven) {
      const Values At = valuesOf(Whole);
      In = Of.Proportional ? Of.argumentsAt(At) : static_cast<double>(Call.Arguments) * Times;
      Out =
          Of.Proportional ? Of.Output.bytes(At) : static_cast<double>(planning::add(Call.Output, Call.Written)) * Times;
    }
    P.In = wholeBytes(Request.ElementIn * Volume + In);
    P.Out = wholeBytes(Request.ElementOut * Volume + Out);
  }

  /// Around: the task that Of is right at.
  planning::Problem problem(const TaskLaw &Law, const Besides &Of, const Values &Around, const CallBytes &Call,
                            std::uint64_t Limit) const {
    planning::Problem P;
    P.Axes = Axes;
    P.On = Request.On;
    P.On.OneTime = OneTime;
    P.Limit = Limit;
    P.MostTasks = Request.MostTasks;
    P.Monotone = Law.monotone();
    Values Whole;
    for (const planning::Axis &Each : Axes)
      Whole.push_back(Each.Extent);
    setArrays(P, Of, Around, Call);
    P.Bytes = [this, &Law, Of, At = valuesOf(Whole)](std::span<const std::int64_t> Extents) mutable {
      for (std::size_t I = 0; I < Places.size(); ++I)
        At[Places[I]] = Extents[I];
      const double Volume = volumeOf(Extents);
      const std::uint64_t Handed = Of.Returns ? 0 : wholeBytes(Request.ElementOut * Volume);
      const std::uint64_t Upper = planning::add(wholeBytes(Law.bytes(At)), Handed);
      return TaskBytes{Upper, Upper, wholeBytes(Request.ElementIn * Volume + Of.argumentsAt(At)),
                       wholeBytes(Request.ElementOut * Volume + Of.Output.bytes(At))};
    };
    return P;
  }

  /// Powers of the split extents with which a figure of the call grows around Extents, by symbols; at least Least each.
  Result<std::vector<double>> powersAround(const Values &Extents, double Least,
                                           const std::function<double(const CallBytes &)> &FigureOf) {
    Result<CallBytes> Here = ask(Extents);
    if (!Here)
      return Here.failure();
    std::vector<double> Powers(Request.Symbols.size(), 0);
    for (std::size_t I = 0; I < Axes.size(); ++I) {
      if (!Axes[I].Split || Extents[I] < 2)
        continue;
      Values Shorter = Extents;
      Shorter[I] = std::max<std::int64_t>(1, Extents[I] - std::max<std::int64_t>(1, Extents[I] / 4));
      Result<CallBytes> There = ask(Shorter);
      if (!There)
        return There.failure();
      const double Less = std::max(1.0, FigureOf(*There));
      const double Step = std::log(static_cast<double>(Extents[I]) / static_cast<double>(Shorter[I]));
      Powers[Places[I]] = std::clamp(std::log(std::max(1.0, FigureOf(*Here)) / Less) / Step, Least, 8.0);
    }
    return Powers;
  }

  /// The formula, where it says of a task what is predicted: it may have ended before shapes so long.
  std::unique_ptr<TaskLaw> formulaAt(const Values &Extents, const CallBytes &Call) const {
    if (!Request.Peak)
      return nullptr;
    auto Law = std::make_unique<FormulaLaw>(*Request.Peak);
    return wholeBytes(Law->bytes(valuesOf(Extents))) == Call.Upper.value_or(Call.Peak) ? std::move(Law) : nullptr;
  }

  /// A law that is right at Extents and, about, around it. Bytes that grow in steps seem not to grow at all: then they
  /// grow by Least powers.
  Result<std::unique_ptr<TaskLaw>> lawAround(const Values &Extents, double Least) {
    const auto Requested = [](const CallBytes &Call) { return static_cast<double>(Call.Upper.value_or(Call.Peak)); };
    Result<std::vector<double>> Powers = powersAround(Extents, Least, Requested);
    if (!Powers)
      return Powers.failure();
    return std::unique_ptr<TaskLaw>(
        std::make_unique<PowerLaw>(std::max(1.0, Requested(*ask(Extents))), valuesOf(Extents), std::move(*Powers)));
  }

  Result<Besides> besidesAround(const Values &Extents) {
    Result<CallBytes> Here = ask(Extents);
    if (!Here)
      return Here.failure();
    const Values At = valuesOf(Extents);
    Besides Of{
        {}, PowerLaw(0, At, std::vector<double>(At.size(), 0)), Request.ElementsGiven && Here->Output != 0, true};
    if (Request.ElementsGiven)
      return Of;
    std::optional<Failure> Wrong;
    const auto LawOf = [&](const std::function<double(const CallBytes &)> &FigureOf) {
      Result<std::vector<double>> Powers = powersAround(Extents, 0, FigureOf);
      if (!Powers) {
        Wrong = Powers.failure();
        return Of.Output;
      }
      for (double Each : *Powers)
        Of.Proportional &= Each == 0 || Each == 1;
      return PowerLaw(FigureOf(*Here), At, std::move(*Powers));
    };
    const auto PartOf = [](const CallBytes &Call, std::size_t I) {
      return static_cast<double>(Call.Each.empty() && I == 0 ? Call.Arguments
                                 : I < Call.Each.size()      ? Call.Each[I]
                                                             : 0);
    };
    for (std::size_t I = 0; I < std::max<std::size_t>(Here->Each.size(), 1) && !Wrong; ++I)
      if (PartOf(*Here, I) > 0)
        Of.Arguments.push_back(LawOf([&, I](const CallBytes &Call) { return PartOf(Call, I); }));
    if (!Wrong && (Here->Output || Here->Written))
      Of.Output =
          LawOf([](const CallBytes &Call) { return static_cast<double>(planning::add(Call.Output, Call.Written)); });
    if (Wrong)
      return *Wrong;
    // An extent of one element is too short to tell by.
    for (std::size_t I = 0; I < Axes.size(); ++I)
      Of.Proportional &= !Axes[I].Split || Extents[I] > 1 || Axes[I].Extent == 1 ||
                         (Of.Arguments.empty() && !Here->Output && !Here->Written);
    return Of;
  }

  /// Of about the size of the tasks to come.
  Result<Values> typicalTask(std::uint64_t Limit) {
    Values Extents;
    int Splittable = 0;
    for (const planning::Axis &Each : Axes) {
      Extents.push_back(Each.Split ? std::min(Each.Extent, std::max<std::int64_t>(64, 2 * Each.Halo)) : Each.Extent);
      Splittable += Each.Split;
    }
    Result<CallBytes> Small = ask(Extents);
    if (!Small)
      return Small.failure();
    const double Room = static_cast<double>(Limit) / static_cast<double>(2 * Request.On.Threads);
    const double Factor = Room / std::max(1.0, static_cast<double>(Small->Upper.value_or(Small->Peak)));
    if (Splittable)
      for (std::size_t I = 0; I < Axes.size(); ++I)
        if (Axes[I].Split) {
          const double Wanted = static_cast<double>(Extents[I]) * std::pow(Factor, 1.0 / Splittable);
          Extents[I] = Wanted >= static_cast<double>(Axes[I].Extent)
                           ? Axes[I].Extent
                           : std::max(std::min<std::int64_t>(8, Axes[I].Extent), static_cast<std::int64_t>(Wanted));
        }
    return Extents;
  }

  /// Of the tasks of G the one that is predicted to take most, by predictions of all that differ; of the longest alone
  /// where One. Counts what first calls add.
  Result<LargestTask> predicted(const Grid &G, bool One) {
    std::vector<std::vector<std::int64_t>> Extents;
    std::size_t Number = 1;
    for (std::size_t I = 0; I < G.size(); ++I) {
      Extents.push_back(planning::taskExtents(Axes[I], *planning::chunksOf(Axes[I], G[I])));
      Number *= Extents.back().size();
    }
    std::optional<LargestTask> Most;
    std::vector<std::size_t> At(G.size(), 0);
    for (std::size_t N = 0; N < (One ? 1 : std::min(Number, MostPredicted)); ++N) {
      Values Task;
      for (std::size_t I = 0; I < G.size(); ++I)
        Task.push_back(Extents[I][At[I]]);
      Result<CallBytes> Call = ask(Task);
      if (!Call)
        return Call.failure();
      OneTime = std::max(OneTime, Call->OneTime);
      const TaskBytes Bytes = around(Task, *Call);
      if (!Most || planning::add(Bytes.Upper, Bytes.In) > planning::add(Most->Bytes.Upper, Most->Bytes.In))
        Most = {Task, Bytes};
      for (std::size_t I = 0; I < G.size() && ++At[I] == Extents[I].size(); ++I)
        At[I] = 0;
    }
    return *Most;
  }

  /// Through a task that fits and one that does not; nothing where they lie together.
  std::unique_ptr<TaskLaw> lawBetween(const LargestTask &Fits, const LargestTask &Fails) const {
    double Apart = 0;
    std::vector<double> Powers(Request.Symbols.size(), 0);
    for (std::size_t I = 0; I < Axes.size(); ++I)
      if (Axes[I].Split) {
        Apart += std::log(static_cast<double>(Fails.Extents[I]) / static_cast<double>(Fits.Extents[I]));
        Powers[Places[I]] = 1;
      }
    if (Apart < Nearby)
      return nullptr;
    const auto Requested = [&](const LargestTask &Of) { return std::max(1.0, static_cast<double>(Of.Bytes.Upper)); };
    const double Power = std::clamp(std::log(Requested(Fails) / Requested(Fits)) / Apart, 0.05, 16.0);
    for (double &Each : Powers)
      Each *= Power;
    const CallBytes &Call = Asked.at(valuesOf(Fits.Extents));
    return std::make_unique<PowerLaw>(std::max(1.0, static_cast<double>(Call.Upper.value_or(Call.Peak))),
                                      valuesOf(Fits.Extents), std::move(Powers));
  }

  /// Half as long; false where none can be.
  bool shrink(Values &Extents) const {
    bool Shorter = false;
    for (std::size_t I = 0; I < Axes.size(); ++I)
      if (Axes[I].Split && Extents[I] > 1) {
        Extents[I] /= 2;
        Shorter = true;
      }
    return Shorter;
  }

  /// What is known of plans within a limit.
  struct Progress {
    std::optional<ChunkPlan> Best;
    std::optional<LargestTask> Fits, Fails; ///< the last ones
    std::unique_ptr<TaskLaw> Law;
    bool AtFormula = false; ///< Law is the formula
    bool Estimated = false; ///< what is beside the call
    Grid Last;              ///< that was predicted, and
    Values Latest;          ///< its largest task
    int Unsettled = 0;      ///< plans that led elsewhere
    double Caution = 1;     ///< what did not fit is asked for with less memory
    bool Done = false;
  };

  /// Bytes of an input or an output, which are no bound: they may be a little more, too.
  static bool isNear(std::uint64_t Seen, std::uint64_t Expected) {
    const std::uint64_t Apart = Seen > Expected ? Seen - Expected : Expected - Seen;
    return static_cast<double>(Apart) <= 1 + GoodEnough * static_cast<double>(Expected);
  }

  /// Predicts what the law led to; where that is not as the law has it, the next law is another.
  std::optional<Failure> check(Progress &Now, const planning::Problem &P, planning::Plan Found, std::uint64_t Limit) {
    Result<LargestTask> Real = predicted(Found.Chunks, Now.AtFormula && Now.Law->monotone());
    if (!Real)
      return Real.failure();
    const double Expected = static_cast<double>(Found.Largest.Bytes.Upper),
                 Seen = static_cast<double>(Real->Bytes.Upper);
    const bool BesidesRight =
        isNear(Real->Bytes.In, Found.Largest.Bytes.In) && isNear(Real->Bytes.Out, Found.Largest.Bytes.Out);
    const bool Again = Found.Chunks == Now.Last;
    Now.Last = Found.Chunks;
    ChunkPlan Made = made(P, std::move(Found), *Real);
    const bool Right = Seen <= Expected && Seen >= Expected * (1 - GoodEnough);
    const bool Fits = Made.upperBytes() <= Limit;
    Made.FewestProven = Made.Chosen.Complete && Now.AtFormula && Right && !Now.Estimated;
    (Fits ? Now.Fits : Now.Fails) = *Real;
    Now.Latest = Real->Extents;
    if (Fits && (!Now.Best || Made.Chosen.Tasks < Now.Best->Chosen.Tasks))
      Now.Best = std::move(Made);
    // Otherwise the next laws are made around this task, and lead elsewhere.
    const bool Settled = BesidesRight || Again || ++Now.Unsettled > MostUnsettled;
    Now.Done = Right && Fits && Settled;
    if (Settled && Now.AtFormula && Seen == Expected) // something beside the call is more than it was
      Now.Caution *= 0.98;
    else if (Settled && !Now.AtFormula && !Fits && Seen <= Expected * (1 + GoodEnough))
      Now.Caution *= 0.99;
    if (Seen != Expected) {
      Now.AtFormula = false; // the formula is not that of the bound
      Now.Law = nullptr;
    }
    return std::nullopt;
  }

  Result<std::optional<ChunkPlan>> planWithin(std::uint64_t Limit) {
    OneTime = 0;
    Result<Values> Around = typicalTask(Limit);
    if (!Around)
      return Around.failure();
    Result<CallBytes> First = ask(*Around);
    if (!First)
      return First.failure();
    Progress Now;
    Now.Law = formulaAt(*Around, *First);
    Now.AtFormula = Now.Law != nullptr;
    Now.Latest = *Around;
    for (int Round = 0; Round < Rounds && !Now.Done; ++Round) {
      Result<CallBytes> Typical = ask(Now.Latest);
      if (!Typical)
        return Typical.failure();
      Result<Besides> Beside = besidesAround(Now.Latest);
      if (!Beside)
        return Beside.failure();
      Now.Estimated = !Beside->Proportional;
      OneTime = std::max(OneTime, Typical->OneTime);
      if (!Now.Law && Now.Fits && Now.Fails) {
        Now.Law = lawBetween(*Now.Fits, *Now.Fails);
        if (!Now.Law)
          break;
      }
      if (!Now.Law) {
        Result<std::unique_ptr<TaskLaw>> Made = lawAround(*Around, Now.Fails ? 1 : 0);
        if (!Made)
          return Made.failure();
        Now.Law = std::move(*Made);
      }
      const planning::Problem P = problem(*Now.Law, *Beside, Now.Latest, *Typical,
                                          static_cast<std::uint64_t>(static_cast<double>(Limit) * Now.Caution));
      std::optional<planning::Plan> Found = Request.SourceGiven ? planning::plan(P) : planning::planWithEitherSource(P);
      if (!Found) {
        // A law from tasks that are far too large may know of none that fits.
        if ((Now.AtFormula && !Now.Estimated) || Now.Best || !shrink(*Around))
          break;
        if (!Now.AtFormula)
          Now.Law = nullptr;
        Now.Latest = *Around;
        continue;
      }
      if (std::optional<Failure> Wrong = check(Now, P, std::move(*Found), Limit))
        return *Wrong;
      if (!Now.Done)
        *Around = (Now.Fits ? *Now.Fits : *Now.Fails).Extents;
    }
    return std::move(Now.Best);
  }

  ChunkPlan made(const planning::Problem &P, planning::Plan Found, const LargestTask &Real) {
    ChunkPlan Out;
    Out.Call = *ask(Real.Extents);
    planning::Problem Exactly = P;
    if (const Result<Besides> Beside = besidesAround(Real.Extents))
      setArrays(Exactly, *Beside, Real.Extents, Out.Call);
    planning::Workers On = Found.On;
    On.OneTime = OneTime;
    const planning::Job Job = planning::jobOf(Exactly, Found.Chunks, Found.Tasks);
    Found.Largest = Real;
    Found.Upper = planning::workerBytes(On, Job, Real.Bytes, true);
    Found.Expected = planning::workerBytes(On, Job, Real.Bytes, false);
    On.Into = planning::Sink::Gather;
    Out.Gathered = planning::workerBytes(On, Job, Real.Bytes, true).Gathered;
    if (Out.Gathered)
      Out.Gathered = planning::add(Out.Gathered, On.Held);
    Out.Bounded = Out.Call.Upper.has_value();
    Out.LargestTask = valuesOf(Real.Extents);
    Out.Chunks.resize(Request.Symbols.size());
    for (std::size_t I = 0; I < Places.size(); ++I)
      Out.Chunks[Places[I]] = *planning::chunksOf(Axes[I], Found.Chunks[I]);
    Out.Chosen = std::move(Found);
    return Out;
  }

  /// The least memory by laws that are made around a task; whether they estimate.
  Result<std::pair<std::optional<std::uint64_t>, bool>> leastAround(const Values &Around) {
    Result<CallBytes> Typical = ask(Around);
    if (!Typical)
      return Typical.failure();
    OneTime = std::max(OneTime, Typical->OneTime);
    std::unique_ptr<TaskLaw> Law = formulaAt(Around, *Typical);
    const bool AtFormula = Law != nullptr;
    if (!AtFormula) {
      Result<std::unique_ptr<TaskLaw>> Made = lawAround(Around, 0);
      if (!Made)
        return Made.failure();
      Law = std::move(*Made);
    }
    Result<Besides> Beside = besidesAround(Around);
    if (!Beside)
      return Beside.failure();
    planning::Problem P = problem(*Law, *Beside, Around, *Typical, 0);
    if (!Request.SourceGiven)
      P.On.From = planning::Source::Storage; // takes less
    return std::pair(planning::leastLimit(P), !AtFormula || !Beside->Proportional);
  }

  /// With which planWithin() finds a plan. Laws that estimate are made anew around its largest task.
  Result<std::optional<std::uint64_t>> leastBytes() {
    OneTime = 0;
    Result<Values> Around = typicalTask(Request.Limit);
    if (!Around)
      return Around.failure();
    std::optional<std::uint64_t> Known;
    for (int Made = 0; Made < LawsOfLeast; ++Made) {
      auto Found = leastAround(*Around);
      if (!Found)
        return Found.failure();
      auto [Least, Estimated] = *Found;
      std::optional<ChunkPlan> Plan;
      for (int Round = 0; !Plan && Round < Rounds && Least && *Least < Known.value_or(planning::MostBytes); ++Round) {
        Result<std::optional<ChunkPlan>> Within = planWithin(*Least);
        if (!Within)
          return Within.failure();
        Plan = std::move(*Within);
        if (!Plan)
          Least = planning::add(*Least, *Least / 64 + 4096);
      }
      if (!Plan)
        break;
      Known = *Least;
      if (!Estimated)
        break;
      for (std::size_t I = 0; I < Places.size(); ++I)
        (*Around)[I] = Plan->LargestTask[Places[I]];
    }
    return Known;
  }

  const ChunkRequest &Request;
  std::vector<std::size_t> Places; ///< of the extents among the symbols
  std::vector<planning::Axis> Axes;
  std::map<Values, CallBytes> Asked;
  std::uint64_t OneTime = 0;
};

std::optional<Failure> wrongWith(const ChunkRequest &Request) {
  const auto About = [](const PlannedSymbol &S) { return "'" + S.Name + "'"; };
  bool Any = false;
  for (const PlannedSymbol &S : Request.Symbols) {
    if (!S.IsExtent)
      continue;
    Any = true;
    if (S.Value < 1)
      return Failure{About(S) + " has no elements: there is nothing to split"};
    if (S.Halo < 0)
      return Failure{"the halo of " + About(S) + " is negative"};
    if (S.Align < 1)
      return Failure{"the alignment of " + About(S) + " is below 1"};
    if (S.Halo > S.Value)
      return Failure{"the halo of " + About(S) + ", " + std::to_string(S.Halo) + ", is longer than the axis, " +
                     std::to_string(S.Value) + ": no chunk is shorter than its halo"};
  }
  if (!Any)
    return Failure{"operator '" + Request.Operator + "' has no extent to split"};
  if (Request.On.Count < 1 || Request.On.Threads < 1 || Request.MostTasks < 1)
    return Failure{"workers, threads and tasks are at least 1"};
  return std::nullopt;
}

/// What the reader has to know beside the numbers.
std::vector<std::string> notesOf(const ChunkRequest &Request, const ChunkPlan &Plan) {
  std::vector<std::string> Notes;
  if (!Plan.Bounded)
    Notes.push_back("data decides without a bound: the plan rests on what is expected");
  if (Plan.Gathered > Request.Limit && Request.On.Into != planning::Sink::Gather)
    Notes.push_back("results are stored as they come: gathered by one worker at the end, they alone would hold up to " +
                    std::to_string(Plan.Gathered) +
                    " bytes there, whatever the chunks are; store the blocks, persist and gather them block by block, "
                    "or reduce first");
  bool Halo = false;
  for (std::size_t I = 0; I < Request.Symbols.size(); ++I)
    Halo |= Request.Symbols[I].Halo > 0 && !Plan.Chunks[I].empty() &&
            (Plan.Chunks[I].size() > 1 || Plan.Chunks[I].front().Times > 1);
  if (Halo && !Request.SourceGiven && Plan.Chosen.On.From == planning::Source::Storage)
    Notes.push_back(
        "each task has to read its chunk and the halo from storage: an engine that cuts halos out of blocks "
        "keeps a worker's share of the input besides, for which there is no room");
  return Notes;
}

} // namespace

Result<PlanAnswer> planChunks(const ChunkRequest &Request) {
  if (std::optional<Failure> Wrong = wrongWith(Request))
    return *Wrong;
  Result<PlanAnswer> Answer = ChunkSearch(Request).answer();
  if (Answer && Answer->Found)
    Answer->Found->Notes = notesOf(Request, *Answer->Found);
  return Answer;
}

} // namespace memshape
