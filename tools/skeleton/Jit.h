//===- Jit.h - From bitcode to functions in memory -----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles for a quick start, not for quick code: a skeleton is small, and the pass has optimised it already.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_JIT_H
#define MEMSHAPE_SKELETON_JIT_H

#include "Evaluation.h"
#include "Symbols.h"

#include <memory>
#include <string>

namespace memshape {

class Jit {
public:
  Jit();
  ~Jit();

  /// Compiles and links the bitcode. False with a one-line Problem; then nothing of it may be run.
  bool load(std::string_view Bitcode, Symbols &Names, LoadedSkeleton &Result, std::string &Problem);

private:
  struct State;
  std::unique_ptr<State> Held; ///< keeps the code alive
};

} // namespace memshape

#endif // MEMSHAPE_SKELETON_JIT_H
