// memshape-pass-N.so, for opt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compat.h"
#include "memshape/Passes.h"

extern "C" LLVM_ATTRIBUTE_WEAK __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "memshape", "1", memshape::registerPasses};
}
