// Orders of a graph of tasks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memshape/scheduling.h"
#include "libmemshape/api/OperatorNodes.h"
#include "libmemshape/graph/Schedule.h"

namespace memshape::v1 {

namespace {

Error errorOf(const Failure &Why) {
  return {Why.Code == FailureCode::TooLarge ? ErrorCode::too_large : ErrorCode::arguments, Why.Message};
}

std::optional<Error> wrongIn(const ScheduleRequest &Request) {
  constexpr std::uint32_t MostProcessors = 1'000'000;
  const auto Wrong = [](std::string What) { return Error{ErrorCode::arguments, std::move(What)}; };
  if (Request.processors < 1 || Request.processors > MostProcessors)
    return Wrong("processors is a whole number from 1 to " + std::to_string(MostProcessors));
  if (Request.objective == Objective::io && !Request.memory_bytes)
    return Wrong("the objective io needs a memory");
  if (Request.objective == Objective::io && Request.processors > 1)
    return Wrong("the objective io runs one node at a time: leave out the processors");
  if (Request.whole_outputs && Request.objective != Objective::io)
    return Wrong("whole outputs belong to the objective io");
  if (Request.edges && !Request.memory_bytes)
    return Wrong("edges need a memory");
  if (Request.edges && Request.objective == Objective::io)
    return Wrong("the objective io keeps the memory by evictions, not by edges");
  return std::nullopt;
}

memshape::ScheduleRequest requestOf(const ScheduleRequest &Request) {
  memshape::ScheduleRequest Out;
  Out.Memory = Request.memory_bytes;
  if (Request.timed || Request.processors > 1)
    Out.Processors = Request.processors;
  if (Request.objective)
    Out.Want = *Request.objective == Objective::peak       ? memshape::Objective::Peak
               : *Request.objective == Objective::makespan ? memshape::Objective::Makespan
                                                           : memshape::Objective::Io;
  Out.WholeOutputs = Request.whole_outputs;
  Out.Edges = Request.edges;
  return Out;
}

Schedule scheduleOf(const graph::Graph &Of, ScheduleAnswer Answer, const std::vector<std::string> &Ids) {
  Schedule Out;
  Out.feasible = Answer.Feasible;
  Out.least_memory_bytes = Answer.Least;
  Out.notes = std::move(Answer.Notes);
  if (!Out.feasible)
    return Out;
  Out.order.reserve(Answer.Order.size());
  for (graph::Node Each : Answer.Order)
    Out.order.push_back({Ids[Each], Of[Each].Output, Of[Each].ownWork(), Of[Each].Time,
                         Answer.Makespan ? Answer.Start[Each] : 0, Answer.Makespan ? Answer.Processor[Each] : 0,
                         Of[Each].InPlace});
  Out.peak_bytes = Answer.Peak;
  Out.lower_bound_bytes = Answer.LowerBound;
  Out.optimal = Answer.LowerBound && Answer.Optimal;
  Out.method = std::move(Answer.Method);
  Out.makespan = Answer.Makespan;
  Out.makespan_lower_bound = Answer.MakespanBound;
  Out.io_bytes = Answer.Io;
  for (const ScheduledEviction &Each : Answer.Evictions)
    Out.evictions.push_back({Ids[Each.Of], Each.Written, Ids[Each.After]});
  Out.worst_parallel_bytes = Answer.WorstParallel;
  Out.worst_parallel_upper_bytes = Answer.WorstParallelBound;
  if (Answer.Edges) {
    Out.edges.emplace();
    for (const graph::Edge &Each : Answer.Edges->Edges)
      Out.edges->push_back({Ids[Each.From], Ids[Each.To]});
    Out.edges_worst_parallel_bytes = Answer.Edges->Worst;
    Out.edges_longest_path = Answer.Edges->LongestPath;
  }
  return Out;
}

} // namespace

Expected<Schedule> schedule_graph(const std::string &document, const ScheduleRequest &request) {
  if (std::optional<Error> Wrong = wrongIn(request))
    return *Wrong;
  Result<GraphDocument> Document = readGraph(document);
  if (!Document)
    return errorOf(Document.failure());
  const Result<std::vector<std::string>> Notes = predictNodes(*Document, request.folder, request.trust);
  if (!Notes)
    return errorOf(Notes.failure());
  const std::optional<graph::Graph> Graph = takeGraph(*Document);
  if (!Graph)
    return Error{ErrorCode::arguments, "the nodes wait for each other in a circle"};
  Result<ScheduleAnswer> Answer = memshape::schedule(*Graph, requestOf(request));
  if (!Answer)
    return errorOf(Answer.failure());
  Answer->Notes = *Notes;
  return scheduleOf(*Graph, std::move(*Answer), Document->Ids);
}

} // namespace memshape::v1
