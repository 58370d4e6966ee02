// Blocks with memory behind them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One reserved window of address space holds all blocks that a skeleton, or a library that it calls for real, may read
// and write. Fresh memory is zero and reused memory is zeroed. Addresses depend on the sequence of calls alone. So an
// evaluation gives the same answer each time.
//
// window:  | small chunks … | large chunks …                                 |
// chunk:   | (padding) Header block |
//
// A chunk has one of ~200 sizes (multiples of 16 B up to 1 KiB, then four per doubling), with a free list per size.
// Large chunks (64 KiB and more) are returned to the kernel.

#pragma once

#include "runner/protocol/Places.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

namespace memshape {

class BackedBlocks {
public:
  /// Directly in front of a block. 32 bytes, so that blocks keep malloc's alignment of 16.
  struct alignas(16) Header {
    std::uint64_t Bytes;
    std::int32_t Site;
    std::uint32_t Number; ///< of the block, from 1
    std::uint64_t SizeClass : 8;
    std::uint64_t Padding : 56; ///< from the start of the chunk to the block
    std::uint64_t Seal;         ///< the block's address mixed with a constant, while the block lives
  };

  /// Reserves the window. AddressSpaceBytes limits it; 0: no limit. False where the kernel gives no address space.
  bool open(std::uint64_t AddressSpaceBytes);

  bool owns(const void *Block) const {
    return reinterpret_cast<std::uintptr_t>(Block) - reinterpret_cast<std::uintptr_t>(Window) < WindowBytes;
  }

  /// Zeroed memory; null where the window has no room. Alignment: a power of two, or 0.
  void *allocate(std::uint64_t Bytes, std::uint64_t Alignment, std::int32_t Site, std::uint32_t Number) {
    if (Bytes >= WindowBytes || Alignment >= WindowBytes)
      return nullptr;
    const std::uint64_t Need = sizeof(Header) + Bytes + (Alignment > 16 ? Alignment : 0);
    std::uint64_t ChunkBytes;
    const unsigned SizeClass = classOf(Need, ChunkBytes);
    char *Chunk = !Order.upwards() && Carved < UsedOnce ? nullptr : FreeLists[SizeClass];
    if (Chunk) {
      FreeChunk Link;
      std::memcpy(&Link, Chunk, sizeof(Link));
      FreeLists[SizeClass] = Link.Next;
      if (Link.Written) {
        returnToKernel(Chunk, ChunkBytes);
        WrittenBytes -= ChunkBytes;
      }
      // The kernel returns a large chunk as zeros, except for the link of the free list.
      std::memset(Chunk, 0, ChunkBytes >= LargeBytes ? sizeof(Link) : Need);
    } else if (!(Chunk = carve(ChunkBytes, Need, Number))) {
      return nullptr;
    }
    const std::uint64_t Start = reinterpret_cast<std::uintptr_t>(Chunk) + sizeof(Header);
    const std::uint64_t Mask = (Alignment > 16 ? Alignment : 16) - 1;
    const std::uint64_t Padding = ((Start + Mask) & ~Mask) - Start + sizeof(Header);
    char *Block = Chunk + Padding;
    *headerOf(Block) = {Bytes, Site, Number, SizeClass, Padding, sealOf(Block)};
    return Block;
  }

  /// The header of the live block that starts at Block, or null.
  Header *find(void *Block) {
    if (!owns(Block) || (reinterpret_cast<std::uintptr_t>(Block) & 15) || static_cast<char *>(Block) < Window + 32)
      return nullptr;
    Header *Found = headerOf(Block);
    return Found->Seal == sealOf(Block) ? Found : nullptr;
  }

  /// Some block has come so far.
  bool reaches(const void *Address) const {
    const auto *At = static_cast<const char *>(Address);
    return (At >= Window && At <= SmallNext) || (At >= LargeBase && At <= LargeNext) ||
           (Carved && At >= Lowest && At <= Highest);
  }

  /// An address of the window that something has been added to or taken from, or one of the window.
  bool mayLeadTo(std::uintptr_t Number) const {
    constexpr std::uint64_t Added = 1 << 20;
    return Number + Added - reinterpret_cast<std::uintptr_t>(Window) < WindowBytes + 2 * Added;
  }

  /// Tells where live blocks begin, by their addresses. False where that is more than can be looked through.
  template <class Function> bool eachBlock(Function Tell) const {
    constexpr std::ptrdiff_t Most = 64 << 20;
    const std::pair<char *, char *> Ranges[] = {
        {Window, SmallNext}, {LargeBase, LargeNext}, {Lowest, Carved ? Highest : Lowest}};
    for (const auto &[From, To] : Ranges) {
      if (To - From > Most)
        return false;
      for (char *At = From + (From ? sizeof(Header) : 0); From && At <= To; At += 16)
        if (headerOf(At)->Seal == sealOf(At))
          Tell(At);
    }
    return true;
  }

  /// The header of the live block that Address lies in, or at whose end, and where the block begins. Or null; Far:
  /// a large block may begin so far below that it was not looked for.
  Header *around(const void *Address, const void *&Begin, bool &Far) const {
    constexpr std::ptrdiff_t Farthest = 1 << 20;
    char *At = Window + ((static_cast<const char *>(Address) - Window) & ~std::ptrdiff_t(15));
    char *const End = At - Window > Farthest ? At - Farthest : Window + sizeof(Header);
    for (; At >= End; At -= 16)
      if (Header *Found = headerOf(At); Found->Seal == sealOf(At)) {
        if (std::uint64_t(static_cast<const char *>(Address) - At) > Found->Bytes)
          return nullptr;
        Begin = At;
        return Found;
      }
    Far = End > Window + sizeof(Header);
    return nullptr;
  }

  /// Frees a block that find() has found.
  void release(void *Block) {
    Header *Head = headerOf(Block);
    const unsigned SizeClass = Head->SizeClass;
    char *Chunk = static_cast<char *>(Block) - Head->Padding;
    Head->Seal = 0;
    FreeChunk Link = {FreeLists[SizeClass], false};
    if (Chunk >= LargeBase) {
      const std::uint64_t ChunkBytes = bytesOf(SizeClass);
      Link.Written = WrittenBytes + ChunkBytes <= MaxWritten;
      if (Link.Written)
        WrittenBytes += ChunkBytes;
      else
        returnToKernel(Chunk, ChunkBytes);
    }
    std::memcpy(Chunk, &Link, sizeof(Link));
    FreeLists[SizeClass] = Chunk;
  }

  /// Bytes that a block may grow to in place.
  std::uint64_t room(void *Block) const {
    const Header *Head = headerOf(Block);
    return bytesOf(Head->SizeClass) - Head->Padding;
  }

  /// Forgets all blocks; addresses start over.
  void reset();

  /// Sets the order in which later blocks lie. In orders other than upwards there are gaps between blocks, and freed
  /// memory is not reused soon.
  void place(const Places &Wanted);

  /// The half of the window that blocks reach last; unused as long as no block is there.
  char *upperHalf(std::uint64_t &Bytes) const {
    Bytes = WindowBytes / 2;
    return LargeNext <= Window + WindowBytes - Bytes ? Window + WindowBytes - Bytes : nullptr;
  }

private:
  static constexpr unsigned Classes = 256;
  /// Freed large chunks up to this size are returned to the kernel only when they are reused, or all at once at the
  /// end: each call of the kernel takes longer than a small evaluation.
  static constexpr std::uint64_t MaxWritten = 64 << 20;

  /// Stored in an unused chunk.
  struct FreeChunk {
    char *Next;
    std::uint64_t Written; ///< it may hold something other than zeros
  };

  static Header *headerOf(void *Block) {
    return reinterpret_cast<Header *>(static_cast<char *>(Block) - sizeof(Header));
  }
  static std::uint64_t sealOf(const void *Block) {
    return reinterpret_cast<std::uintptr_t>(Block) ^ 0xb10c5ea11ab1e5edull;
  }

  static unsigned classOf(std::uint64_t Need, std::uint64_t &ChunkBytes) {
    if (Need <= 1024) {
      ChunkBytes = (Need + 15) & ~std::uint64_t(15);
      return unsigned(ChunkBytes >> 4);
    }
    const unsigned Bits = unsigned(std::bit_width(Need - 1)); // 2^(Bits-1) < Need <= 2^Bits
    const std::uint64_t Half = std::uint64_t(1) << (Bits - 1), Quarter = Half >> 2;
    const std::uint64_t Step = (Need - Half + Quarter - 1) >> (Bits - 3);
    ChunkBytes = Half + Step * Quarter;
    return 64 + (Bits - 11) * 4 + unsigned(Step);
  }
  static std::uint64_t bytesOf(unsigned SizeClass) {
    if (SizeClass <= 64)
      return std::uint64_t(SizeClass) << 4;
    const unsigned Bits = 11 + (SizeClass - 65) / 4, Step = (SizeClass - 65) % 4 + 1;
    return (std::uint64_t(1) << (Bits - 1)) + (std::uint64_t(Step) << (Bits - 3));
  }

  char *carve(std::uint64_t ChunkBytes, std::uint64_t Need, std::uint32_t Number);
  char *carveElsewhere(std::uint64_t ChunkBytes, std::uint32_t Number);
  /// Where blocks begin in orders other than upwards: in the middle of the window's upper half.
  char *middle() const { return Window + WindowBytes / 4 * 3 / PageBytes * PageBytes; }
  void returnToKernel(char *Chunk, std::uint64_t ChunkBytes);

  char *Window = nullptr;
  std::uint64_t WindowBytes = 0, PageBytes = 4096;
  std::uint64_t LargeBytes = 0;                     ///< chunks of this size and more are large
  char *SmallNext = nullptr, *SmallDirty = nullptr; ///< below SmallDirty an earlier evaluation may have written
  char *LargeBase = nullptr, *LargeNext = nullptr;
  std::uint64_t WrittenBytes = 0; ///< in free large chunks
  char *FreeLists[Classes] = {};
  /// Blocks in orders other than upwards come from the upper end of the window, which is fresh after each evaluation.
  static constexpr std::uint64_t UsedOnce = 1 << 14;
  Places Order;
  std::uint64_t Carved = 0;                   ///< number of chunks taken from there
  char *Lowest = nullptr, *Highest = nullptr; ///< all of them lie between these
  std::uint64_t LaneBytes = 0;
  char *LaneNext[Places::Lanes] = {};
};

} // namespace memshape
