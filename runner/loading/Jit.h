// From bitcode to functions in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles without optimisation, to start quickly: a skeleton is small, and the pass has already optimised it.

#pragma once

#include "runner/loading/Loading.h"

namespace memshape {

/// Compiles and links the bitcode; the code stays until the process ends. False with a one-line Problem; then none of
/// it may be run. This is the one symbol of memshape-jit.so, which is opened only when needed: loading LLVM takes
/// longer than most predictions.
using JitFunction = bool(std::string_view Bitcode, const NameSearch &Names, bool Unwinding, bool Optimised,
                         PlacedCode &Result, std::string &Problem);

inline constexpr char JitModule[] = "memshape-jit.so";
inline constexpr char JitEntry[] = "memshape_jit";

} // namespace memshape
