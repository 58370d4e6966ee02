// Bytes on disk, for Python.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <memshape/out_of_core/files.h>. Other threads of Python go on while a file is written or read.

#include "bindings.h"

#include <memshape/names.h>
#include <memshape/out_of_core/files.h>

#include <nanobind/stl/string.h>

#include <memory>
#include <span>
#include <vector>

namespace nb = nanobind;
namespace ooc = memshape::out_of_core;

namespace {

template <class Call> decltype(auto) checked(Call &&Called) {
  try {
    return Called();
  } catch (const ooc::Error &Why) {
    raiseFailure(std::string(memshape::v1::name_of(Why.code())), Why.what());
  }
}

/// Contiguous bytes of an object of Python, for as long as this lives.
class Buffer {
public:
  Buffer(nb::handle Of, int Flags) {
    if (PyObject_GetBuffer(Of.ptr(), &View, Flags) != 0)
      nb::raise_python_error();
  }
  Buffer(const Buffer &) = delete;
  ~Buffer() { PyBuffer_Release(&View); }
  std::span<std::byte> all() const { return {static_cast<std::byte *>(View.buf), std::size_t(View.len)}; }

private:
  Py_buffer View{};
};

std::uint64_t writeParts(ooc::Files &Into, nb::sequence Parts) {
  std::vector<std::unique_ptr<Buffer>> Held;
  std::vector<std::span<const std::byte>> Views;
  for (const nb::handle Part : Parts)
    Views.emplace_back(Held.emplace_back(std::make_unique<Buffer>(Part, PyBUF_SIMPLE))->all());
  return checked([&] {
    const nb::gil_scoped_release Released;
    return Into.write(Views);
  });
}

void readInto(const ooc::Files &From, std::uint64_t Number, nb::handle Into) {
  const Buffer To(Into, PyBUF_WRITABLE);
  checked([&] {
    const nb::gil_scoped_release Released;
    From.read(Number, To.all());
  });
}

} // namespace

void bindSpilling(nb::module_ &Module) {
  nb::class_<ooc::Files>(Module, "Files")
      .def("__init__", [](ooc::Files *At, const std::string &Folder) { checked([&] { new (At) ooc::Files(Folder); }); })
      .def("write", writeParts)
      .def("read", readInto)
      .def("bytes",
           [](const ooc::Files &Of, std::uint64_t Number) { return checked([&] { return Of.bytes(Number); }); })
      .def("remove", [](ooc::Files &Of, std::uint64_t Number) { checked([&] { Of.remove(Number); }); })
      .def_prop_ro("folder", [](const ooc::Files &Of) { return Of.folder().string(); })
      .def_ro_static("page", &ooc::Files::page);
}
