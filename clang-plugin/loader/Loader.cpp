// Opens the module for the clang that loads us.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang finds a plugin by its file name, and does not pass it its own version. This object uses no LLVM. When it is
// opened it asks the process for clang's version and opens memshape-<major>-plugin.so from its own directory. A
// compiler that went on without the plugin would silently build programs without skeletons, so each failure ends the
// process. Compiled with MEMSHAPE_FOR_CLANG it serves one release only.

#include "plugin/HostVersion.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

namespace {

[[noreturn]] void refuse(const std::string &Why) {
  std::fprintf(stderr, "memshape: error: %s\n", Why.c_str());
  std::fflush(stderr);
  _exit(1);
}

/// The result of clang::getClangFullCPPVersion(); "" if the process contains no clang.
std::string hostVersion() {
  // The mangled name with and without the tag of libstdc++'s std::string.
  for (const char *Symbol : {"_ZN5clang22getClangFullCPPVersionB5cxx11Ev", "_ZN5clang22getClangFullCPPVersionEv"})
    if (void *Function = dlsym(RTLD_DEFAULT, Symbol))
      return reinterpret_cast<std::string (*)()>(Function)();
  return "";
}

/// The directory of the file itself, after symbolic links.
std::string ownDirectory() {
  Dl_info Info;
  char *Path = nullptr;
  if (dladdr(reinterpret_cast<void *>(&ownDirectory), &Info) && Info.dli_fname)
    Path = realpath(Info.dli_fname, nullptr);
  if (!Path)
    refuse("cannot find the folder of the plugin; give its full path: -fplugin=<path>/memshape");
  std::string Directory(Path, std::string(Path).rfind('/'));
  std::free(Path);
  return Directory;
}

__attribute__((constructor)) void openModule() {
  std::string Version = hostVersion();
  if (Version.empty())
    refuse("only clang can load this plugin, and this program contains no clang");
  int Major = memshape::majorVersion(Version);
#ifdef MEMSHAPE_FOR_CLANG
  if (Major != MEMSHAPE_FOR_CLANG)
    refuse("this module is for clang " + std::to_string(MEMSHAPE_FOR_CLANG) + ", the compiler is " + Version +
           "; use -fplugin=<path>/memshape");
#endif
  std::string Module = ownDirectory() + "/memshape-" + std::to_string(Major) + "-plugin.so";
  if (access(Module.c_str(), R_OK) != 0)
    refuse("no module for this compiler (" + Version + "): there is no " + Module +
           "; install memshape for it, or use one of its compilers");
  if (!dlopen(Module.c_str(), RTLD_NOW | RTLD_GLOBAL))
    refuse(std::string("cannot load the module for this compiler: ") + dlerror() + "; reinstall memshape");
}

} // namespace
