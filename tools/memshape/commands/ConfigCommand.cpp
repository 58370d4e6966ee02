// memshape config.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/Installation.h"
#include "libmemshape/text/Try.h"
#include "tools/memshape/Commands.h"

#include <filesystem>
#include <memory>

namespace memshape {

namespace {

struct ConfigOptions {
  bool Cflags = false, FlangFlags = false, Libs = false, Plugin = false;
  bool Static = false; ///< libraries for a program that is linked statically
  std::string Clang;   ///< major version that has to be there; empty: any
};

Result<std::string> configText(const ConfigOptions &Given, const Installation &Installed) {
  if (Given.Cflags + Given.FlangFlags + Given.Libs + Given.Plugin != 1)
    return Failure{"config wants one of --cflags, --flang-flags, --libs and --plugin"};
  if (Given.Static && !Given.Libs)
    return Failure{"config --static goes with --libs"};
  MEMSHAPE_TRY(std::filesystem::path Libraries, Installed.libraries());
  if (!Given.Clang.empty()) {
    std::filesystem::path Module = Libraries / ("memshape-" + Given.Clang + ".so");
    std::error_code Ignored;
    if (!std::filesystem::is_regular_file(Module, Ignored))
      return Failure{"this installation has no module for clang " + Given.Clang + ": '" + Module.string() +
                     "' is missing"};
  }
  std::string Loader = (Libraries / "memshape").string();
  if (Given.FlangFlags) // names of arguments, and what is behind them, are debug information's alone
    return "-g -fpass-plugin=" + Loader + "-pass.so\n";
  if (Given.Plugin)
    return Loader + "\n";
  if (Given.Static) {
    std::string Flags;
    for (const char *Function : {"malloc", "free", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign",
                                 "posix_memalign", "valloc", "pvalloc"})
      Flags += std::string("-Wl,--wrap=") + Function + " ";
    return Flags + (Libraries / "libmemshape_rt_wrapped.a").string() + "\n";
  }
  if (Given.Libs)
    // The hooks are weak: without --no-as-needed a linker would leave the runtime out.
    return "-L" + Libraries.string() + " -Wl,-rpath," + Libraries.string() +
           " -Wl,--push-state,--no-as-needed -lmemshape_rt -Wl,--pop-state\n";
  MEMSHAPE_TRY(std::filesystem::path Headers, Installed.headers());
  return "-fplugin=" + Loader + " -I" + Headers.string() + "\n";
}

} // namespace

Run describeConfig(Options &On) {
  const auto Options = std::make_shared<ConfigOptions>();
  On.flag("--cflags", Options->Cflags, "flags to compile with");
  On.flag("--flang-flags", Options->FlangFlags,
          "flags to compile Fortran with; MEMSHAPE_OPERATORS=a,b names operators");
  On.flag("--libs", Options->Libs, "flags to link with");
  On.flag("--static", Options->Static, "with --libs: for a program that is linked with -static");
  On.flag("--plugin", Options->Plugin, "path to give to -fplugin=");
  On.add("--clang", Options->Clang, "check that this clang has a module here, as in 22");
  return [Options](const Context &In) { return deliver(configText(*Options, In.Installed)); };
}

} // namespace memshape
