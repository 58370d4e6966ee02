// The heap that a skeleton sees.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reallocation and questions about blocks.

#include "runner/heap/Heap.h"

#include <algorithm>

using namespace memshape;

/// Copies into zeroed memory without touching pages of To whose content is zero, so that moving an unwritten block
/// makes no page resident.
static void copyWhatIsNotZero(char *To, const char *From, std::uint64_t Bytes) {
  constexpr std::uint64_t Step = 4096;
  static const char Zeros[Step] = {};
  for (std::uint64_t At = 0; At < Bytes; At += Step) {
    const std::uint64_t Part = std::min(Step, Bytes - At);
    if (std::memcmp(From + At, Zeros, Part) != 0)
      std::memcpy(To + At, From + At, Part);
  }
}

void *Heap::reallocate(void *Block, const Request &Wanted, Fault &Problem) {
  if (!Block)
    return allocate(Wanted, Problem);
  if (!Wanted.Bytes) {
    release(Block, Wanted.Counted, Problem);
    return nullptr;
  }
  HeapLock Held(Busy);
  const bool WasPhantom = PhantomBlocks::owns(Block);
  std::uint64_t OldBytes;
  std::int32_t OldSite;
  if (WasPhantom) {
    const PhantomBlocks::Entry *Entry = Phantoms.find(Block);
    if (!Entry)
      return Problem = Fault::NotABlock, nullptr;
    OldBytes = Entry->Bytes, OldSite = Entry->Site;
  } else {
    const BackedBlocks::Header *Head = Backed.find(Block);
    if (!Head)
      return Problem = Fault::NotABlock, nullptr;
    OldBytes = Head->Bytes, OldSite = Head->Site;
  }
  if (Wanted.Counted) {
    if (!Figures.knows(Wanted.Site))
      return Problem = Fault::UnknownSite, nullptr;
    if (!Figures.reallocate(OldSite, OldBytes, Wanted.Site, Wanted.Bytes))
      return Problem = Fault::Overflow, nullptr;
  }
  void *Moved = place(Wanted, Problem);
  if (!Moved)
    return nullptr;
  if (!WasPhantom && !Wanted.Untouched)
    copyWhatIsNotZero(static_cast<char *>(Moved), static_cast<char *>(Block), std::min(OldBytes, Wanted.Bytes));
  Touched.reallocate(addressOf(Block), OldBytes, addressOf(Moved), Wanted.Bytes, Wanted.Announced,
                     Wanted.Counted && isHost(Wanted.Site));
  drop(Block, /*Counted=*/false, Problem, /*Moved=*/true);
  return Moved;
}

std::uint64_t Heap::bytesOf(void *Block, Fault &Problem) {
  HeapLock Held(Busy);
  if (PhantomBlocks::owns(Block)) {
    if (const PhantomBlocks::Entry *Entry = Phantoms.find(Block))
      return Entry->Bytes;
  } else if (const BackedBlocks::Header *Head = Backed.find(Block)) {
    return Head->Bytes;
  }
  Problem = Fault::NotABlock;
  return 0;
}
