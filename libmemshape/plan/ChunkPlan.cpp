// Chunks for an operator whose bytes are predicted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/plan/ChunkPlan.h"
#include "libmemshape/plan/TaskLaw.h"
#include "libmemshape/text/Try.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numeric>

namespace memshape {

namespace {

using planning::Grid;
using planning::LargestTask;
using v1::Expected;
using v1::TaskBytes;
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

std::uint64_t sumOf(const std::vector<std::uint64_t> &Bytes) {
  return std::accumulate(Bytes.begin(), Bytes.end(), std::uint64_t(0), planning::add);
}

/// What the call leaves to its caller.
std::uint64_t resultsOf(const CallBytes &Call) {
  return planning::add(planning::add(Call.Output, Call.Written), sumOf(Call.Handed));
}

/// Plans one request; predictions are kept.
class ChunkSearch {
public:
  explicit ChunkSearch(const PlanQuestion &Request) : Request(Request), Axes(Request.Job.axes) {
    for (std::size_t I = 0; I < Request.Symbols.size(); ++I)
      if (Request.Symbols[I].IsExtent)
        Places.push_back(I);
    for (const v1::Axis &Each : Axes)
      Whole.push_back(Each.extent);
  }

  Expected<v1::Plan> answer() {
    Expected<std::optional<v1::Plan>> Found = planWithin(Request.Job.limit_bytes);
    if (!Found)
      return Found.error();
    if (*Found)
      return **std::move(Found);
    MEMSHAPE_TRY(std::optional<std::uint64_t> Least, leastBytes());
    // Estimates may lead past all plans at a limit, and to one below it.
    for (std::uint64_t Less = Request.Job.limit_bytes; Least && *Least <= Request.Job.limit_bytes;) {
      Less = std::max(*Least, Less - Less / 8 - 1);
      Found = planWithin(Less);
      if (!Found)
        return Found.error();
      if (*Found)
        return **std::move(Found);
      if (Less == *Least)
        break;
    }
    v1::Plan Nothing;
    setSymbols(Nothing);
    Nothing.least_memory_bytes = Least;
    return Nothing;
  }

private:
  Values valuesOf(std::span<const std::int64_t> Extents) const {
    Values At;
    for (const PlannedSymbol &S : Request.Symbols)
      At.push_back(S.Axis.extent);
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

  Expected<CallBytes> ask(std::span<const std::int64_t> Extents) {
    const Values At = valuesOf(Extents);
    if (const auto Known = Asked.find(At); Known != Asked.end())
      return Known->second;
    Expected<CallBytes> Found = Request.Ask(At);
    if (!Found && Found.error().code == v1::ErrorCode::too_large)
      Found = CallBytes{planning::MostBytes, planning::MostBytes, std::nullopt, 0, 0, 0, 0, {}, {}};
    if (Found)
      Asked.emplace(At, *Found);
    return Found;
  }

  /// The bytes of a task beside what the call requests. What is returned is a part of that.
  TaskBytes around(std::span<const std::int64_t> Extents, const CallBytes &Call) const {
    const double Volume = volumeOf(Extents);
    TaskBytes Task;
    Task.input = wholeBytes(Request.ElementIn * Volume);
    std::uint64_t Handed = wholeBytes(Request.ElementOut * Volume);
    if (!Request.ElementsGiven) {
      Task.input = planning::add(Task.input, sumOf(Call.Arguments));
      Handed = planning::add(Handed, sumOf(Call.Handed));
    }
    Task.output = Request.ElementsGiven ? Handed : planning::add(Handed, planning::add(Call.Output, Call.Written));
    // What the user says of results is about those that the call returns, where it returns something.
    const std::uint64_t Besides = Request.ElementsGiven && Call.Output ? 0 : Handed;
    Task.upper = planning::add(Call.Upper.value_or(Call.Peak), Besides);
    // A result that the engine hands in is written last.
    Task.expected = std::max(std::min(Call.Peak, Call.Touched.value_or(Call.Peak)), Besides);
    return Task;
  }

  using Laws = std::vector<std::shared_ptr<const TaskLaw>>;

  /// What a task takes beside its call where only predictions tell: right at some extents and, about, around them. Each
  /// argument grows with its own extents.
  struct Besides {
    Laws Arguments;
    PowerLaw Output;
    Laws Handed;
    bool Returns = false;      ///< what the user says of results is a part of the call
    bool Proportional = false; ///< each to the product of some extents: nothing is estimated

    static double bytes(const Laws &Of, std::span<const std::int64_t> At) {
      double Sum = 0;
      for (const auto &Each : Of)
        Sum += Each->bytes(At);
      return Sum;
    }
  };

  /// Whole arrays. Where Of estimates, each of their elements takes as much as in the task around which it was made: of
  /// several objects that is more than they have.
  void setArrays(v1::ChunkRequest &P, const Besides &Of, const Values &Around, const CallBytes &Call) const {
    const double Volume = volumeOf(Whole), Times = Volume / volumeOf(Around);
    double In = 0, Out = 0; // where only predictions tell
    if (!Request.ElementsGiven) {
      const Values At = valuesOf(Whole);
      In = Of.Proportional ? Besides::bytes(Of.Arguments, At) : static_cast<double>(sumOf(Call.Arguments)) * Times;
      Out = static_cast<double>(resultsOf(Call)) * Times;
      if (Of.Proportional)
        Out = Of.Output.bytes(At) + Besides::bytes(Of.Handed, At);
    }
    P.input_bytes = wholeBytes(Request.ElementIn * Volume + In);
    P.output_bytes = wholeBytes(Request.ElementOut * Volume + Out);
  }

  /// Around: the task that Of is right at.
  v1::ChunkRequest problem(const TaskLaw &Law, const Besides &Of, const Values &Around, const CallBytes &Call,
                           std::uint64_t Limit) const {
    v1::ChunkRequest P = Request.Job;
    P.one_time_bytes = OneTime;
    P.limit_bytes = Limit;
    P.monotone = Law.monotone();
    for (const Laws *Each : {&Of.Arguments, &Of.Handed})
      for (const auto &Part : *Each)
        P.monotone &= Part->monotone();
    setArrays(P, Of, Around, Call);
    P.task = [this, &Law, Of, At = valuesOf(Whole)](const Values &Extents) mutable {
      for (std::size_t I = 0; I < Places.size(); ++I)
        At[Places[I]] = Extents[I];
      const double Volume = volumeOf(Extents);
      const std::uint64_t Handed =
          Of.Returns ? 0 : wholeBytes(Request.ElementOut * Volume + Besides::bytes(Of.Handed, At));
      const std::uint64_t Upper = planning::add(wholeBytes(Law.bytes(At)), Handed);
      return TaskBytes{Upper, Upper, wholeBytes(Request.ElementIn * Volume + Besides::bytes(Of.Arguments, At)),
                       wholeBytes(Request.ElementOut * Volume + Of.Output.bytes(At) + Besides::bytes(Of.Handed, At))};
    };
    return P;
  }

  /// Powers of the split extents with which a figure of the call grows around Extents, by symbols; at least Least each.
  Expected<std::vector<double>> powersAround(const Values &Extents, double Least,
                                             const std::function<double(const CallBytes &)> &FigureOf) {
    MEMSHAPE_TRY(CallBytes Here, ask(Extents));
    std::vector<double> Powers(Request.Symbols.size(), 0);
    for (std::size_t I = 0; I < Axes.size(); ++I) {
      if (!Axes[I].split || Extents[I] < 2)
        continue;
      Values Shorter = Extents;
      Shorter[I] = std::max<std::int64_t>(1, Extents[I] - std::max<std::int64_t>(1, Extents[I] / 4));
      MEMSHAPE_TRY(CallBytes There, ask(Shorter));
      const double Less = std::max(1.0, FigureOf(There));
      const double Step = std::log(static_cast<double>(Extents[I]) / static_cast<double>(Shorter[I]));
      Powers[Places[I]] = std::clamp(std::log(std::max(1.0, FigureOf(Here)) / Less) / Step, Least, 8.0);
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
  Expected<std::unique_ptr<TaskLaw>> lawAround(const Values &Extents, double Least) {
    const auto Requested = [](const CallBytes &Call) { return static_cast<double>(Call.Upper.value_or(Call.Peak)); };
    MEMSHAPE_TRY(std::vector<double> Powers, powersAround(Extents, Least, Requested));
    return std::unique_ptr<TaskLaw>(
        std::make_unique<PowerLaw>(std::max(1.0, Requested(*ask(Extents))), valuesOf(Extents), std::move(Powers)));
  }

  Expected<Besides> besidesAround(const Values &Extents) {
    MEMSHAPE_TRY(CallBytes Here, ask(Extents));
    const Values At = valuesOf(Extents);
    const PowerLaw Nothing(0, At, std::vector<double>(At.size(), 0));
    Besides Of{{}, Nothing, {}, Request.ElementsGiven && Here.Output != 0, true};
    if (Request.ElementsGiven)
      return Of;
    std::optional<v1::Error> Wrong;
    bool Estimated = false;
    const auto LawOf = [&](const std::function<double(const CallBytes &)> &FigureOf) {
      Expected<std::vector<double>> Powers = powersAround(Extents, 0, FigureOf);
      if (!Powers) {
        Wrong = Powers.error();
        return Nothing;
      }
      Estimated = true;
      for (double Each : *Powers)
        Of.Proportional &= Each == 0 || Each == 1;
      return PowerLaw(FigureOf(Here), At, std::move(*Powers));
    };
    // Parts with a formula that says here what was predicted follow it.
    const auto LawsOf = [&](std::vector<std::uint64_t> CallBytes::*Parts,
                            const std::vector<std::optional<Formula>> &Known) {
      Laws Found;
      for (std::size_t I = 0; I < (Here.*Parts).size() && !Wrong; ++I) {
        const auto BytesOf = [=](const CallBytes &Call) {
          return I < (Call.*Parts).size() ? static_cast<double>((Call.*Parts)[I]) : 0;
        };
        auto Law = I < Known.size() && Known[I] ? std::make_shared<FormulaLaw>(*Known[I]) : nullptr;
        if (Law && Law->bytes(At) == BytesOf(Here))
          Found.push_back(std::move(Law));
        else if (BytesOf(Here) > 0)
          Found.push_back(std::make_shared<PowerLaw>(LawOf(BytesOf)));
      }
      return Found;
    };
    Of.Arguments = LawsOf(&CallBytes::Arguments, Request.Arguments);
    Of.Handed = LawsOf(&CallBytes::Handed, Request.Handed);
    if (!Wrong && (Here.Output || Here.Written))
      Of.Output =
          LawOf([](const CallBytes &Call) { return static_cast<double>(planning::add(Call.Output, Call.Written)); });
    if (Wrong)
      return *Wrong;
    // An extent of one element is too short to tell by.
    for (std::size_t I = 0; I < Axes.size(); ++I)
      Of.Proportional &= !Axes[I].split || Extents[I] > 1 || Axes[I].extent == 1 || !Estimated;
    return Of;
  }

  /// Of about the size of the tasks to come.
  Expected<Values> typicalTask(std::uint64_t Limit) {
    Values Extents;
    int Splittable = 0;
    for (const v1::Axis &Each : Axes) {
      Extents.push_back(Each.split ? std::min(Each.extent, std::max<std::int64_t>(64, 2 * Each.halo)) : Each.extent);
      Splittable += Each.split;
    }
    MEMSHAPE_TRY(CallBytes Small, ask(Extents));
    const double Room = static_cast<double>(Limit) / static_cast<double>(2 * Request.Job.threads);
    const double Factor = Room / std::max(1.0, static_cast<double>(Small.Upper.value_or(Small.Peak)));
    if (Splittable)
      for (std::size_t I = 0; I < Axes.size(); ++I)
        if (Axes[I].split) {
          const double Wanted = static_cast<double>(Extents[I]) * std::pow(Factor, 1.0 / Splittable);
          Extents[I] = Wanted >= static_cast<double>(Axes[I].extent)
                           ? Axes[I].extent
                           : std::max(std::min<std::int64_t>(8, Axes[I].extent), static_cast<std::int64_t>(Wanted));
        }
    return Extents;
  }

  /// Of the tasks of G the one that is predicted to take most, by predictions of all that differ; of the longest alone
  /// where One. Counts what first calls add.
  Expected<LargestTask> predicted(const Grid &G, bool One) {
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
      MEMSHAPE_TRY(CallBytes Call, ask(Task));
      OneTime = std::max(OneTime, Call.OneTime);
      const TaskBytes Bytes = around(Task, Call);
      if (!Most || planning::add(Bytes.upper, Bytes.input) > planning::add(Most->Bytes.upper, Most->Bytes.input))
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
      if (Axes[I].split) {
        Apart += std::log(static_cast<double>(Fails.Extents[I]) / static_cast<double>(Fits.Extents[I]));
        Powers[Places[I]] = 1;
      }
    if (Apart < Nearby)
      return nullptr;
    const auto Requested = [&](const LargestTask &Of) { return std::max(1.0, static_cast<double>(Of.Bytes.upper)); };
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
      if (Axes[I].split && Extents[I] > 1) {
        Extents[I] /= 2;
        Shorter = true;
      }
    return Shorter;
  }

  /// What is known of plans within a limit.
  struct Progress {
    std::optional<v1::Plan> Best;
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
  std::optional<v1::Error> check(Progress &Now, const v1::ChunkRequest &P, v1::ChunkPlan Found, std::uint64_t Limit) {
    MEMSHAPE_TRY(LargestTask Real, predicted(Found.grid, Now.AtFormula && Now.Law->monotone()));
    const double Expected = static_cast<double>(Found.largest_bytes.upper),
                 Seen = static_cast<double>(Real.Bytes.upper);
    const bool BesidesRight =
        isNear(Real.Bytes.input, Found.largest_bytes.input) && isNear(Real.Bytes.output, Found.largest_bytes.output);
    const bool Again = Found.grid == Now.Last;
    Now.Last = Found.grid;
    v1::Plan Made = made(P, std::move(Found), Real);
    const bool Right = Seen <= Expected && Seen >= Expected * (1 - GoodEnough);
    const bool Fits = Made.worker.total() <= Limit;
    Made.fewest_proven = Made.complete && Now.AtFormula && Right && !Now.Estimated;
    (Fits ? Now.Fits : Now.Fails) = Real;
    Now.Latest = Real.Extents;
    if (Fits && (!Now.Best || Made.tasks < Now.Best->tasks))
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

  Expected<std::optional<v1::Plan>> planWithin(std::uint64_t Limit) {
    OneTime = 0;
    MEMSHAPE_TRY(Values Around, typicalTask(Limit));
    MEMSHAPE_TRY(CallBytes First, ask(Around));
    Progress Now;
    Now.Law = formulaAt(Around, First);
    Now.AtFormula = Now.Law != nullptr;
    Now.Latest = Around;
    for (int Round = 0; Round < Rounds && !Now.Done; ++Round) {
      MEMSHAPE_TRY(CallBytes Typical, ask(Now.Latest));
      MEMSHAPE_TRY(Besides Beside, besidesAround(Now.Latest));
      Now.Estimated = !Beside.Proportional;
      OneTime = std::max(OneTime, Typical.OneTime);
      if (!Now.Law && Now.Fits && Now.Fails) {
        Now.Law = lawBetween(*Now.Fits, *Now.Fails);
        if (!Now.Law)
          break;
      }
      if (!Now.Law) {
        MEMSHAPE_TRY(Now.Law, lawAround(Around, Now.Fails ? 1 : 0));
      }
      const v1::ChunkRequest P = problem(*Now.Law, Beside, Now.Latest, Typical,
                                         static_cast<std::uint64_t>(static_cast<double>(Limit) * Now.Caution));
      std::optional<v1::ChunkPlan> Found = planning::plan(P);
      if (!Found) {
        // A law from tasks that are far too large may know of none that fits.
        if ((Now.AtFormula && !Now.Estimated) || Now.Best || !shrink(Around))
          break;
        if (!Now.AtFormula)
          Now.Law = nullptr;
        Now.Latest = Around;
        continue;
      }
      MEMSHAPE_CHECK(check(Now, P, std::move(*Found), Limit));
      if (!Now.Done)
        Around = (Now.Fits ? *Now.Fits : *Now.Fails).Extents;
    }
    return std::move(Now.Best);
  }

  /// In the symbols: Of has those that are extents alone.
  void setSymbols(v1::Plan &Of) const {
    Of.operator_name = Request.Operator;
    Of.symbols.clear();
    for (const PlannedSymbol &S : Request.Symbols) {
      Of.symbols.push_back(S.Axis.name);
      Of.shape[S.Axis.name] = S.Axis.extent;
      if (Of.feasible)
        Of.largest_task.emplace(S.Axis.name, S.Axis.extent);
    }
  }

  v1::Plan made(const v1::ChunkRequest &P, v1::ChunkPlan Found, const LargestTask &Real) {
    const CallBytes Call = *ask(Real.Extents);
    v1::ChunkRequest Exactly = P;
    if (const Expected<Besides> Beside = besidesAround(Real.Extents))
      setArrays(Exactly, *Beside, Real.Extents, Call);
    Exactly.source = Found.source;
    Exactly.one_time_bytes = OneTime;
    Exactly.limit_bytes = Request.Job.limit_bytes;
    const planning::Job Job = planning::jobOf(Exactly, Found.grid, Found.tasks);
    Found.largest_task = Real.Extents;
    Found.largest_bytes = Real.Bytes;
    Found.upper = planning::workerBytes(Exactly, Job, Real.Bytes, true);
    Found.expected = planning::workerBytes(Exactly, Job, Real.Bytes, false);
    v1::Plan Out = v1::plan_of(Exactly, Found);
    setSymbols(Out);
    Out.peak_bytes = Call.Peak;
    Out.lower_bytes = Call.Lower;
    Out.upper_bytes = Call.Upper;
    if (!Call.Upper)
      setUnbounded(Out);
    Exactly.sink = v1::Sink::gather;
    Out.gathered_bytes = planning::workerBytes(Exactly, Job, Real.Bytes, true).gathered;
    if (Out.gathered_bytes)
      Out.gathered_bytes = planning::add(Out.gathered_bytes, P.held_bytes);
    if (Out.gathered_bytes > Out.memory_bytes && Out.sink != v1::Sink::gather)
      Out.notes.insert(Out.notes.end() - static_cast<std::ptrdiff_t>(Found.notes.size()),
                       {"gathered", "results are stored as they come: gathered by one worker at the end, they alone "
                                    "would hold up to " +
                                        std::to_string(Out.gathered_bytes) +
                                        " bytes there, whatever the chunks are; store the blocks, persist and gather "
                                        "them block by block, or reduce first"});
    return Out;
  }

  /// Data decides without a bound.
  static void setUnbounded(v1::Plan &Of) {
    Of.worker_upper_bytes.reset();
    Of.utilisation = static_cast<double>(Of.worker_expected_bytes) / static_cast<double>(Of.memory_bytes);
    Of.notes.insert(Of.notes.begin(),
                    {"unbounded", "data decides without a bound: the plan rests on what is expected"});
  }

  /// The least memory by laws that are made around a task; whether they estimate.
  Expected<std::pair<std::optional<std::uint64_t>, bool>> leastAround(const Values &Around) {
    MEMSHAPE_TRY(CallBytes Typical, ask(Around));
    OneTime = std::max(OneTime, Typical.OneTime);
    std::unique_ptr<TaskLaw> Law = formulaAt(Around, Typical);
    const bool AtFormula = Law != nullptr;
    if (!AtFormula) {
      MEMSHAPE_TRY(Law, lawAround(Around, 0));
    }
    MEMSHAPE_TRY(Besides Beside, besidesAround(Around));
    return std::pair(planning::leastLimit(problem(*Law, Beside, Around, Typical, 0)),
                     !AtFormula || !Beside.Proportional);
  }

  /// With which planWithin() finds a plan. Laws that estimate are made anew around its largest task.
  Expected<std::optional<std::uint64_t>> leastBytes() {
    OneTime = 0;
    MEMSHAPE_TRY(Values Around, typicalTask(Request.Job.limit_bytes));
    std::optional<std::uint64_t> Known;
    for (int Made = 0; Made < LawsOfLeast; ++Made) {
      MEMSHAPE_TRY(auto Found, leastAround(Around));
      auto [Least, Estimated] = Found;
      std::optional<v1::Plan> Plan;
      for (int Round = 0; !Plan && Round < Rounds && Least && *Least < Known.value_or(planning::MostBytes); ++Round) {
        MEMSHAPE_TRY(Plan, planWithin(*Least));
        if (!Plan)
          Least = planning::add(*Least, *Least / 64 + 4096);
      }
      if (!Plan)
        break;
      Known = *Least;
      if (!Estimated)
        break;
      for (std::size_t I = 0; I < Places.size(); ++I)
        Around[I] = Plan->largest_task.at(Axes[I].name);
    }
    return Known;
  }

  const PlanQuestion &Request;
  std::vector<std::size_t> Places; ///< of the extents among the symbols
  Values Whole;                    ///< the extents of the array
  const std::vector<v1::Axis> &Axes;
  std::map<Values, CallBytes> Asked;
  std::uint64_t OneTime = 0;
};

} // namespace

Expected<v1::Plan> planChunks(const PlanQuestion &Request) {
  if (Request.Job.axes.empty())
    return v1::Error{v1::ErrorCode::arguments, "operator '" + Request.Operator + "' has no extent to split"};
  MEMSHAPE_CHECK(planning::wrongWith(Request.Job));
  return ChunkSearch(Request).answer();
}

} // namespace memshape
