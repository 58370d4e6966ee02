// A call as if a line were changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The heap gives and takes blocks as ever. What they count is told by TriedChange.

#include "runner/evaluation/Evaluation.h"

using namespace memshape;

static TriedChange::Block blockAt(const void *Block, std::int32_t Site, std::uint64_t Bytes) {
  return {reinterpret_cast<std::uintptr_t>(Block), Site, Bytes};
}

void *Evaluation::allocateTried(Heap::Request Wanted, Heap::Fault &Problem) {
  Wanted.Counted = false;
  void *Block = Memory.allocate(Wanted, Problem);
  if (!Block)
    return nullptr;
  if (!Memory.Figures.knows(Wanted.Site))
    return Problem = Heap::Fault::UnknownSite, nullptr;
  const OwnWork Here;
  for (const auto &[Site, Bytes] : Tried->freedBefore(Wanted.Site))
    Memory.Figures.release(Site, Bytes);
  if (!Memory.Figures.allocate(Wanted.Site,
                               Tried->allocated(blockAt(Block, Wanted.Site, Wanted.Bytes), Wanted.Announced)))
    Problem = Heap::Fault::Overflow;
  return Block;
}

void *Evaluation::reallocateTried(void *Block, Heap::Request Wanted, Heap::Fault &Problem) {
  if (!Block)
    return allocateTried(Wanted, Problem);
  if (!Wanted.Bytes)
    return releaseTried(Block, Problem), nullptr;
  const Heap::Around Old = Memory.around(Block);
  if (Old.Begin != Block)
    return Problem = Heap::Fault::NotABlock, nullptr;
  Wanted.Counted = false;
  void *Moved = Memory.reallocate(Block, Wanted, Problem);
  if (!Moved || Problem != Heap::Fault::None)
    return Moved;
  if (!Memory.Figures.knows(Wanted.Site))
    return Problem = Heap::Fault::UnknownSite, nullptr;
  const OwnWork Here;
  for (const auto &[Site, Bytes] : Tried->freedBefore(Wanted.Site))
    Memory.Figures.release(Site, Bytes);
  const std::uint64_t Adds = Tried->allocated(blockAt(Moved, Wanted.Site, Wanted.Bytes), Wanted.Announced);
  const std::uint64_t TakesAway = Tried->released(blockAt(Block, Old.Site, Old.Bytes), /*Moved=*/true);
  if (!Memory.Figures.reallocate(Old.Site, TakesAway, Wanted.Site, Adds))
    Problem = Heap::Fault::Overflow;
  return Moved;
}

void Evaluation::releaseTried(void *Block, Heap::Fault &Problem) {
  const Heap::Around Gone = Memory.around(Block);
  Memory.release(Block, /*Counted=*/false, Problem);
  if (Gone.Begin != Block || Problem != Heap::Fault::None)
    return;
  const OwnWork Here;
  Memory.Figures.release(Gone.Site, Tried->released(blockAt(Block, Gone.Site, Gone.Bytes)));
}

/// How far its block is written, seen from its first byte.
void Evaluation::touchTried(const void *Block, const TouchedMemory::Rows &Written) {
  const auto *At = static_cast<const char *>(Block);
  const bool Below = Written.Bytes == TouchedMemory::Below, Whole = Written.Bytes == TouchedMemory::Whole;
  if (!Memory.reaches(At) || (!Below && !Whole && (std::int64_t(Written.Bytes) <= 0 || !Written.Count)))
    return;
  const Heap::Around There = Memory.around(Below ? At - 1 : At);
  if (!There.Begin)
    return;
  std::uint64_t Rows = 0, Bytes = std::uint64_t(At - static_cast<const char *>(There.Begin));
  if (Whole ||
      (!Below && (__builtin_mul_overflow(Written.Count - 1, Written.Stride, &Rows) ||
                  __builtin_add_overflow(Bytes, Rows, &Bytes) || __builtin_add_overflow(Bytes, Written.Bytes, &Bytes))))
    Bytes = UINT64_MAX;
  const OwnWork Here;
  Tried->touched(reinterpret_cast<std::uintptr_t>(There.Begin), Bytes);
}
