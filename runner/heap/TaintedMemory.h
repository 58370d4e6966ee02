// Bytes that data may be written to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A set of address ranges. Tainted bytes stay tainted until a new block takes their place. Every answer errs towards
// taint: with too many ranges, or one without an end, all of memory is tainted.

#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace memshape {

class TaintedMemory {
public:
  bool empty() const { return Ranges.empty() && !Everything; }
  void reset() {
    Ranges.clear();
    Everything = false;
  }

  void taint(std::uintptr_t From, std::uint64_t Bytes);
  void taintEverything() { Everything = true; }
  /// A new block lies there.
  void clear(std::uintptr_t From, std::uint64_t Bytes);
  /// The contents of From are copied to To.
  void copy(std::uintptr_t From, std::uintptr_t To, std::uint64_t Bytes);
  bool meets(std::uintptr_t From, std::uint64_t Bytes) const;

private:
  struct Range {
    std::uintptr_t Begin, End;
  };
  static constexpr std::size_t MostRanges = 1 << 12;

  /// The ranges that overlap or follow From and begin before End: index of the first, and one past the last.
  std::pair<std::size_t, std::size_t> between(std::uintptr_t From, std::uintptr_t End) const;

  std::vector<Range> Ranges; ///< sorted by address; they neither overlap nor touch
  bool Everything = false;
};

} // namespace memshape
