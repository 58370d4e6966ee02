// <memshape/planning.h> in Python.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planner asks for the bytes of tasks up to 10^6 times. Where a formula holds it is evaluated here, and Python is
// asked for the rest, once for each shape.

#include "members.h"

#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

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

/// (plan or None, least limit or None). `Asked` has members of ChunkRequest.
std::pair<std::optional<nb::dict>, std::optional<std::uint64_t>> plan(const nb::dict &Asked, const Ask &Task,
                                                                      std::optional<memshape::Formula> Law,
                                                                      const memshape::Shape &Fixed,
                                                                      std::pair<double, double> ElementBytes) {
  auto Request = requestFrom<memshape::ChunkRequest>(Asked);
  std::vector<std::string> Names;
  for (const memshape::Axis &Each : Request.axes)
    Names.push_back(Each.name);
  Tasks Bytes(Task, std::move(Law), std::move(Names), Fixed, ElementBytes);
  Request.task = [&Bytes](const Extents &At) { return Bytes.of(At); };
  const auto Found = memshape::plan_chunks(Request);
  Bytes.rethrow();
  if (Found)
    return {planDict(memshape::plan_of(Request, *Found)), std::nullopt};
  if (Found.error().code != memshape::ErrorCode::no_answer)
    raiseFailure(Found.error());
  const auto Least = memshape::least_limit(Request);
  Bytes.rethrow();
  return {std::nullopt, Least ? std::optional<std::uint64_t>(*Least) : std::nullopt};
}

} // namespace

void bindPlanning(nb::module_ &Module) {
  Module.attr("sinks") = namesOf<memshape::Sink>();
  Module.def("plan", &plan, nb::arg("request"), nb::arg("task"), nb::arg("formula").none(), nb::arg("fixed"),
             nb::arg("element_bytes"));
}
