// Schedules as values, and as memshape.schedule/1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/graph/Schedule.h"
#include "libmemshape/text/MemberJson.h"

namespace memshape {

v1::Schedule scheduleOf(const graph::Graph &Of, const ScheduleAnswer &Answer, const std::vector<std::string> &Ids) {
  v1::Schedule Out;
  Out.feasible = Answer.Feasible;
  Out.least_memory_bytes = Answer.Least;
  Out.notes = Answer.Notes;
  if (!Out.feasible)
    return Out;
  Out.order.reserve(Answer.Order.size());
  for (graph::Node Each : Answer.Order)
    Out.order.push_back(
        {Ids[Each], Of[Each].Output, Of[Each].ownWork(), Of[Each].Time,
         Answer.Makespan
             ? v1::MappedNode{{Answer.On[Each].First, Answer.On[Each].last()}, Answer.Start[Each], Answer.End[Each]}
             : v1::MappedNode(),
         Of[Each].InPlace});
  Out.peak_bytes = Answer.Peak;
  Out.lower_bound_bytes = Answer.LowerBound;
  Out.optimal = Answer.LowerBound && Answer.Optimal;
  Out.method = Answer.Method;
  Out.makespan = Answer.Makespan;
  Out.makespan_lower_bound = Answer.MakespanBound;
  Out.peak_bytes_per_processor = Answer.PeakOfOne;
  Out.peak_bytes_of_each = Answer.PeakOfEach;
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

/// A line for each member.
struct Lines {
  std::string &Text;
  template <class Value> void operator()(const char *Name, const Value &Of) const {
    Text += (Text.size() == 1 ? "\"" : ",\n \"") + std::string(Name) + "\": ";
    const bool IsSentences = std::is_same_v<Value, std::vector<std::string>>;
    JsonWriter{Text, IsSentences ? "," : ", ", ": "}.value(Of);
  }
};

std::string scheduleJson(const v1::Schedule &Of) {
  std::string Text = "{";
  Of.members(Lines{Text});
  Text += "}\n";
  return Text;
}

} // namespace memshape
