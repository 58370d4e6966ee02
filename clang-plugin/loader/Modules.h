// Modules that lie beside the file that a compiler opens.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiler that went on without its module would silently build programs without skeletons, so each failure ends the
// process.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <unistd.h>

namespace memshape {

[[noreturn]] inline void refuse(const std::string &Why) {
  std::fprintf(stderr, "memshape: error: %s\n", Why.c_str());
  std::fflush(stderr);
  _exit(1);
}

/// The directory of the file itself, after symbolic links.
inline std::string ownDirectory() {
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

/// Opens a module for a compiler that calls itself Version.
inline void *openModule(const std::string &Name, const std::string &Version) {
  const std::string Module = ownDirectory() + "/" + Name;
  if (access(Module.c_str(), R_OK) != 0)
    refuse("no module for this compiler (" + Version + "): there is no " + Module +
           "; install memshape for it, or use one of its compilers");
  void *Opened = dlopen(Module.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!Opened)
    refuse(std::string("cannot load the module for this compiler: ") + dlerror() + "; reinstall memshape");
  return Opened;
}

} // namespace memshape
