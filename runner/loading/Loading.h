// From a request to code that can be run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A skeleton comes as bitcode, and mostly also as an object made by the compiler of the program. The object is placed
// in memory (Placement.h). If there is none, or it needs an unusual feature of a linker, LLVM is loaded and compiles
// the bitcode (Jit.h).

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

} // namespace memshape
