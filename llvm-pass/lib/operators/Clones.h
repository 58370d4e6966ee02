//===- Clones.h - Functions compiled for several processors ---------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// __attribute__((target_clones("avx2", "default"))) makes an ifunc of a function's name, and a clone of its body for
// each processor; the program takes one when it starts. They compute the same, so the one for any processor stands for
// all. An ifunc with a resolver of the user's own is another matter: it chooses among functions that may differ.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_CLONES_H
#define MEMSHAPE_CLONES_H

#include "llvm/IR/Module.h"

namespace memshape {

/// The clones that Chooser stands for, that for any processor first; none where they were not made from one body.
llvm::SmallVector<llvm::Function *, 4> clonesOf(const llvm::GlobalIFunc &Chooser);

} // namespace memshape

#endif // MEMSHAPE_CLONES_H
