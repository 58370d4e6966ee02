// <memshape/planning.h> in Python.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planner asks for the bytes of tasks up to 10^6 times. Where a formula holds it is evaluated here, and Python is
// asked for the rest, once for each shape.

#include "bindings.h"

#include <memshape/memshape.h>
#include <memshape/planning.h>

#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <exception>

namespace nb = nanobind;

namespace {

using Extents = std::vector<std::int64_t>;
/// (upper, expected) bytes that a call requests, its output included.
using Ask = std::function<std::pair<std::uint64_t, std::uint64_t>(const Extents &)>;

/// Bytes of tasks. Errors of Python are kept until the planner, which knows no exceptions, has returned.
class Tasks {
public:
  Tasks(Ask InPython, std::optional<memshape::Formula> Law, std::vector<std::string> Names, memshape::Shape Fixed,
        std::pair<double, double> ElementBytes)
      : InPython(std::move(InPython)), Law(std::move(Law)), Names(std::move(Names)), At(std::move(Fixed)),
        ElementBytes(ElementBytes) {}

  memshape::TaskBytes of(const Extents &Task) {
    double Volume = 1;
    for (std::int64_t Each : Task)
      Volume *= static_cast<double>(Each);
    memshape::TaskBytes Found;
    Found.input = bytes(ElementBytes.first * Volume);
    Found.output = bytes(ElementBytes.second * Volume);
    if (const std::optional<std::uint64_t> Peak = byFormula(Task)) {
      Found.upper = Found.expected = *Peak;
      return Found;
    }
    const auto [Upper, Expected] = byPython(Task);
    Found.upper = Upper;
    Found.expected = Expected;
    return Found;
  }

  void rethrow() const {
    if (Raised)
      std::rethrow_exception(Raised);
  }

private:
  static std::uint64_t bytes(double Value) {
    return Value < 9e18 ? static_cast<std::uint64_t>(std::ceil(Value)) : std::uint64_t(9e18);
  }

  std::optional<std::uint64_t> byFormula(const Extents &Task) {
    if (!Law)
      return std::nullopt;
    for (std::size_t I = 0; I < Names.size(); ++I)
      if (const auto Found = At.find(Names[I]); Found != At.end())
        Found->second = Task[I];
    // Beyond its domain nothing else answers for a callable.
    const auto Value = Law->extrapolate(At);
    return Value && *Value >= 0 ? std::optional<std::uint64_t>(*Value) : std::nullopt;
  }

  std::pair<std::uint64_t, std::uint64_t> byPython(const Extents &Task) {
    if (const auto Found = Known.find(Task); Found != Known.end())
      return Found->second;
    if (Raised)
      return {0, 0};
    try {
      return Known[Task] = InPython(Task);
    } catch (...) {
      Raised = std::current_exception();
      return {0, 0};
    }
  }

  Ask InPython;
  std::optional<memshape::Formula> Law;
  std::vector<std::string> Names;
  memshape::Shape At; ///< values of the formula's symbols
  std::pair<double, double> ElementBytes;
  std::map<Extents, std::pair<std::uint64_t, std::uint64_t>> Known;
  std::exception_ptr Raised;
};

nb::dict dictOf(const memshape::WorkerParts &Parts) {
  nb::dict Out;
  Out["held"] = Parts.held;
  Out["operators"] = Parts.operators;
  Out["inputs"] = Parts.inputs;
  Out["blocks"] = Parts.blocks;
  Out["results"] = Parts.results;
  Out["copies"] = Parts.copies;
  Out["slack"] = Parts.slack;
  Out["gathered"] = Parts.gathered;
  Out["total"] = Parts.total;
  return Out;
}

nb::dict dictOf(const memshape::ChunkPlan &Plan) {
  nb::dict Out;
  Out["chunks"] = Plan.chunks;
  Out["tasks"] = Plan.tasks;
  Out["fewest_tasks"] = Plan.fewest_tasks;
  Out["lower_bound"] = Plan.lower_bound;
  Out["largest_task"] = Plan.largest_task;
  Out["task_upper"] = Plan.largest_bytes.upper;
  Out["task_expected"] = Plan.largest_bytes.expected;
  Out["task_input"] = Plan.largest_bytes.input;
  Out["task_output"] = Plan.largest_bytes.output;
  Out["expected"] = dictOf(Plan.expected);
  Out["upper"] = dictOf(Plan.upper);
  Out["binding"] = Plan.binding;
  Out["larger_tasks"] = Plan.larger_tasks;
  Out["larger_bytes"] = Plan.larger_bytes;
  return Out;
}

/// (plan or None, least limit or None). `circumstances` are counts and bytes by the names of ChunkRequest.
std::pair<std::optional<nb::dict>, std::optional<std::uint64_t>>
plan(const std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t, bool>> &Axes, const Ask &Task,
     std::optional<memshape::Formula> Law, const std::vector<std::string> &Names, const memshape::Shape &Fixed,
     std::pair<double, double> ElementBytes, const std::map<std::string, std::int64_t> &Circumstances) {
  Tasks Bytes(Task, std::move(Law), Names, Fixed, ElementBytes);
  memshape::ChunkRequest Request;
  for (const auto &[Extent, Halo, Align, Split] : Axes)
    Request.axes.push_back({Extent, Halo, Align, Split});
  Request.task = [&Bytes](const Extents &At) { return Bytes.of(At); };
  Request.limit_bytes = static_cast<std::uint64_t>(Circumstances.at("limit_bytes"));
  Request.workers = Circumstances.at("workers");
  Request.threads = Circumstances.at("threads");
  Request.held_bytes = static_cast<std::uint64_t>(Circumstances.at("held_bytes"));
  Request.one_time_bytes = static_cast<std::uint64_t>(Circumstances.at("one_time_bytes"));
  Request.input_bytes = static_cast<std::uint64_t>(Circumstances.at("input_bytes"));
  Request.output_bytes = static_cast<std::uint64_t>(Circumstances.at("output_bytes"));
  Request.max_tasks = Circumstances.at("max_tasks");
  Request.sink = static_cast<memshape::Sink>(Circumstances.at("sink"));
  Request.keeps_neighbours = Circumstances.at("keeps_neighbours") != 0;
  auto Found = memshape::plan_chunks(Request);
  Bytes.rethrow();
  if (Found)
    return {dictOf(*Found), std::nullopt};
  if (Found.error().code == memshape::ErrorCode::arguments)
    throw nb::value_error(Found.error().message.c_str());
  const auto Least = memshape::least_limit(Request);
  Bytes.rethrow();
  return {std::nullopt, Least ? std::optional<std::uint64_t>(*Least) : std::nullopt};
}

} // namespace

void bindPlanning(nb::module_ &Module) {
  Module.def("plan", &plan, nb::arg("axes"), nb::arg("task"), nb::arg("formula").none(), nb::arg("names"),
             nb::arg("fixed"), nb::arg("element_bytes"), nb::arg("circumstances"));
}
