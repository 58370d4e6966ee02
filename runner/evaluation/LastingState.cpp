// What a call leaves to the next one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/evaluation/LastingState.h"

#include <algorithm>
#include <cstring>

using namespace memshape;

/// More is not looked through: it would take longer than the call.
static constexpr std::uint64_t MostBytes = std::uint64_t(64) << 20;

static std::uint64_t wordAt(const char *At, std::uint64_t Room) {
  std::uint64_t Word = 0;
  std::memcpy(&Word, At, std::min<std::uint64_t>(sizeof(Word), Room));
  return Word;
}

/// The block that Address lies in or ends; null where there is none. Blocks are numbered as they are found.
const std::pair<const std::uintptr_t, LastingState::Known> *LastingState::blockAround(std::uintptr_t Address) {
  auto At = Blocks.upper_bound(Address);
  if (At != Blocks.begin() && Address - (--At)->first <= At->second.Bytes)
    return &*At;
  Heap::Around Found = Memory.around(reinterpret_cast<const void *>(Address));
  Lost |= Found.Far;
  if (!Found.Begin)
    return nullptr;
  if (Found.Number)
    Parts.push_back({static_cast<const char *>(Found.Begin), Found.Bytes});
  State.add(Found.Bytes);
  State.add(Memory.Figures.spaceOf(Found.Site));
  return &*Blocks.try_emplace(reinterpret_cast<std::uintptr_t>(Found.Begin), Known{Found.Bytes, Blocks.size()}).first;
}

/// A pointer counts as the block and the offset in it; one to a block that is gone leads nowhere.
void LastingState::addWord(std::uint64_t Word) {
  if (!Memory.reaches(reinterpret_cast<const void *>(Word))) {
    Strays |= Memory.mayLeadTo(Word);
    return State.add(Word);
  }
  const auto *Block = blockAround(Word);
  Strays |= !Block && Memory.mayLeadTo(Word);
  State.add(Block ? 1 : 2);
  if (Block) {
    State.add(Block->second.Number);
    State.add(Word - Block->first);
  }
}

/// Adds the parts that were not looked at; those that they lead to come behind them.
void LastingState::addParts() {
  for (; Next < Parts.size() && !Lost; ++Next) {
    const auto [Begin, Bytes] = Parts[Next];
    if (Bytes > MostBytes - Seen) {
      Lost = true;
      return;
    }
    Seen += Bytes;
    for (std::uint64_t At = 0; At < Bytes; At += sizeof(std::uint64_t))
      addWord(wordAt(Begin + At, Bytes - At));
    // Pointers of packed structures: their blocks count, too.
    for (std::uint64_t At = 1; At + sizeof(std::uint64_t) <= Bytes; ++At)
      if (const auto *Address = reinterpret_cast<const char *>(wordAt(Begin + At, Bytes - At));
          At % sizeof(std::uint64_t) != 0 && Memory.reaches(Address))
        addWord(reinterpret_cast<std::uintptr_t>(Address));
  }
}

void LastingState::releaseOthers() {
  addParts();
  std::vector<char *> Others;
  Memory.eachBlock([&](char *Block) {
    if (!Blocks.contains(reinterpret_cast<std::uintptr_t>(Block)))
      Others.push_back(Block);
  });
  Heap::Fault Problem = Heap::Fault::None;
  for (char *Block : Others)
    if (!Lost)
      Memory.release(Block, /*Counted=*/false, Problem);
}

std::optional<std::uint64_t> LastingState::hash() {
  addParts();
  if (Strays) {
    Lost |= !Memory.eachBlock([&](char *Block) { blockAround(reinterpret_cast<std::uintptr_t>(Block)); });
    addParts();
  }
  return Lost ? std::nullopt : std::optional(State.value().First);
}
