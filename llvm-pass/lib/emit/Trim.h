//===- Trim.h - The skeleton's module before it is compiled ---------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a module must be, and how it is trimmed to what an evaluation needs. Used where skeletons become machine code:
// by the pass, and by the runner for bitcode that brings none.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_PASS_SKELETON_TRIM_H
#define MEMSHAPE_PASS_SKELETON_TRIM_H

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

/// Makes all definitions private but the entry and the constructors, whose names it returns in the order of their
/// priorities, and drops what one thread that never unwinds has no use for.
bool prepareModule(llvm::Module &Code, bool Unwinding, std::vector<std::string> &Constructors, std::string &Problem);

/// Names that the module needs from elsewhere; weak references are left to the linker.
/// Gives zeros to variables that IsKnown does not know; for a replay, which has to take them for something.
void defineMissingVariables(llvm::Module &Code, const std::function<bool(const std::string &)> &IsKnown);

std::vector<std::string> namesWanted(const llvm::Module &Code);

} // namespace memshape

#endif // MEMSHAPE_PASS_SKELETON_TRIM_H
