// The module memshape._native.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "bindings.h"

NB_MODULE(_native, Module) {
  Module.doc() = "What memshape takes from C and C++. Use the package memshape instead.";
  bindPredictions(Module);
  bindPlanning(Module);
  bindScheduling(Module);
  bindCounting(Module);
  bindSpilling(Module);
}
