// Freed memory that the allocator does not give back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// glibc maps each large block by itself and unmaps it when it is freed - the first time. From then on, blocks up to
// that size lie in its arena (malloc/malloc.c: the dynamic threshold of mmap). Free memory of the arena stays resident,
// unless it is at the arena's end and larger than twice that size:
//
//   malloc(4 MB), free   mapped, given back; the threshold is 4 MB from here
//   malloc(3 MB), free   from the arena: 3 MB are free and still in memory
//   malloc(5 MB)         mapped: 8 MB are in memory, 5 of them live
//
// Simulates this layout for the large blocks of one call of a fresh process: best fit, free neighbours joined. Smaller
// blocks are left out: their memory is soon reused.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace memshape {

class KeptBlocks {
public:
  /// M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of glibc when a process starts, and what it leaves at the end of its arena.
  static constexpr std::uint64_t FirstThreshold = 128 << 10, TopPad = 128 << 10;
  /// DEFAULT_MMAP_THRESHOLD_MAX: larger blocks are always mapped.
  static constexpr std::uint64_t MostThreshold = 32 << 20;

  /// A process that has freed nothing.
  void begin();

  /// A large block is requested. Returns how many bytes at its place are in memory already.
  std::uint64_t allocate(std::uintptr_t At, std::uint64_t Bytes);
  /// A block is freed, of which Resident bytes are in memory.
  void release(std::uintptr_t At, std::uint64_t Bytes, std::uint64_t Resident);
  /// A block is reallocated: mapped blocks keep their pages, others are copied.
  std::uint64_t reallocate(std::uintptr_t Old, std::uint64_t Resident, std::uintptr_t At, std::uint64_t Bytes);

  /// Bytes in memory that belong to no block.
  std::int64_t kept() const { return Free; }

private:
  /// A part of the arena; free where Block is 0.
  struct Chunk {
    std::uint64_t Bytes = 0, Resident = 0;
    std::uintptr_t Block = 0;
  };
  static constexpr std::size_t MostChunks = 256;

  std::size_t find(std::uintptr_t Block) const;
  void insert(std::size_t Index, const Chunk &New);
  void erase(std::size_t Index);
  void join(std::size_t Index);

  std::array<Chunk, MostChunks> Chunks = {}; ///< in the order of their addresses
  std::size_t Used = 0;
  std::uint64_t Threshold = FirstThreshold;
  std::int64_t Free = 0;
};

} // namespace memshape
