// Memory of blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that are given back are kept for the next of their size: new pages
// from the kernel take as long as a disk needs to fill them. Those of 2 MiB and
// more are in huge pages where the kernel has some: a disk takes a request for
// each run of bytes that lie together in the machine's memory, which makes
// requests of 4 MiB of those that were below 1 MiB. Not for several threads at
// once.

#pragma once

#include <cstdint>
#include <map>

namespace memshape::out_of_core {

class BlockMemory {
public:
  BlockMemory() = default;
  BlockMemory(const BlockMemory &) = delete;
  ~BlockMemory() { trim(0); }

  struct Taken {
    void *At;
    bool IsZero; ///< pages that the kernel gives when they are touched; else with any contents
  };
  /// Of pages. Throws std::bad_alloc.
  Taken take(std::uint64_t Bytes);
  void give(void *At, std::uint64_t Bytes) noexcept;
  /// Leaves no more than that kept.
  void trim(std::uint64_t Bytes);
  std::uint64_t keptBytes() const { return Kept; }

private:
  std::multimap<std::uint64_t, void *> Spare; ///< by size
  std::uint64_t Kept = 0;
};

} // namespace memshape::out_of_core
