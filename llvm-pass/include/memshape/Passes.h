//===- Passes.h - Entry point of the pass ---------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_PASSES_H
#define MEMSHAPE_PASSES_H

namespace llvm {
class PassBuilder;
}

namespace memshape {

/// Adds memshape to the pipelines that PB builds, and its names (`memshape`, `memshape-skeleton`, ...) to opt's.
/// Registering twice is harmless: a module is worked on once (module flag).
void registerPasses(llvm::PassBuilder &PB);

} // namespace memshape

#endif // MEMSHAPE_PASSES_H
