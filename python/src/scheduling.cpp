// Orders of graphs and reversals of chains in Python.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <memshape/scheduling.h> and <memshape/checkpointing.h>. Members of dicts have the names of memshape.schedule/1.

#include "members.h"

#include <memshape/checkpointing.h>
#include <memshape/scheduling.h>

namespace nb = nanobind;

namespace {

/// What does not apply is absent.
nb::dict dictOf(const memshape::Schedule &Of) {
  nb::dict Out;
  if (!Of.feasible) {
    Out["least_memory_bytes"] = Of.least_memory_bytes;
    return Out;
  }
  nb::list Order, Evictions;
  nb::dict Start, Processor, Time, Bytes;
  for (const memshape::ScheduledNode &Each : Of.order) {
    nb::str Id(Each.id.data(), Each.id.size());
    Order.append(Id);
    Bytes[Id] = nb::make_tuple(Each.output_bytes, Each.work_bytes, Each.in_place_bytes);
    if (Of.makespan) {
      Start[Id] = Each.start;
      Processor[Id] = Each.processor;
      Time[Id] = Each.time;
    }
  }
  for (const memshape::OutputEviction &Each : Of.evictions)
    Evictions.append(nb::make_tuple(Each.id, Each.bytes, Each.after));
  Out["order"] = Order;
  Out["bytes"] = Bytes;
  Out["peak_bytes"] = Of.peak_bytes;
  if (Of.lower_bound_bytes) {
    Out["lower_bound_bytes"] = *Of.lower_bound_bytes;
    Out["optimal"] = Of.optimal;
  }
  Out["method"] = Of.method;
  if (Of.makespan) {
    Out["makespan"] = *Of.makespan;
    Out["start"] = Start;
    Out["processor"] = Processor;
    Out["time"] = Time;
  }
  if (Of.makespan_lower_bound)
    Out["makespan_lower_bound"] = *Of.makespan_lower_bound;
  if (Of.io_bytes) {
    Out["io_bytes"] = *Of.io_bytes;
    Out["evictions"] = Evictions;
  }
  if (Of.worst_parallel_bytes)
    Out["worst_parallel_bytes"] = *Of.worst_parallel_bytes;
  if (Of.worst_parallel_upper_bytes)
    Out["worst_parallel_upper_bytes"] = *Of.worst_parallel_upper_bytes;
  if (Of.edges) {
    nb::list Edges;
    for (const memshape::OrderedPair &Each : *Of.edges)
      Edges.append(nb::make_tuple(Each.from, Each.to));
    Out["edges"] = Edges;
    Out["edges_worst_parallel_bytes"] = *Of.edges_worst_parallel_bytes;
    Out["edges_longest_path"] = *Of.edges_longest_path;
  }
  Out["notes"] = Of.notes;
  return Out;
}

nb::dict schedule(const std::string &Document, std::optional<std::uint64_t> Memory, std::uint32_t Processors,
                  std::optional<int> Objective, bool WholeOutputs, bool Edges, bool Timed, const std::string &Folder,
                  bool Trust) {
  memshape::ScheduleRequest Request;
  Request.memory_bytes = Memory;
  Request.processors = Processors;
  if (Objective)
    Request.objective = static_cast<memshape::Objective>(*Objective);
  Request.whole_outputs = WholeOutputs;
  Request.edges = Edges;
  Request.timed = Timed;
  Request.folder = Folder;
  Request.trust = Trust;
  const auto Found = [&] {
    nb::gil_scoped_release Released;
    return memshape::schedule_graph(Document, Request);
  }();
  if (!Found)
    raiseFailure(Found.error());
  return dictOf(*Found);
}

nb::object reverse(const nb::dict &Asked) {
  const auto Request = requestFrom<memshape::ChainRequest>(Asked);
  const auto Found = [&] {
    nb::gil_scoped_release Released;
    return memshape::reverse_chain(Request);
  }();
  if (!Found)
    raiseFailure(Found.error());
  return objectOf(*Found);
}

} // namespace

void bindScheduling(nb::module_ &Module) {
  Module.def("schedule", &schedule, nb::arg("document"), nb::arg("memory").none(), nb::arg("processors"),
             nb::arg("objective").none(), nb::arg("whole_outputs"), nb::arg("edges"), nb::arg("timed"),
             nb::arg("folder"), nb::arg("trust"));
  Module.def("reverse", &reverse);
}
