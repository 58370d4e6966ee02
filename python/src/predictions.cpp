// <memshape/memshape.h> in Python.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thin on purpose: values of the C++ interface as they are. memshape/_operator.py makes what users see of them.

#include "members.h"

#include <memshape/memshape.h>

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <dlfcn.h>

namespace nb = nanobind;

namespace {

/// The Python exception memshape._native.Failure; lives as long as the module.
nb::handle Failure;

template <class T> T valueOf(memshape::Expected<T> &&Answer) {
  if (Answer)
    return *std::move(Answer);
  raiseFailure(Answer.error());
}

using PlaceTuple = std::tuple<std::string, std::uint32_t, std::string>; ///< file, line, function

PlaceTuple tupleOf(const memshape::Place &At) { return {At.file, At.line, At.function}; }

nb::list sitesOf(const memshape::Operator &Of) {
  nb::list All;
  for (const memshape::Site &Each : Of.sites())
    All.append(nb::make_tuple(tupleOf(Each.place), Each.space, Each.allocator));
  return All;
}

nb::list decisionsOf(const memshape::Operator &Of) {
  nb::list All;
  for (const memshape::Decision &Each : Of.decisions())
    All.append(nb::make_tuple(Each.id, tupleOf(Each.place), Each.is_size, Each.name, Each.condition, Each.effect));
  return All;
}

memshape::Program openFile(const std::string &File, const std::vector<std::string> &With,
                           const std::vector<std::string> &Libraries, const std::vector<std::string> &Summaries,
                           const std::map<std::string, std::int64_t> &Machine, bool Trust) {
  return valueOf(memshape::open(File, {.with = With,
                                       .libraries = Libraries,
                                       .summaries = Summaries,
                                       .machine = Machine,
                                       .trust = Trust,
                                       .prefix = {}}));
}

/// memshape.prediction/1, and the page of `memshape predict`.
std::pair<std::string, std::string> predict(const memshape::Operator &Of, const nb::dict &Asked) {
  const auto Call = requestFrom<memshape::Call>(Asked);
  const nb::gil_scoped_release Released;
  const memshape::Prediction Found = valueOf(Of.predict(Call));
  return {Found.json(), Found.text()};
}

nb::dict plan(const memshape::Operator &Of, const nb::dict &Asked) {
  const auto Request = requestFrom<memshape::PlanRequest>(Asked);
  return planDict([&] {
    nb::gil_scoped_release Released;
    return valueOf(Of.plan(Request));
  }());
}

nb::dict solve(const memshape::Operator &Of, const nb::dict &Asked) {
  const auto Request = requestFrom<memshape::SolveRequest>(Asked);
  return nb::cast<nb::dict>(objectOf([&] {
    nb::gil_scoped_release Released;
    return valueOf(Of.solve(Request));
  }()));
}

memshape::Formula recover(const std::vector<std::string> &Symbols,
                          const std::vector<std::pair<memshape::Shape, std::int64_t>> &Figures) {
  std::vector<memshape::Figure> All;
  for (const auto &[Shape, Bytes] : Figures)
    All.push_back({Shape, Bytes});
  return valueOf(memshape::recover(Symbols, All));
}

/// The path of libmemshape.so, beside which everything else of the installation lies.
std::string libraryFile() {
  Dl_info Found{};
  return dladdr(reinterpret_cast<void *>(&memshape::build), &Found) && Found.dli_fname ? Found.dli_fname : "";
}

} // namespace

nb::dict planDict(const memshape::Plan &Of) {
  nb::dict Out = nb::cast<nb::dict>(objectOf(Of));
  Out["parts"] = objectOf(Of.worker);
  Out["largest_bytes"] = objectOf(Of.largest_bytes);
  Out["lower_bytes"] = Of.lower_bytes;
  Out["notes"] = objectOf(Of.notes);
  return Out;
}

void raiseFailure(const std::string &Code, const std::string &Message) {
  nb::gil_scoped_acquire Held;
  PyErr_SetObject(Failure.ptr(), nb::make_tuple(Code, Message).ptr());
  throw nb::python_error();
}

void raiseFailure(const memshape::Error &Why) { raiseFailure(std::string(memshape::name_of(Why.code)), Why.message); }

void bindPredictions(nb::module_ &Module) {
  Module.attr("Failure") = nb::steal(PyErr_NewException("memshape._native.Failure", nullptr, nullptr));
  Failure = nb::handle(Module.attr("Failure").ptr());

  nb::class_<memshape::Formula>(Module, "Formula")
      .def_prop_ro("text", &memshape::Formula::text)
      .def_prop_ro("symbols", &memshape::Formula::symbols)
      .def_prop_ro("domain",
                   [](const memshape::Formula &Of) {
                     std::map<std::string, std::pair<std::int64_t, std::int64_t>> Found;
                     for (const auto &[Name, Range] : Of.domain())
                       Found[Name] = {Range.low, Range.high};
                     return Found;
                   })
      .def_prop_ro("verified_shapes", &memshape::Formula::verified_shapes)
      .def_prop_ro("complete", &memshape::Formula::complete)
      .def("value", [](const memshape::Formula &Of, const memshape::Shape &At) { return valueOf(Of(At)); })
      .def("extrapolate",
           [](const memshape::Formula &Of, const memshape::Shape &At) { return valueOf(Of.extrapolate(At)); });

  nb::class_<memshape::Operator>(Module, "Operator")
      .def_prop_ro("name", &memshape::Operator::name)
      .def_prop_ro("place", [](const memshape::Operator &Of) { return tupleOf(Of.place()); })
      .def_prop_ro("symbols",
                   [](const memshape::Operator &Of) {
                     std::vector<std::pair<std::string, std::int64_t>> Found;
                     for (const memshape::Symbol &Each : Of.symbols())
                       Found.emplace_back(Each.name, Each.largest);
                     return Found;
                   })
      .def_prop_ro("settings",
                   [](const memshape::Operator &Of) {
                     std::vector<std::pair<std::string, bool>> Found;
                     for (const memshape::Setting &Each : Of.settings())
                       Found.emplace_back(Each.name, Each.is_bool);
                     return Found;
                   })
      .def_prop_ro("tensors", &memshape::Operator::tensors)
      .def_prop_ro("sites", &sitesOf)
      .def_prop_ro("decisions", &decisionsOf)
      .def("predict", &predict)
      .def("solve", &solve)
      .def("emit",
           [](const memshape::Operator &Of, const nb::dict &Asked, const std::string &To) {
             const std::optional<memshape::Language> Language = memshape::named<memshape::Language>(To);
             if (!Language)
               raiseFailure("arguments", "'" + To + "' is no language; there are " +
                                             memshape::joined_names<memshape::Language>(", ", " and "));
             return valueOf(Of.emit(requestFrom<memshape::Call>(Asked), *Language));
           })
      .def("plan", &plan)
      .def(
          "formula", [](const memshape::Operator &Of, const memshape::Settings &At) { return valueOf(Of.formula(At)); },
          nb::call_guard<nb::gil_scoped_release>());

  nb::class_<memshape::Program>(Module, "Program")
      .def_prop_ro("operators", &memshape::Program::operators)
      .def("find", [](const memshape::Program &Of, const std::string &Name) { return valueOf(Of.find(Name)); });

  Module.def("open", &openFile, nb::call_guard<nb::gil_scoped_release>());
  Module.def("recover", &recover);
  Module.def("library_file", &libraryFile);
  Module.def("version", [] { return memshape::build().version; });
}
