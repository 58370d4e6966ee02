//===- WorkCounter.h - How much a skeleton has done -------------*- C++ -*-===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A prediction may not take for ever, and what it says may not depend on what else the machine does: the code itself
// counts its instructions, a loop at a time, and asks the runner to end it where it has none left.
//
//     memshape_sk_work -= instructions of an iteration;
//     if (memshape_sk_work < 0)
//       memshape_sk_tired();
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_PASS_SKELETON_WORKCOUNTER_H
#define MEMSHAPE_PASS_SKELETON_WORKCOUNTER_H

#include "llvm/IR/Module.h"

namespace memshape {

/// At the entry of each function, at the head of each loop and in front of each copy of memory. Does nothing in a
/// module that counts already.
void countWork(llvm::Module &Code);

} // namespace memshape

#endif // MEMSHAPE_PASS_SKELETON_WORKCOUNTER_H
