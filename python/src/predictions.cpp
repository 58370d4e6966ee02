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

/// The Python exception memshape._native.Failure; lives as long as the module.
static nb::handle Failure;

using PlaceTuple = std::tuple<std::string, std::uint32_t, std::string>; ///< file, line, function

static PlaceTuple tupleOf(const memshape::Place &At) { return {At.file, At.line, At.function}; }

static nb::list sitesOf(const memshape::Operator &Of) {
  nb::list All;
  for (const memshape::Site &Each : Of.sites())
    All.append(nb::make_tuple(tupleOf(Each.place), Each.space));
  return All;
}

static nb::list decisionsOf(const memshape::Operator &Of) {
  nb::list All;
  for (const memshape::Decision &Each : Of.decisions())
    All.append(nb::make_tuple(Each.id, tupleOf(Each.place), Each.is_size, Each.name, Each.condition, Each.effect));
  return All;
}

/// Of symbols, or of settings.
template <class Named> static std::vector<std::string> namesIn(const std::vector<Named> &All) {
  std::vector<std::string> Names;
  for (const Named &Each : All)
    Names.push_back(Each.name);
  return Names;
}

static memshape::Program openFile(const std::string &File, const std::vector<std::string> &With,
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
static std::pair<std::string, std::string> predict(const memshape::Operator &Of, const nb::dict &Asked) {
  const auto Call = requestFrom<memshape::Call>(Asked);
  const nb::gil_scoped_release Released;
  const memshape::Prediction Found = valueOf(Of.predict(Call));
  return {Found.json(), Found.text()};
}

static nb::dict plan(const memshape::Operator &Of, const nb::dict &Asked) {
  const auto Request = requestFrom<memshape::PlanRequest>(Asked);
  return planDict(released([&] { return Of.plan(Request); }));
}

static nb::dict solve(const memshape::Operator &Of, const nb::dict &Asked) {
  const auto Request = requestFrom<memshape::SolveRequest>(Asked);
  return nb::cast<nb::dict>(objectOf(released([&] { return Of.solve(Request); })));
}

static nb::dict advise(const memshape::Operator &Of, const nb::dict &Asked) {
  const auto Request = requestFrom<memshape::AdviseRequest>(Asked);
  return nb::cast<nb::dict>(objectOf(released([&] { return Of.advise(Request); })));
}

static memshape::Formula recover(const std::vector<std::string> &Symbols,
                                 const std::vector<std::pair<memshape::Shape, std::int64_t>> &Figures) {
  std::vector<memshape::Figure> All;
  for (const auto &[Shape, Bytes] : Figures)
    All.push_back({Shape, Bytes});
  return valueOf(memshape::recover(Symbols, All));
}

/// The path of libmemshape.so, beside which everything else of the installation lies.
static std::string libraryFile() {
  Dl_info Found{};
  return dladdr(reinterpret_cast<void *>(&memshape::build), &Found) && Found.dli_fname ? Found.dli_fname : "";
}

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
      .def("value", [](const memshape::Formula &Of, const memshape::Shape &At) { return valueOf(Of(At)); })
      .def("extrapolate",
           [](const memshape::Formula &Of, const memshape::Shape &At) { return valueOf(Of.extrapolate(At)); });

  nb::class_<memshape::Operator>(Module, "Operator")
      .def_prop_ro("name", &memshape::Operator::name)
      .def_prop_ro("symbols", [](const memshape::Operator &Of) { return namesIn(Of.symbols()); })
      .def_prop_ro("settings", [](const memshape::Operator &Of) { return namesIn(Of.settings()); })
      .def_prop_ro("tensors", &memshape::Operator::tensors)
      .def_prop_ro("sites", &sitesOf)
      .def_prop_ro("decisions", &decisionsOf)
      .def("predict", &predict)
      .def("solve", &solve)
      .def("advise", &advise)
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
