// memshape config.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/Installation.h"
#include "tools/memshape/Commands.h"

namespace memshape {

Result<std::string> configText(const ConfigOptions &Options, const Installation &Installed) {
  if (Options.Cflags + Options.Libs + Options.Plugin != 1)
    return Failure{"config wants one of --cflags, --libs and --plugin"};
  if (Options.Static && !Options.Libs)
    return Failure{"config --static goes with --libs"};
  Result<std::filesystem::path> Libraries = Installed.libraries();
  if (!Libraries)
    return Libraries.failure();
  if (!Options.Clang.empty()) {
    std::filesystem::path Module = *Libraries / ("memshape-" + Options.Clang + ".so");
    std::error_code Ignored;
    if (!std::filesystem::is_regular_file(Module, Ignored))
      return Failure{"this installation has no module for clang " + Options.Clang + ": '" + Module.string() +
                     "' is missing"};
  }
  std::string Loader = (*Libraries / "memshape").string();
  if (Options.Plugin)
    return Loader + "\n";
  if (Options.Static) {
    std::string Flags;
    for (const char *Function : {"malloc", "free", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign",
                                 "posix_memalign", "valloc", "pvalloc"})
      Flags += std::string("-Wl,--wrap=") + Function + " ";
    return Flags + (*Libraries / "libmemshape_rt_wrapped.a").string() + "\n";
  }
  if (Options.Libs)
    // The hooks are weak: without --no-as-needed a linker would leave the runtime out.
    return "-L" + Libraries->string() + " -Wl,-rpath," + Libraries->string() +
           " -Wl,--push-state,--no-as-needed -lmemshape_rt -Wl,--pop-state\n";
  Result<std::filesystem::path> Headers = Installed.headers();
  if (!Headers)
    return Headers.failure();
  return "-fplugin=" + Loader + " -I" + Headers->string() + "\n";
}

} // namespace memshape
