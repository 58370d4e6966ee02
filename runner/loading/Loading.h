// From a request to code that can be run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A skeleton comes as bitcode, and mostly also as an object made by the compiler of the program. The object is placed
// in memory (Placement.cpp). If there is none, or it needs an unusual feature of a linker, LLVM is loaded and compiles
// the bitcode (Jit.cpp).

#pragma once

#include "runner/evaluation/Evaluation.h"
#include "runner/evaluation/Symbols.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace memshape {

/// Finds what a name stands for; the string receives the problem if nothing defines it.
using NameSearch = std::function<Symbols::Found(const std::string &, std::string &)>;

/// Code in memory with all its names resolved.
struct PlacedCode {
  struct Range {
    char *Address;
    std::uint64_t Bytes;
  };
  LoadedSkeleton::Function Run = nullptr;
  std::vector<void (*)()> Constructors; ///< in the order in which they run
  std::vector<Range> Writable;
  bool NeedsChild = false; ///< it calls functions that keep state
};

/// The skeleton of a request. Object may be empty. False with a one-line Problem.
bool loadSkeleton(std::string_view Bitcode, std::string_view Object, bool Optimised, Symbols &Names,
                  LoadedSkeleton &Result, std::string &Problem);

enum class Placement {
  Done,
  Unusual, ///< a full linker might link it
  Failed   ///< a name is defined nowhere: Problem says which
};

/// Object is not trusted to be well formed, but its code is run as it is.
Placement placeObject(std::string_view Object, const NameSearch &Names, PlacedCode &Result, std::string &Problem);

/// Compiles and links the bitcode; the code stays until the process ends. False with a one-line Problem; then none of
/// it may be run. This is the one symbol of memshape-jit.so, which is opened only when needed: loading LLVM takes
/// longer than most predictions.
using JitFunction = bool(std::string_view Bitcode, const NameSearch &Names, bool Unwinding, bool Optimised,
                         PlacedCode &Result, std::string &Problem);

inline constexpr char JitModule[] = "memshape-jit.so";
inline constexpr char JitEntry[] = "memshape_jit";

} // namespace memshape
