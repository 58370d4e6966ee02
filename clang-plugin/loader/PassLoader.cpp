// The file that -fpass-plugin= names for front ends without plugins of their own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It uses nothing of LLVM: it asks the compiler that opens it for the release, and hands on what memshape-pass-N.so of
// its own folder says.

#include "Modules.h"

#include <dlfcn.h>

static void *openForHost() {
  using AskVersion = void (*)(unsigned *, unsigned *, unsigned *);
  unsigned Major = 0, Minor = 0, Patch = 0;
  if (const auto Ask = reinterpret_cast<AskVersion>(dlsym(RTLD_DEFAULT, "LLVMGetVersion")))
    Ask(&Major, &Minor, &Patch);
  else
    memshape::refuse("only a compiler of LLVM can load this plugin");
  return memshape::openModule("memshape-pass-" + std::to_string(Major) + ".so", "LLVM " + std::to_string(Major));
}

/// The module's own function returns a structure whose size depends on the release. On x86-64 the caller hands over the
/// address of the room for it, and gets it back.
extern "C" __attribute__((visibility("default"))) void *llvmGetPassPluginInfo(void *Into) {
  void *Entry = dlsym(openForHost(), "llvmGetPassPluginInfo");
  if (!Entry)
    memshape::refuse("the module for this compiler is damaged; reinstall memshape");
  return reinterpret_cast<void *(*)(void *)>(Entry)(Into);
}
