//===- RememberedShapes.h - What calls at other shapes leave behind ------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A variable that outlives a call is a function of the shape only where earlier calls, at whatever shapes, have left in
// it what this one finds. That is so where nothing that is stored in it, and no branch that leads to such a store,
// depends on shapes, settings or data: then each call does the same to it, and after the first one at the asked shape
// it is as the runner finds it. All other uses get a mark, with which the runner tells whether the operator comes
// there.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_REMEMBEREDSHAPES_H
#define MEMSHAPE_REMEMBEREDSHAPES_H

#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace memshape {

class Simplifier;

/// Marks the uses in M, a slice. Returns what is used, and where, to be displayed, by the numbers of the marks.
std::vector<std::string> markRememberedShapes(llvm::Module &M, llvm::Function &Root, Simplifier &Simplify);

} // namespace memshape

#endif // MEMSHAPE_REMEMBEREDSHAPES_H
