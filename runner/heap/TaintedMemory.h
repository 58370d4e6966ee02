//===- TaintedMemory.h - Bytes that data may be written to ----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A set of ranges of addresses. What is tainted stays so until a new block takes its place. Every answer errs on the
// side of taint: where there are too many ranges, or one that has no end, all of memory is tainted.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_TAINTEDMEMORY_H
#define MEMSHAPE_SKELETON_TAINTEDMEMORY_H

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

  /// Those that are, or begin, behind From and before End: the first, and one behind the last.
  std::pair<std::size_t, std::size_t> between(std::uintptr_t From, std::uintptr_t End) const;

  std::vector<Range> Ranges; ///< by address; they neither meet nor touch
  bool Everything = false;
};

} // namespace memshape

#endif // MEMSHAPE_SKELETON_TAINTEDMEMORY_H
