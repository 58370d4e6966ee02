// Opens the module for the clang that loads us.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang finds a plugin by its file name, and does not pass it its own version. This object uses no LLVM. When it is
// opened it asks the process for clang's version and opens memshape-<major>-plugin.so from its own directory. Compiled
// with MEMSHAPE_FOR_CLANG it serves one release only.

#include "Modules.h"
#include "plugin/HostVersion.h"

#include <dlfcn.h>
#include <string>

namespace {

/// The result of clang::getClangFullCPPVersion(); "" if the process contains no clang.
std::string hostVersion() {
  // The mangled name with and without the tag of libstdc++'s std::string.
  for (const char *Symbol : {"_ZN5clang22getClangFullCPPVersionB5cxx11Ev", "_ZN5clang22getClangFullCPPVersionEv"})
    if (void *Function = dlsym(RTLD_DEFAULT, Symbol))
      return reinterpret_cast<std::string (*)()>(Function)();
  return "";
}

__attribute__((constructor)) void openForHost() {
  std::string Version = hostVersion();
  if (Version.empty())
    memshape::refuse("only clang can load this plugin, and this program contains no clang");
  int Major = memshape::majorVersion(Version);
#ifdef MEMSHAPE_FOR_CLANG
  if (Major != MEMSHAPE_FOR_CLANG)
    memshape::refuse("this module is for clang " + std::to_string(MEMSHAPE_FOR_CLANG) + ", the compiler is " + Version +
                     "; use -fplugin=<path>/memshape");
#endif
  memshape::openModule("memshape-" + std::to_string(Major) + "-plugin.so", Version);
}

} // namespace
