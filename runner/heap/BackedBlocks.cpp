// Blocks with memory behind them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reserves the window, and returns memory to the kernel.

#include "runner/heap/BackedBlocks.h"

#include <algorithm>
#include <sys/mman.h>
#include <unistd.h>

using namespace memshape;

bool BackedBlocks::open(std::uint64_t AddressSpaceBytes) {
  const std::uint64_t Page = PageBytes = std::uint64_t(sysconf(_SC_PAGESIZE));
  std::uint64_t Wanted = std::uint64_t(16) << 40;
  if (AddressSpaceBytes)
    Wanted = std::min(Wanted, AddressSpaceBytes / 2);
  void *Reserved = MAP_FAILED;
  for (; Wanted >= std::uint64_t(16) << 20; Wanted /= 2) {
    Reserved = mmap(nullptr, Wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (Reserved != MAP_FAILED)
      break;
  }
  if (Reserved == MAP_FAILED)
    return false;
  // A skeleton touches few pages of its blocks: huge pages would waste memory.
  madvise(Reserved, Wanted, MADV_NOHUGEPAGE);
  Window = static_cast<char *>(Reserved);
  WindowBytes = Wanted / Page * Page;
  // An eighth of a large chunk's size, the step between its size classes, is a multiple of the page.
  LargeBytes = std::max<std::uint64_t>(64 << 10, Page * 8);
  SmallNext = SmallDirty = Window;
  LargeBase = LargeNext = Window + WindowBytes / 8 / Page * Page;
  return true;
}

void BackedBlocks::place(const Places &Wanted) {
  Order = Wanted;
  Carved = 0;
  // From the middle of the window's upper half on, in both directions.
  Lowest = Highest = middle();
  if (Order.upwards())
    return;
  LaneBytes = WindowBytes / 16 / Places::Lanes / PageBytes * PageBytes;
  for (char *&Next : LaneNext) {
    Next = Highest;
    Highest += LaneBytes;
  }
}

char *BackedBlocks::carveElsewhere(std::uint64_t ChunkBytes, std::uint32_t Number) {
  // Gaps of 0 to 2032 bytes; of pages for large chunks, so that they begin where pages do.
  const bool IsLarge = ChunkBytes >= LargeBytes, Below = Order.liesBelow(Number);
  const unsigned Lane = Order.laneOf(Number);
  const std::uint64_t Gap = IsLarge ? 2 * PageBytes : (Carved * 0x9e3779b97f4a7c15 >> 57) * 16;
  const std::uint64_t Room = Below ? std::uint64_t(Lowest - LargeNext) : std::uint64_t(Window + WindowBytes - Highest);
  const auto InPage = [&](const char *At) { return reinterpret_cast<std::uintptr_t>(At) & (PageBytes - 1); };
  const auto CarveAbove = [&](char *&Next) {
    char *Chunk = Next + Gap;
    Chunk -= IsLarge ? InPage(Chunk) : 0;
    Next = Chunk + ChunkBytes;
    ++Carved;
    return Chunk;
  };
  // What is larger than its lane lies beside all of them.
  if (char *End = middle() + (Lane + 1) * LaneBytes;
      ChunkBytes + Gap + PageBytes <= std::uint64_t(End - LaneNext[Lane]))
    return CarveAbove(LaneNext[Lane]);
  if (ChunkBytes + Gap + PageBytes > Room)
    return nullptr;
  if (Below) {
    ++Carved;
    Lowest -= ChunkBytes + Gap;
    Lowest -= IsLarge ? InPage(Lowest) : 0;
    return Lowest;
  }
  return CarveAbove(Highest);
}

char *BackedBlocks::carve(std::uint64_t ChunkBytes, std::uint64_t Need, std::uint32_t Number) {
  if (!Order.upwards())
    return carveElsewhere(ChunkBytes, Number);
  if (ChunkBytes >= LargeBytes) {
    if (ChunkBytes > std::uint64_t(Window + WindowBytes - LargeNext))
      return nullptr;
    char *Chunk = LargeNext;
    LargeNext += ChunkBytes;
    return Chunk;
  }
  if (ChunkBytes > std::uint64_t(LargeBase - SmallNext))
    return nullptr;
  char *Chunk = SmallNext;
  SmallNext += ChunkBytes;
  if (Chunk < SmallDirty)
    std::memset(Chunk, 0, Need);
  return Chunk;
}

/// Clearing a resident page takes a fraction of the time that the kernel takes for a new one. So written pages stay
/// resident while they are few; the next evaluation mostly writes to the same ones.
void BackedBlocks::returnToKernel(char *Chunk, std::uint64_t ChunkBytes) {
  constexpr std::uint64_t MostPages = 4096, MostKept = 1024;
  const std::uint64_t Pages = (ChunkBytes + PageBytes - 1) / PageBytes;
  unsigned char Resident[MostPages];
  if (Pages <= MostPages && mincore(Chunk, ChunkBytes, Resident) == 0 &&
      std::uint64_t(std::count_if(Resident, Resident + Pages, [](unsigned char R) { return R & 1; })) <= MostKept) {
    for (std::uint64_t Page = 0; Page < Pages; ++Page)
      if (Resident[Page] & 1)
        std::memset(Chunk + Page * PageBytes, 0, PageBytes);
    return;
  }
  madvise(Chunk, ChunkBytes, MADV_DONTNEED);
}

void BackedBlocks::reset() {
  constexpr std::int64_t KeptDirty = 4 << 20;
  SmallDirty = std::max(SmallDirty, SmallNext);
  if (SmallDirty - Window > KeptDirty) {
    madvise(Window, (std::uint64_t(SmallDirty - Window) + PageBytes - 1) / PageBytes * PageBytes, MADV_DONTNEED);
    SmallDirty = Window;
  }
  SmallNext = Window;
  if (LargeNext != LargeBase)
    returnToKernel(LargeBase, std::uint64_t(LargeNext - LargeBase));
  LargeNext = LargeBase;
  if (Carved) {
    char *const Start = Lowest - (reinterpret_cast<std::uintptr_t>(Lowest) & (PageBytes - 1));
    madvise(Start, (std::uint64_t(Highest - Start) + PageBytes - 1) / PageBytes * PageBytes, MADV_DONTNEED);
    place({});
  }
  WrittenBytes = 0;
  std::memset(FreeLists, 0, sizeof(FreeLists));
}
