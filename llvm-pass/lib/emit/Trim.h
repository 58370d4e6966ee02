// The skeleton's module before it is compiled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form that a module must have, and the removal of what an evaluation does not need. Used where skeletons become
// machine code: by the pass, and by the runner for skeletons without machine code.

#pragma once

#include "memshape/SkeletonAbi.h"

#include <functional>
#include <string>
#include <vector>

namespace llvm {
class Module;
class Triple;
} // namespace llvm

namespace memshape {

inline constexpr char EntryName[] = MEMSHAPE_SK_ENTRY;

/// False with a one-line Problem where the module is not a valid skeleton for this machine.
bool checkModule(llvm::Module &Code, const llvm::Triple &Host, std::string &Problem);

/// Makes all definitions private except the entry and the constructors, whose names it returns in the order of their
/// priorities. Removes what a single thread that never unwinds does not need.
bool prepareModule(llvm::Module &Code, bool Unwinding, std::vector<std::string> &Constructors, std::string &Problem);

/// Defines variables of the module that IsKnown does not find elsewhere, with zeros. For a replay, whose variables must
/// have some value.
void defineMissingVariables(llvm::Module &Code, const std::function<bool(const std::string &)> &IsKnown);

/// Has the code count its instructions at the entry of each function, at the head of each loop and before each copy of
/// memory. Does nothing in a module that already counts.
void countWork(llvm::Module &Code);

std::vector<std::string> namesWanted(const llvm::Module &Code);

} // namespace memshape
