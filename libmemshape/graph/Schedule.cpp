// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/graph/Schedule.h"
#include "libmemshape/text/Try.h"
#include "model/makespan/BackwardSchedule.h"
#include "model/makespan/LimitingEdges.h"
#include "model/makespan/MakespanBound.h"
#include "model/mapping/TreeMapping.h"
#include "model/scheduling/Evictions.h"
#include "model/scheduling/ParallelPeak.h"
#include "model/scheduling/Sequential.h"

#include <algorithm>
#include <cmath>

namespace memshape {

using graph::Bytes;
using graph::Graph;
using graph::Node;
using namespace scheduling;

constexpr std::size_t ParallelWork = 4'000'000; // vertices and arcs of cuts: some seconds
constexpr std::size_t SearchWork = 4'000'000;   // nodes that tries place: a second or two
constexpr std::size_t EdgesWork = 6'000'000;    // vertices and arcs of cuts: some seconds
constexpr double NearBound = 1.001;             // times the bound of the makespan: not worth a search
constexpr Node LargestParallel = 1000;          // nodes of graphs that are no trees

static bool fits(Bytes Sum) { return Sum <= INT64_MAX; }

static Failure tooLarge(const std::string &What) {
  return Failure{"the bytes of " + What + " leave 63 bits", FailureCode::TooLarge};
}

/// One node after the other, on processor 0.
static void setTimes(const Graph &Of, ScheduleAnswer &Into) {
  Into.Start.assign(Of.size(), 0);
  Into.End.assign(Of.size(), 0);
  Into.On.assign(Of.size(), {});
  double Now = 0;
  for (Node Each : Into.Order) {
    Into.Start[Each] = Now;
    Into.End[Each] = Now += Of[Each].Time;
  }
  Into.Makespan = Now;
}

/// The shortest one of list schedules and, of forests, one from the end.
static void setParallel(const Graph &Of, std::uint32_t Processors, Bytes Memory, ScheduleAnswer &Into) {
  TimedSchedule Best = listSchedule(Of, Into.Order, Processors, Memory, Priority::LongestPath);
  Into.Method = "list-longest-path";
  const auto Take = [&](std::optional<TimedSchedule> Other, const char *Method) {
    if (!Other || Other->Makespan >= Best.Makespan)
      return;
    Best = std::move(*Other);
    Into.Method = Method;
  };
  const double Bound = makespanLowerBound(Of, Processors, Memory), Enough = Bound * NearBound;
  Take(listSchedule(Of, Into.Order, Processors, Memory, Priority::Order), "list-in-order");
  if (Best.Makespan > Enough)
    Take(shortestAhead(Of, Into.Order, Processors, Memory, SearchWork, Enough), "list-ahead");
  if (Of.isInForest() && Best.Makespan > Enough)
    Take(backwardSchedule(Of, shorterOrder(Of, Into.Order, Processors, Memory, {SearchWork, Enough}), Processors,
                          Memory),
         "list-backward");
  Into.Order = std::move(Best.Order);
  Into.Start = std::move(Best.Start);
  for (Node Each = 0; Each < Of.size(); ++Each) {
    Into.End.push_back(Into.Start[Each] + Of[Each].Time);
    Into.On.push_back({Best.Processor[Each], 1});
  }
  Into.Makespan = Best.Makespan;
  Into.MakespanBound = Bound;
  Into.Peak = static_cast<std::uint64_t>(std::min<Bytes>(Best.Peak, Bytes(INT64_MAX) + 1));
}

/// The order, of those that are known, that writes fewest bytes. Not feasible where a node alone needs more.
static void setEvictions(const Graph &Of, Bytes Memory, SequentialOrder Least, ScheduleAnswer &Into) {
  std::vector<NamedOrder> Orders = simpleOrders(Of);
  Orders.insert(Orders.begin(), {Least.Method.c_str(), std::move(Least.Order), Least.Peak});
  std::optional<EvictionPlan> Best;
  for (NamedOrder &Each : Orders) {
    std::optional<EvictionPlan> Plan =
        Into.WholeOutputs ? wholeEvictions(Of, Each.Order, Memory) : evictions(Of, Each.Order, Memory);
    if (!Plan || (Best && Plan->Written >= Best->Written))
      continue;
    Best = std::move(Plan);
    Into.Order = std::move(Each.Order);
    Into.Method = Each.Name;
    if (Best->Written == 0)
      break;
  }
  Into.Feasible = Best.has_value();
  if (!Best) {
    for (Node Each = 0; Each < Of.size(); ++Each)
      Into.Least = std::max(Into.Least, static_cast<std::uint64_t>(Of.need(Each)));
    return;
  }
  Into.Peak = static_cast<std::uint64_t>(Best->Peak);
  Into.Io = static_cast<std::uint64_t>(std::min<Bytes>(Best->Written, Bytes(INT64_MAX) + 1));
  for (const Eviction &Each : Best->Evictions)
    Into.Evictions.push_back({Each.Of, Each.After, static_cast<std::uint64_t>(Each.Written)});
}

static std::optional<Failure> setWorst(const Graph &Of, ScheduleAnswer &Into) {
  if (!Of.isInForest() && !Of.isOutForest() && Of.size() > LargestParallel)
    return std::nullopt;
  const ParallelPeak Most = mostInParallel(Of, ParallelWork);
  if (!fits(Most.Found))
    return tooLarge("nodes that may run at the same time");
  if (Most.Found == Most.Bound)
    Into.WorstParallel = static_cast<std::uint64_t>(Most.Found);
  else if (fits(Most.Bound))
    Into.WorstParallelBound = static_cast<std::uint64_t>(Most.Bound);
  return std::nullopt;
}

static void setEdges(const Graph &Of, const std::vector<Node> &Order, std::uint64_t Memory, ScheduleAnswer &Into) {
  LimitingEdges Found = limitingEdges(Of, Order, Bytes(Memory), EdgesWork);
  Into.Edges = {std::move(Found.Edges), static_cast<std::uint64_t>(Found.Most), Found.LongestPath};
}

/// Their bytes fit.
static void take(PlacedTasks &&From, ScheduleAnswer &Into) {
  Into.Order = std::move(From.Order);
  Into.Start = std::move(From.Start);
  Into.End = std::move(From.End);
  Into.On = std::move(From.On);
  Into.Makespan = From.Makespan;
  Into.Peak = static_cast<std::uint64_t>(From.Peak);
}

/// How the nodes of a tree run on several processors each.
static std::optional<Failure> setMapping(const Graph &Of, const v1::ScheduleRequest &Asked, ScheduleAnswer &Into) {
  MappedTree Found;
  if (Asked.mapping == v1::Mapping::memory_aware && Asked.memory_bytes) {
    std::optional<MappedTree> Within = mapWithin(Of, Asked.processors, Bytes(*Asked.memory_bytes));
    Into.Feasible = Within.has_value();
    if (!Within) {
      const Bytes Least = leastMapped(Of, Asked.processors);
      Into.Least = static_cast<std::uint64_t>(Least);
      return fits(Least) ? std::nullopt : std::optional(tooLarge("the mapping that holds least"));
    }
    Found = std::move(*Within);
  } else {
    Found = Asked.mapping == v1::Mapping::all_to_all ? mapAllToAll(Of, Asked.processors)
                                                     : mapProportionally(Of, Asked.processors);
  }
  if (!fits(Found.Peak))
    return tooLarge("nodes that run at the same time");
  Into.PeakOfOne = static_cast<std::uint64_t>(Found.PeakOfOne);
  if (Asked.memory_bytes && *Into.PeakOfOne > *Asked.memory_bytes) {
    Into.Feasible = false;
    Into.Least = *Into.PeakOfOne;
  }
  take(std::move(Found), Into);
  Into.Method = v1::word_of(*Asked.mapping);
  return std::nullopt;
}

/// How each node runs on one of processors that differ.
static std::optional<Failure> setPlaces(const Graph &Of, std::span<const UnequalProcessor> Processors,
                                        ScheduleAnswer &Into) {
  const SequentialOrder Least = leastPeak(Of);
  std::optional<PlacedGraph> Found = placeUnequally(Of, Least.Order, Least.Peak, Processors);
  if (!fits(Found ? Found->Peak : Least.Peak))
    return tooLarge("nodes that run at the same time");
  Into.Feasible = Found.has_value();
  if (!Found) {
    Into.Least = static_cast<std::uint64_t>(Least.Peak);
    return std::nullopt;
  }
  for (Bytes Each : Found->PeakOfEach)
    Into.PeakOfEach.push_back(static_cast<std::uint64_t>(Each));
  Into.Method = Found->Method;
  take(std::move(*Found), Into);
  return std::nullopt;
}

/// The largest need of one node has to fit by itself.
static std::optional<Failure> checkNeeds(const Graph &Of) {
  for (Node Each = 0; Each < Of.size(); ++Each)
    if (!fits(Of.need(Each)))
      return tooLarge("one node and its inputs");
  return std::nullopt;
}

/// Wherever nodes have a start, they end before the sum of all times.
static std::optional<Failure> checkTimes(const Graph &Of, std::span<const UnequalProcessor> Processors) {
  double Sum = 0, Slowest = 1;
  for (const UnequalProcessor &Each : Processors)
    Slowest = std::min(Slowest, Each.Speed);
  for (Node Each = 0; Each < Of.size(); ++Each)
    Sum += Of[Each].Time;
  if (!std::isfinite(Sum / Slowest))
    return Failure{"the times of its nodes have no finite sum", FailureCode::TooLarge};
  return std::nullopt;
}

static Objective objectiveOf(const v1::ScheduleRequest &Asked) {
  return Asked.objective.value_or(Asked.processors > 1 || Asked.mapping ? Objective::makespan : Objective::peak);
}

static bool isTimed(const v1::ScheduleRequest &Asked) {
  return Asked.timed || Asked.processors > 1 || objectiveOf(Asked) == Objective::makespan;
}

/// How each node runs on one processor.
static std::optional<Failure> setSchedule(const Graph &Of, const v1::ScheduleRequest &Asked, ScheduleAnswer &Into) {
  SequentialOrder Found = leastPeak(Of);
  if (Into.Wanted == Objective::io) {
    setEvictions(Of, Bytes(*Asked.memory_bytes), std::move(Found), Into);
    if (Into.Io && !fits(Bytes(*Into.Io)))
      return tooLarge("all that is written");
  } else {
    if (!fits(Found.Peak))
      return tooLarge("the order that holds least");
    Into.Order = std::move(Found.Order);
    Into.Peak = static_cast<std::uint64_t>(Found.Peak);
    Into.Method = std::move(Found.Method);
    if (Asked.memory_bytes && Into.Peak > *Asked.memory_bytes) {
      Into.Feasible = false;
      Into.Least = Into.Peak;
    }
  }
  if (!Into.Feasible)
    return std::nullopt;
  if (Into.Wanted == Objective::peak) {
    Into.LowerBound = static_cast<std::uint64_t>(Found.LowerBound);
    Into.Optimal = Found.Optimal;
  }
  if (Asked.edges)
    setEdges(Of, Into.Order, *Asked.memory_bytes, Into);
  if (Into.Wanted == Objective::makespan && Asked.processors > 1) {
    setParallel(Of, Asked.processors, Asked.memory_bytes ? Bytes(*Asked.memory_bytes) : Bytes(1) << 100, Into);
    if (!fits(Bytes(Into.Peak)))
      return tooLarge("nodes that run at the same time");
  } else if (isTimed(Asked)) {
    setTimes(Of, Into);
  }
  return std::nullopt;
}

std::optional<Failure> checkRequest(const v1::ScheduleRequest &Asked) {
  constexpr std::uint32_t MostProcessors = 1'000'000;
  const bool IsIo = Asked.objective == Objective::io;
  if (Asked.processors < 1 || Asked.processors > MostProcessors)
    return Failure{"processors (--processors) is a whole number from 1 to " + std::to_string(MostProcessors)};
  if (IsIo && !Asked.memory_bytes)
    return Failure{"the objective io needs a memory (--memory)"};
  if (IsIo && Asked.processors > 1)
    return Failure{"the objective io runs one node at a time: leave out the processors (--processors)"};
  if (Asked.whole_outputs && !IsIo)
    return Failure{"whole outputs belong to the objective io (--objective io)"};
  if (Asked.edges && !Asked.memory_bytes)
    return Failure{"edges need a memory (--memory)"};
  if (Asked.mapping && Asked.objective.value_or(Objective::makespan) != Objective::makespan)
    return Failure{"a mapping (--mapping) has the objective makespan: leave out --objective"};
  if (Asked.mapping && Asked.edges)
    return Failure{"edges are for nodes that run on one processor each: leave out --edges, or --mapping"};
  if (Asked.edges && IsIo)
    return Failure{"the objective io keeps the memory by evictions, not by edges: leave out --objective io"};
  return std::nullopt;
}

Result<ScheduleAnswer> schedule(const Graph &Of, const v1::ScheduleRequest &Asked,
                                std::span<const UnequalProcessor> Processors) {
  ScheduleAnswer Answer;
  Answer.Wanted = objectiveOf(Asked);
  MEMSHAPE_CHECK(checkRequest(Asked));
  if (Asked.edges && Of.size() > LargestParallel)
    return Failure{"edges are answered for graphs of up to " + std::to_string(LargestParallel) + " nodes"};
  Answer.WholeOutputs = Asked.whole_outputs;
  MEMSHAPE_CHECK(checkNeeds(Of));
  MEMSHAPE_CHECK(isTimed(Asked) || Asked.edges || !Processors.empty() ? checkTimes(Of, Processors) : std::nullopt);
  if (!Processors.empty()) {
    if (Asked.memory_bytes || Asked.processors > 1 || Asked.mapping ||
        Asked.objective.value_or(Objective::makespan) != Objective::makespan)
      return Failure{"the graph says its processors and their memory: leave out --memory, --processors, --mapping and "
                     "--objective"};
    Answer.Wanted = Objective::makespan;
    MEMSHAPE_CHECK(setPlaces(Of, Processors, Answer));
    return Answer;
  }
  if (Asked.mapping) {
    if (!Of.isInForest())
      return Failure{"a mapping (--mapping) is for trees, where one node at most reads an output"};
    MEMSHAPE_CHECK(setMapping(Of, Asked, Answer));
  } else if (std::optional<Failure> Wrong = setSchedule(Of, Asked, Answer)) {
    return *Wrong;
  }
  MEMSHAPE_CHECK(Answer.Feasible ? setWorst(Of, Answer) : std::nullopt);
  return Answer;
}

} // namespace memshape
