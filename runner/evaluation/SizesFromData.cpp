// Sizes that data decide within bounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A skeleton passes such a size with its least and greatest value; the request says which one is used.

#include "runner/evaluation/Evaluation.h"
#include "runner/evaluation/Exploration.h"

#include <algorithm>

using namespace memshape;

std::uint64_t Evaluation::within(std::uint64_t Value, std::uint64_t Low, std::uint64_t High) const {
  switch (Sizes) {
  case SizesFromData::Least: return Low;
  case SizesFromData::Greatest: return High;
  case SizesFromData::Middle:
    if (High < std::uint64_t(INT64_MAX))
      return Low + (std::max(Low, High) - Low) / 2;
    break;
  case SizesFromData::AsAnswered: break;
  }
  if (InRequest.AnySizeGiven)
    return Value;
  // What nothing bounds is not made a size that fits: it may be no size at all.
  return High < std::uint64_t(INT64_MAX) ? std::max(Low, std::min(Value, High)) : std::max(Low, Value);
}

/// Records a site whose block has no upper bound; false where it has one.
bool Evaluation::withoutBound(Heap::Request &Wanted) {
  // A number below zero, of arithmetic or of ways that do not fit: no memory has so many bytes, and the allocator gives
  // none. A guess tells no size at all.
  const bool IsOfWay = InCall.Decided && !InCall.Guessed && !Building;
  if (Wanted.Bytes > std::uint64_t(INT64_MAX) && (IsOfWay || !InRequest.Wraps.empty()))
    Wanted.Bytes = 0;
  if (Sizes != SizesFromData::Greatest || Wanted.Bytes < std::uint64_t(INT64_MAX))
    return false;
  if (!Building) // what an argument takes is not counted
    cannotExplore("a size comes from data");
  Wanted.Bytes = 0;
  isEndless(Wanted.Site);
  return true;
}

void Evaluation::isEndless(std::int32_t Site) {
  const OwnWork Here;
  if (std::find(InRequest.Endless.begin(), InRequest.Endless.end(), Site) == InRequest.Endless.end())
    InRequest.Endless.push_back(Site);
}

/// Remembers a block of an argument whose size is open.
void *Evaluation::keepOpen(void *Block, bool IsOpen) {
  if (IsOpen && Building) {
    const OwnWork Here;
    if (!InRequest.Open)
      InRequest.Open.emplace();
    InRequest.Open->insert_or_assign(Block, Building);
  }
  return Block;
}

/// The operator gives up a block of its caller, of which nobody knows how many bytes it has. Arguments are numbered
/// downwards, from behind all tensors.
void Evaluation::endOpen(const void *Block) {
  if (!InRequest.Open)
    return;
  const auto Found = InRequest.Open->find(Block);
  if (Found == InRequest.Open->end())
    return;
  if (!Building)
    resizeTensor(UINT32_MAX - Found->second);
  const OwnWork Here;
  InRequest.Open->erase(Found);
}

std::optional<std::uint64_t> Evaluation::extentOf(const void *Block) {
  void *Begin = const_cast<void *>(Block);
  if (Exploring)
    return Exploring->extentOf(Begin);
  Heap::Fault Problem = Heap::Fault::None;
  if (!Block || !Memory.owns(Block) || PhantomBlocks::owns(Block))
    return std::nullopt;
  const std::uint64_t Bytes = Memory.bytesOf(Begin, Problem);
  return Problem == Heap::Fault::None ? std::optional(Bytes) : std::nullopt;
}
