// Calls of Python callables that the runtime counts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Python callable enters and leaves as an instrumented function does. The callable is called from here, so that the
// call's structure lies on the stack, outside of everything that the callable does: by that the runtime tells calls
// that ended from those that go on.

#include "bindings.h"

#include <memshape/hooks.h>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <dlfcn.h>

#include <map>
#include <mutex>

namespace nb = nanobind;

namespace {

const memshape_hooks *Hooks = nullptr;
int (*LastCall)(memshape_call_figures *) = nullptr;

/// The runtime is in this process, and counts. Asked for by name: without it the module has to load all the same.
bool attach() {
  if (Hooks && LastCall)
    return true;
  auto *Attach = reinterpret_cast<decltype(&memshape_attach)>(dlsym(RTLD_DEFAULT, "memshape_attach"));
  LastCall = reinterpret_cast<decltype(LastCall)>(dlsym(RTLD_DEFAULT, "memshape_annotate_last_call"));
  if (Attach && LastCall)
    Attach(MEMSHAPE_HOOKS_ABI, &Hooks);
  return Hooks && LastCall;
}

/// What the runtime knows an operator by. It keeps the address, so none is ever freed.
struct Known {
  std::string Name;
  std::vector<std::string> Symbols;
  std::vector<const char *> Names;
  memshape_operator Op{};
};

const memshape_operator *operatorOf(const std::string &Name, const std::vector<std::string> &Symbols) {
  static std::mutex Alone;
  static std::map<std::pair<std::string, std::vector<std::string>>, Known *> All;
  const std::lock_guard<std::mutex> Lock(Alone);
  Known *&Found = All[{Name, Symbols}];
  if (!Found) {
    Found = new Known{Name, Symbols, {}, {}};
    for (const std::string &Each : Found->Symbols)
      Found->Names.push_back(Each.c_str());
    Found->Op = {.name = Found->Name.c_str(),
                 .file = "",
                 .line = 0,
                 .shape_count = static_cast<std::uint32_t>(Symbols.size()),
                 .setting_count = 0,
                 .kind = 0,
                 .shape_names = Found->Names.data(),
                 .setting_names = nullptr};
  }
  return &Found->Op;
}

/// Leaves where the scope ends, with an exception or without.
class CountedCall {
public:
  CountedCall(const memshape_operator *Op, const std::int64_t *Shape) : Call{Op, Shape, nullptr, {}} {
    Hooks->enter(&Call);
  }
  ~CountedCall() { Hooks->leave(&Call); }
  CountedCall(const CountedCall &) = delete;
  CountedCall &operator=(const CountedCall &) = delete;

private:
  memshape_call Call;
};

/// (result, None or a dict of figures).
nb::tuple counted(const std::string &Name, const std::vector<std::string> &Symbols,
                  const std::vector<std::int64_t> &Shape, nb::object Callable, nb::tuple Arguments, nb::dict Keywords) {
  if (Symbols.size() != Shape.size())
    throw nb::value_error("as many values as symbols are needed");
  if (!attach())
    return nb::make_tuple(Callable(*Arguments, **Keywords), nb::none());
  const memshape_operator *Op = operatorOf(Name, Symbols);
  PyObject *Result = nullptr;
  {
    CountedCall Here(Op, Shape.data());
    Result = PyObject_Call(Callable.ptr(), Arguments.ptr(), Keywords.ptr());
  }
  memshape_call_figures Seen{};
  const bool IsThere = LastCall(&Seen) == 1;
  if (!Result)
    throw nb::python_error();
  nb::object Returned = nb::steal(Result);
  if (!IsThere)
    return nb::make_tuple(Returned, nb::none());
  nb::dict Figures;
  Figures["peak_bytes"] = Seen.peak;
  Figures["peak_most_bytes"] = Seen.peak_most;
  Figures["output_bytes"] = Seen.output;
  Figures["total_bytes"] = Seen.total;
  Figures["allocations"] = Seen.allocations;
  Figures["seconds"] = static_cast<double>(Seen.time) * 1e-9;
  return nb::make_tuple(Returned, Figures);
}

} // namespace

void bindCounting(nb::module_ &Module) {
  Module.def("counted", &counted, nb::arg("name"), nb::arg("symbols"), nb::arg("shape"), nb::arg("callable").none(),
             nb::arg("arguments"), nb::arg("keywords"));
}
