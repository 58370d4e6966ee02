// Blocks of an exploration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/states/ExploredBlocks.h"

#include <algorithm>
#include <bit>
#include <sys/mman.h>

using namespace memshape;

namespace {

/// Ranges of slots, each for one block, as in PhantomBlocks.
struct Slots {
  std::uintptr_t Base;
  unsigned SlotBits, CountBits;
};
constexpr Slots Stretches[] = {
    {std::uintptr_t(1) << 52, 12, 40}, {std::uintptr_t(2) << 52, 30, 22}, {std::uintptr_t(8) << 52, 48, 7}};

} // namespace

/// Between blocks, so that the end of one is never the start of the next.
std::uint64_t ExploredBlocks::gap() const { return Elsewhere ? 80 : 16; }

void ExploredBlocks::open(char *Begin, std::uint64_t ArenaBytes, std::size_t SiteCount, bool LieElsewhere) {
  clear();
  Elsewhere = LieElsewhere;
  Arena = (reinterpret_cast<std::uintptr_t>(Begin) + PageBytes - 1) / PageBytes * PageBytes;
  Sites = SiteCount + 1;
  Stretch = std::bit_floor((ArenaBytes - PageBytes) / Sites);
}

std::uint64_t ExploredBlocks::keyOf(const Block &B) {
  return mixed(B.Address + mixed(B.Bytes + mixed(std::uint64_t(std::int64_t(B.Site)) * 2 + B.Untouched)));
}

std::size_t ExploredBlocks::position(std::uintptr_t Address) const {
  return std::size_t(std::lower_bound(Live.begin(), Live.end(), Address,
                                      [](const Block &B, std::uintptr_t At) { return B.Address < At; }) -
                     Live.begin());
}

std::uintptr_t ExploredBlocks::placeAmongPhantoms(std::uint64_t Span, std::uint32_t SiteIndex) const {
  for (const Slots &S : Stretches) {
    if (Span > std::uint64_t(1) << S.SlotBits && &S != std::end(Stretches) - 1)
      continue;
    const unsigned SiteBits = unsigned(std::bit_width(Sites - 1));
    // With too few slots, all sites share them.
    const bool Shared = SiteBits + 4 > S.CountBits;
    const std::uint64_t Count = std::uint64_t(1) << (Shared ? S.CountBits : S.CountBits - SiteBits);
    std::uintptr_t At = S.Base + (Shared ? 0 : SiteIndex * Count << S.SlotBits);
    const std::uintptr_t End = At + (Count << S.SlotBits), Step = std::uintptr_t(Elsewhere ? 3 : 1) << S.SlotBits;
    for (std::size_t I = position(At); At < End; ++I, At += Step)
      if (I == Live.size() || Live[I].Address != At)
        return At;
  }
  return 0;
}

std::uintptr_t ExploredBlocks::placeInArena(std::uint64_t Bytes, std::uint64_t Alignment,
                                            std::uint32_t SiteIndex) const {
  const bool Large = Bytes >= LargeBytes;
  const std::uint64_t Step = std::max({Alignment, std::uint64_t(16), Large ? PageBytes : 0});
  if (Large)
    Bytes = (Bytes + PageBytes - 1) & ~(PageBytes - 1);
  if (Bytes > Stretch / 2 || Step > Stretch / 4)
    return 0;
  const std::uintptr_t Begin = Arena + SiteIndex * Stretch, End = Begin + Stretch;
  std::uintptr_t At = (Begin + Step - 1) & ~(Step - 1);
  for (std::size_t I = position(Begin); I < Live.size() && Live[I].Address < End; ++I) {
    if (At + Bytes + gap() <= Live[I].Address)
      break;
    std::uintptr_t Behind = Live[I].Address + Live[I].Bytes + gap();
    if (isLarge(Live[I]))
      Behind = (Behind + PageBytes - 1) & ~(PageBytes - 1);
    At = (std::max(At, Behind) + Step - 1) & ~(Step - 1);
  }
  return At + Bytes + gap() <= End ? At : 0;
}

void *ExploredBlocks::allocate(std::uint64_t Bytes, std::uint64_t Alignment, std::int32_t Site, bool Untouched) {
  if (std::size_t(Site + 1) >= Sites)
    return nullptr;
  const auto SiteIndex = std::uint32_t(Elsewhere ? Sites - 2 - std::size_t(Site) : std::size_t(Site + 1));
  const std::uintptr_t At =
      Untouched ? placeAmongPhantoms(std::max(Bytes, Alignment), SiteIndex) : placeInArena(Bytes, Alignment, SiteIndex);
  if (!At)
    return nullptr;
  const Block Made = {At, Bytes, Site, Untouched};
  Live.insert(Live.begin() + std::ptrdiff_t(position(At)), Made);
  Key += keyOf(Made);
  return reinterpret_cast<void *>(At);
}

const ExploredBlocks::Block *ExploredBlocks::find(const void *Address) const {
  const auto Wanted = reinterpret_cast<std::uintptr_t>(Address);
  const std::size_t I = position(Wanted);
  return I < Live.size() && Live[I].Address == Wanted ? &Live[I] : nullptr;
}

const ExploredBlocks::Block *ExploredBlocks::around(const void *Address) const {
  const auto At = reinterpret_cast<std::uintptr_t>(Address);
  const std::size_t Next = position(At + 1); // blocks lie apart
  return Next && At - Live[Next - 1].Address <= Live[Next - 1].Bytes ? &Live[Next - 1] : nullptr;
}

void ExploredBlocks::wipe(const Block &B) {
  if (B.Untouched)
    return;
  auto *Memory = reinterpret_cast<char *>(B.Address);
  if (isLarge(B))
    madvise(Memory, (B.Bytes + PageBytes - 1) & ~(PageBytes - 1), MADV_DONTNEED);
  else
    std::memset(Memory, 0, B.Bytes);
}

void ExploredBlocks::release(const Block &Gone) {
  wipe(Gone);
  Key -= keyOf(Gone);
  Live.erase(Live.begin() + (&Gone - Live.data()));
}

template <class Function> void ExploredBlocks::forContents(const Block &B, Function Do) {
  if (B.Untouched)
    return;
  auto *Memory = reinterpret_cast<char *>(B.Address);
  if (!isLarge(B)) {
    Do(Memory, B.Bytes);
    return;
  }
  // Pages that were never touched read as zeros. Hashes the block page by page.
  constexpr std::uint64_t Pages = 4096;
  unsigned char Resident[Pages];
  for (std::uint64_t At = 0; At < B.Bytes; At += Pages * PageBytes) {
    const std::uint64_t Part = std::min(Pages * PageBytes, B.Bytes - At);
    const bool Known = mincore(Memory + At, Part, Resident) == 0;
    for (std::uint64_t Page = 0; Page * PageBytes < Part; ++Page)
      if (!Known || Resident[Page] & 1)
        Do(Memory + At + Page * PageBytes, PageBytes);
  }
}

void ExploredBlocks::keep(Moment &To) const {
  To.Live = Live;
  To.Key = Key;
  To.Contents.clear();
  for (const Block &B : Live)
    forContents(B, [&](const char *Memory, std::uint64_t Bytes) {
      // The address is part of the hash, because zero pages of large blocks are skipped.
      const char *Head[] = {Memory, reinterpret_cast<const char *>(Bytes)};
      To.Contents.insert(To.Contents.end(), reinterpret_cast<const char *>(Head),
                         reinterpret_cast<const char *>(Head) + sizeof(Head));
      To.Contents.insert(To.Contents.end(), Memory, Memory + Bytes);
    });
}

void ExploredBlocks::goBack(const Moment &To) {
  for (const Block &B : Live)
    wipe(B);
  Live = To.Live;
  Key = To.Key;
  for (std::size_t At = 0; At < To.Contents.size();) {
    char *Head[2];
    std::memcpy(Head, To.Contents.data() + At, sizeof(Head));
    const auto Bytes = reinterpret_cast<std::uint64_t>(Head[1]);
    std::memcpy(Head[0], To.Contents.data() + At + sizeof(Head), Bytes);
    At += sizeof(Head) + Bytes;
  }
}

void ExploredBlocks::addTo(StateHash &State) const {
  State.add(Key);
  State.add(Live.size());
  for (const Block &B : Live) {
    State.add(B.Address);
    State.add(B.Bytes);
    forContents(B, [&](const char *Memory, std::uint64_t Bytes) {
      if (isLarge(B) && std::all_of(Memory, Memory + Bytes, [](char C) { return C == 0; }))
        return; // as a page that was never touched
      State.add(reinterpret_cast<std::uintptr_t>(Memory));
      State.add(Memory, Bytes);
    });
  }
}

void ExploredBlocks::clear() {
  for (const Block &B : Live)
    wipe(B);
  Live.clear();
  Key = 0;
}
