// What calls at other shapes leave behind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable that outlives a call holds what earlier calls, at any shapes, have left in it. It is a function of this
// call's shape only if nothing that is stored in it, and no branch that leads to such a store, depends on shapes,
// settings or data. Then each call does the same to it, and after the first call at the asked shape it is as the runner
// finds it. All other uses get a mark, by which the runner notices that the operator executes one.

#pragma once

#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace memshape {

class Simplifier;

/// Marks these uses in M, a slice. Returns a description of each, to be displayed, indexed by the number of the mark.
std::vector<std::string> markRememberedShapes(llvm::Module &M, llvm::Function &Root, Simplifier &Simplify);

/// Names, to be displayed, of the variables of M that a call may change, or what they lead to.
std::vector<std::string> changingVariables(const llvm::Module &M);

} // namespace memshape
