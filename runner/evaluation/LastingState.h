// What a call leaves to the next one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A skeleton is a function from the state that a call finds to the state that it leaves: its variables, and the blocks
// that they lead to. If both are equal, each later call finds the same and does the same, however many there are.
//
// Blocks count by the way that leads to them, not by their address: a call that frees a block and makes one like it
// leaves what it has found. Where a number is near to blocks and lies in none, as that of an array that begins at 1, it
// may lead to any of them: then all count.

#pragma once

#include "runner/heap/Heap.h"
#include "runner/states/StateHash.h"

#include <map>
#include <optional>
#include <vector>

namespace memshape {

class LastingState {
public:
  explicit LastingState(Heap &Memory) : Memory(Memory) {}

  /// Of these variables.
  template <class Data> LastingState(Heap &Memory, const std::vector<Data> &Variables) : Memory(Memory) {
    for (const Data &Each : Variables)
      add(Each.Address, Each.Contents.size());
  }

  /// A variable that outlives calls.
  void add(const char *Variable, std::uint64_t Bytes) { Parts.push_back({Variable, Bytes}); }

  /// A hash of the variables and of all that they lead to; nothing where that is more than can be looked through.
  std::optional<std::uint64_t> hash();

  /// Frees blocks that they do not lead to, as a call does that ends half-way.
  void releaseOthers();

private:
  struct Part {
    const char *Begin;
    std::uint64_t Bytes;
  };
  struct Known {
    std::uint64_t Bytes, Number;
  };
  void addWord(std::uint64_t Word);
  void addParts();
  const std::pair<const std::uintptr_t, Known> *blockAround(std::uintptr_t Address);

  Heap &Memory;
  std::vector<Part> Parts;                ///< variables, then blocks in the order in which they are found
  std::map<std::uintptr_t, Known> Blocks; ///< by where they begin
  std::size_t Next = 0;                   ///< of Parts
  std::uint64_t Seen = 0;                 ///< bytes
  bool Strays = false;                    ///< a number may be made a pointer to any block
  bool Lost = false;                      ///< a pointer was not followed
  StateHash State;
};

} // namespace memshape
