// What of the requested memory is written.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages that are never written take no memory. This class follows how much of each large block, and of the caller's
// tensors, is written, and the greatest sum over time. It is an upper estimate in bytes: rows that are a page or more
// apart count by themselves, everything else as the range from its first to its last byte. A block counts with all its
// bytes if it is small, because it shares pages with others, or if not all of its writers are known. Added to this is
// what the allocator keeps of freed blocks: see KeptBlocks.h.

#pragma once

#include "memshape/SkeletonAbi.h"
#include "runner/heap/KeptBlocks.h"

#include <array>
#include <cstdint>
#include <optional>

namespace memshape {

class TouchedMemory {
public:
  /// Smaller blocks are not mapped one by one (M_MMAP_THRESHOLD of glibc).
  static constexpr std::uint64_t LargeBytes = 128 << 10;
  static constexpr std::uint64_t PageBytes = 4096;
  static constexpr std::uint64_t Whole = MEMSHAPE_SK_WHOLE, Below = MEMSHAPE_SK_BELOW;

  /// Rows of Bytes each (or Whole, or Below), Stride apart.
  struct Rows {
    std::uint64_t Bytes, Stride, Count;
  };

  /// Starts a call: all figures are zero from here; what is known of blocks stays.
  void begin();
  /// Forgets every block.
  void forget() { Used = 0; }

  void allocate(std::uintptr_t At, std::uint64_t Bytes, bool Announced, bool Counted) {
    const std::uint64_t There = Counted && Bytes >= LargeBytes ? Kept.allocate(At, Bytes) : 0;
    if (Announced && Bytes >= LargeBytes && insert({At, Bytes, {}, There})) {
      Beneath += std::int64_t(There);
      return;
    }
    if (Counted)
      Live += std::int64_t(Bytes);
    raise();
  }
  void release(std::uintptr_t At, std::uint64_t Bytes, bool Counted) {
    Block Gone;
    const std::uint64_t Written = Bytes >= LargeBytes && take(At, Gone) ? Gone.Known.written() : Bytes;
    if (!Counted)
      return;
    Live -= std::int64_t(Written);
    Beneath -= std::int64_t(Gone.beneath());
    if (Bytes >= LargeBytes)
      Kept.release(At, Bytes, Written + Gone.beneath());
  }
  /// What was written of the old block counts as written of the new one.
  void reallocate(std::uintptr_t Old, std::uint64_t OldBytes, std::uintptr_t At, std::uint64_t Bytes, bool Announced,
                  bool Counted);

  void touch(std::uintptr_t At, const Rows &Written) {
    if (Used)
      add(At, Written);
  }
  void touchTensor(std::uint32_t Number, std::uint64_t Offset, const Rows &Written);
  /// The skeleton reports every write to a tensor.
  void reportsTensors() { TensorsTold = true; }
  /// Bytes that live for a moment beside what lives now.
  void addTransient(std::int64_t Bytes) { raise(Bytes); }
  /// The order of allocations and frees may differ from this one, so the sums are unknown.
  void giveUp() { Ordered = false; }

  /// Greatest sum over time; nothing where it is not known. With tensors: of blocks and tensors together.
  std::optional<std::int64_t> blocks() const;
  std::optional<std::int64_t> blocksAndTensors() const;
  /// How much higher that is with what glibc keeps of freed blocks.
  std::optional<std::int64_t> kept() const;

private:
  struct Extent {
    std::uint64_t Low = 0, High = 0, Sum = 0;
    std::uint64_t written() const { return High - Low < Sum ? High - Low : Sum; }
    void add(std::uint64_t Offset, const Rows &Written, std::uint64_t Bytes);
  };
  struct Block {
    std::uintptr_t At = 0;
    std::uint64_t Bytes = 0;
    Extent Known = {};
    std::uint64_t There = 0; ///< bytes that were resident at its place before it was allocated
    std::uint64_t beneath() const { return There > Known.written() ? There - Known.written() : 0; }
  };
  static constexpr std::size_t MostBlocks = 1024, MostTensors = 64;

  std::size_t position(std::uintptr_t At) const;
  bool take(std::uintptr_t At, Block &Taken);
  void add(std::uintptr_t At, const Rows &Written);
  bool insert(const Block &New);
  void raise(std::int64_t Beside = 0) {
    if (Live + Beside > BlockPeak)
      BlockPeak = Live + Beside;
    if (Live + Beside + TensorBytes > Peak)
      Peak = Live + Beside + TensorBytes;
    const std::int64_t Resident = Live + Beside + Beneath + Kept.kept();
    if (Resident > ResidentBlockPeak)
      ResidentBlockPeak = Resident;
    if (Resident + TensorBytes > ResidentPeak)
      ResidentPeak = Resident + TensorBytes;
  }

  std::array<Block, MostBlocks> Blocks = {}; ///< large reported blocks, sorted by address
  std::size_t Used = 0;
  std::size_t Last = 0; ///< the block of the last reported write
  std::array<Extent, MostTensors> Tensors = {};
  std::int64_t Live = 0, TensorBytes = 0, BlockPeak = 0, Peak = 0;
  KeptBlocks Kept;
  std::int64_t Beneath = 0; ///< bytes resident at the places of blocks that these have not written yet
  std::int64_t ResidentBlockPeak = 0, ResidentPeak = 0;
  bool TensorsTold = false, Ordered = true;
};

} // namespace memshape
