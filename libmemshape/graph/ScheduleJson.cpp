// memshape.schedule/1.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written as text: a tree of values for a million nodes would take longer than the schedule.

#include "libmemshape/graph/Schedule.h"
#include "libmemshape/text/Escapes.h"

#include <nlohmann/json.hpp>

namespace memshape {

using graph::Node;

namespace {

std::string textOf(const std::string &Id) { return jsonText(nlohmann::json(Id)); }
std::string textOf(double Number) { return nlohmann::json(Number).dump(); }
std::string textOf(std::uint32_t Number) { return std::to_string(Number); }

/// One object with a member for each node, in the order in which they run.
template <class Value>
std::string byId(const std::vector<Node> &Order, const std::vector<Value> &Values,
                 const std::vector<std::string> &Ids) {
  std::string Text = "{";
  for (Node Each : Order)
    Text += (Text.size() > 1 ? ", " : "") + textOf(Ids[Each]) + ": " + textOf(Values[Each]);
  return Text + "}";
}

} // namespace

std::string scheduleJson(const ScheduleAnswer &Answer, const std::vector<std::string> &Ids) {
  std::string Text = "{\"schema\": " + textOf(std::string("memshape.schedule/1"));
  const auto Add = [&](const char *Name, const std::string &Value) { Text += ",\n \"" + (Name + ("\": " + Value)); };
  if (!Answer.Feasible) {
    Add("feasible", "false");
    Add("least_memory_bytes", std::to_string(Answer.Least));
    return Text + "}\n";
  }
  std::string Order = "[";
  for (Node Each : Answer.Order)
    Order += (Order.size() > 1 ? ", " : "") + textOf(Ids[Each]);
  Add("order", Order + "]");
  Add("peak_bytes", std::to_string(Answer.Peak));
  if (Answer.LowerBound) {
    Add("lower_bound_bytes", std::to_string(*Answer.LowerBound));
    Add("optimal", Answer.Optimal ? "true" : "false");
  }
  Add("method", textOf(Answer.Method));
  if (Answer.Makespan) {
    Add("makespan", textOf(*Answer.Makespan));
    if (Answer.MakespanBound)
      Add("makespan_lower_bound", textOf(*Answer.MakespanBound));
    Add("start", byId(Answer.Order, Answer.Start, Ids));
    Add("processor", byId(Answer.Order, Answer.Processor, Ids));
  }
  if (Answer.Io) {
    Add("io_bytes", std::to_string(*Answer.Io));
    std::string Evictions = "[";
    for (const ScheduledEviction &Each : Answer.Evictions)
      Evictions += (Evictions.size() > 1 ? ", " : "") + ("{\"id\": " + textOf(Ids[Each.Of])) +
                   ", \"bytes\": " + std::to_string(Each.Written) + ", \"after\": " + textOf(Ids[Each.After]) + "}";
    Add("evictions", Evictions + "]");
  }
  if (Answer.WorstParallel)
    Add("worst_parallel_bytes", std::to_string(*Answer.WorstParallel));
  if (Answer.WorstParallelBound)
    Add("worst_parallel_upper_bytes", std::to_string(*Answer.WorstParallelBound));
  if (Answer.Edges) {
    std::string Edges = "[";
    for (const graph::Edge &Each : Answer.Edges->Edges)
      Edges += (Edges.size() > 1 ? ", " : "") + ("{\"from\": " + textOf(Ids[Each.From])) +
               ", \"to\": " + textOf(Ids[Each.To]) + "}";
    Add("edges", Edges + "]");
    Add("edges_worst_parallel_bytes", std::to_string(Answer.Edges->Worst));
    Add("edges_longest_path", textOf(Answer.Edges->LongestPath));
  }
  if (!Answer.Notes.empty())
    Add("notes", jsonText(nlohmann::json(Answer.Notes)));
  return Text + "}\n";
}

} // namespace memshape
