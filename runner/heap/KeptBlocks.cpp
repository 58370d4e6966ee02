// Freed memory that the allocator does not give back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/heap/KeptBlocks.h"

#include <algorithm>

using namespace memshape;

constexpr std::uint64_t Page = 4096;

/// A block with its header.
static std::uint64_t chunkOf(std::uint64_t Bytes) { return (Bytes + 8 + 15) / 16 * 16; }
/// The same with pages of its own.
static std::uint64_t mappedChunkOf(std::uint64_t Bytes) { return (chunkOf(Bytes) + 8 + Page - 1) / Page * Page; }

void KeptBlocks::begin() {
  Used = 0;
  Threshold = FirstThreshold;
  Free = 0;
}

/// Index of the chunk of a block; Used where it has none.
std::size_t KeptBlocks::find(std::uintptr_t Block) const {
  std::size_t Index = 0;
  while (Index < Used && Chunks[Index].Block != Block)
    ++Index;
  return Index;
}

void KeptBlocks::insert(std::size_t Index, const Chunk &New) {
  std::copy_backward(Chunks.begin() + std::ptrdiff_t(Index), Chunks.begin() + std::ptrdiff_t(Used),
                     Chunks.begin() + std::ptrdiff_t(Used + 1));
  Chunks[Index] = New;
  ++Used;
}

void KeptBlocks::erase(std::size_t Index) {
  std::copy(Chunks.begin() + std::ptrdiff_t(Index + 1), Chunks.begin() + std::ptrdiff_t(Used),
            Chunks.begin() + std::ptrdiff_t(Index));
  --Used;
}

std::uint64_t KeptBlocks::allocate(std::uintptr_t At, std::uint64_t Bytes) {
  if (Bytes > UINT64_MAX / 2)
    return 0;
  const std::uint64_t Wanted = chunkOf(Bytes);
  std::size_t Best = Used;
  for (std::size_t Index = 0; Index < Used; ++Index)
    if (const Chunk &C = Chunks[Index]; !C.Block && C.Bytes >= Wanted && (Best == Used || C.Bytes < Chunks[Best].Bytes))
      Best = Index;
  if (Best == Used) {
    if (Wanted >= Threshold || Used + 2 > MostChunks)
      return 0; // the block is mapped, or there are too many to follow this one
    // The free end of the arena grows, and the block starts there.
    if (Used && !Chunks[Used - 1].Block)
      Best = Used - 1;
    else
      insert(Used, {});
    Chunks[Best].Bytes = Wanted;
  }
  const std::uint64_t Recycled = std::min(Chunks[Best].Resident, Wanted);
  const Chunk Rest = {Chunks[Best].Bytes - Wanted, Chunks[Best].Resident - Recycled, 0};
  Free -= std::int64_t(Recycled);
  Chunks[Best] = {Wanted, 0, At};
  if (Rest.Bytes && Used < MostChunks)
    insert(Best + 1, Rest);
  else
    Free -= std::int64_t(Rest.Resident);
  return Recycled;
}

/// Joins the free chunk at Index with its free neighbours.
void KeptBlocks::join(std::size_t Index) {
  const auto Take = [this](std::size_t Into) {
    Chunks[Into].Bytes += Chunks[Into + 1].Bytes;
    Chunks[Into].Resident += Chunks[Into + 1].Resident;
    erase(Into + 1);
  };
  if (Index + 1 < Used && !Chunks[Index + 1].Block)
    Take(Index);
  if (Index > 0 && !Chunks[Index - 1].Block)
    Take(Index - 1);
}

void KeptBlocks::release(std::uintptr_t At, std::uint64_t Bytes, std::uint64_t Resident) {
  const std::size_t Index = find(At);
  if (Index == Used) {
    if (const std::uint64_t Mapped = mappedChunkOf(Bytes); Mapped > Threshold && Mapped <= MostThreshold)
      Threshold = Mapped;
    return;
  }
  Chunks[Index].Block = 0;
  Chunks[Index].Resident = std::min(Resident, Chunks[Index].Bytes);
  Free += std::int64_t(Chunks[Index].Resident);
  join(Index);
  Chunk &Last = Chunks[Used - 1];
  const std::uint64_t Trim = Threshold > FirstThreshold ? 2 * Threshold : FirstThreshold;
  if (!Last.Block && Last.Bytes >= Trim) {
    const std::uint64_t Left = std::min(Last.Resident, TopPad);
    Free -= std::int64_t(Last.Resident - Left);
    Last = {TopPad, Left, 0};
  }
}

std::uint64_t KeptBlocks::reallocate(std::uintptr_t Old, std::uint64_t Resident, std::uintptr_t At,
                                     std::uint64_t Bytes) {
  const std::size_t Index = find(Old);
  if (Index == Used)
    return 0;
  const std::uint64_t Recycled = allocate(At, Bytes);
  release(Old, Chunks[find(Old)].Bytes, Resident);
  return Recycled;
}
