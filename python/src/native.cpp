//===- native.cpp - The module memshape._native ---------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bindings.h"

NB_MODULE(_native, Module) {
  Module.doc() = "What memshape takes from C and C++. Use the package memshape instead.";
  bindPredictions(Module);
  bindPlanning(Module);
  bindScheduling(Module);
  bindCounting(Module);
  bindSpilling(Module);
}
