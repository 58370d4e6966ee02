// Bodies of Rust's standard library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitcode of a crate only declares what std does not offer for inlining. The toolchain's libraries hold bitcode beside
// their machine code, for link-time optimisation. Names of functions contain a hash of their crate and its compiler, so
// that a body of another toolchain is never taken.

#pragma once

#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace memshape {

/// The rustc that compiled M, as it tells: "1.95.0 (59807616e 2026-04-14)"; "" where another front end did.
llvm::StringRef rustRelease(const llvm::Module &M);

/// Gives M the bodies of what it calls, and they call, in the libraries of its rustc: that of $RUSTC, of $PATH, or of
/// Cargo's folder. Left out is what never returns, and what a summary or a role tells more about. Returns the names of
/// what was added; nothing where no such toolchain is found.
std::vector<std::string> addStandardBodies(llvm::Module &M);

/// Whether M calls functions of Rust that it does not have.
bool lacksStandardBodies(const llvm::Module &M);

/// Leaves declarations of what was added: a program that is linked has it from the library.
void dropStandardBodies(llvm::Module &M, const std::vector<std::string> &Names);

} // namespace memshape
