// Bytes and counts by call stack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"
#include "memshape/profiles.h"

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memshape {

struct Footprint;
struct Skeleton;

/// A function on the way to an allocation.
struct StackFrame {
  std::string Function;   ///< "" where it is not known
  std::string File;       ///< "" where it is not known
  std::uint32_t Line = 0; ///< that calls the next function or, in the last frame, allocates; 0 where it is not known
  friend auto operator<=>(const StackFrame &, const StackFrame &) = default;
};

/// The root first.
using Stack = std::vector<StackFrame>;

/// What is counted of a stack. Negative where blocks were freed that others had left, and in differences.
struct StackFigures {
  std::int64_t LiveBytes = 0, LiveBlocks = 0; ///< at the peak
  std::int64_t TotalBytes = 0;                ///< requested in all
  std::int64_t Allocations = 0, Reallocations = 0;

  StackFigures &operator+=(const StackFigures &More);
  std::int64_t of(v1::Sample What) const;
  friend bool operator==(const StackFigures &, const StackFigures &) = default;
};

struct Profile {
  std::string Program;                ///< what was counted: "gst3d ni=400 nx=300", or the path of a program
  std::vector<std::string> Remarks;   ///< for readers
  std::vector<std::string> Omissions; ///< what is not counted
  std::map<Stack, StackFigures> Stacks;
  bool HasChains = true;     ///< otherwise there is nothing between a root and what allocates
  std::uint64_t Started = 0; ///< Unix time in ns; 0 for what never ran

  StackFigures sum() const;
  /// Adds what is missing to Whole under Root, with a frame that says so.
  void complete(const StackFigures &Whole, const StackFrame &Root);
};

/// A name of the linker or of the symbolizer as sites have it: without parameters, type of the result, unnamed scopes and
/// what the compiler has made of the function.
std::string functionName(std::string Function);

/// How a frame is called: its function, else its line.
std::string frameName(const StackFrame &Frame);

/// The functions from Root to Site, which lie below one another: Calls may begin with Root's function, under its name
/// in the source, and end with the site.
Stack stackBelow(const StackFrame &Root, Stack Calls, const StackFrame &Site);

/// "a;b;c"
std::string foldedName(const Stack &Of);

/// A line `a;b;c bytes` for each stack of functions that has any, in their order.
std::string foldedStacks(const Profile &P, v1::Sample What);

/// profile.proto of pprof, gzipped. What is shown first.
std::string pprofProfile(const Profile &P, v1::Sample What);

/// A trace of Perfetto with a heap profile.
std::string perfettoTrace(const Profile &P);

std::string profileText(const Profile &P, v1::ProfileFormat Format, v1::Sample What);

/// Of memshape.prediction/1, memshape.run/1 (of each operator the call that held most), or folded stacks. What: that is
/// wanted; the first two tell bytes at the peak alone, and folded stacks what they were made for. Nothing where Text is
/// neither JSON nor stacks. Messages continue a sentence that begins with the file's name.
std::optional<Result<Profile>> readProfile(std::string_view Text, v1::Sample What);

/// Adds what a call of S takes in a memory space, Heap being the figures of that space; "host" for the heap. The stacks
/// add up to the call's figures: what no site has stands by itself.
void addCall(Profile &To, const Skeleton &S, const Footprint &Heap, const std::string &Space);

} // namespace memshape
