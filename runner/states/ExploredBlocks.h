// Blocks of an exploration.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The heap of an exploration. The address of a block depends on which other blocks live, not on those that lived
// before. So two paths through an operator that leave the same blocks leave the same addresses and are recognised as
// one state.
//
// Each site has its own range of addresses; a block takes the lowest free place in it. Blocks that the skeleton never
// touches get addresses as in PhantomBlocks; the others lie in memory that is zero while free.

#pragma once

#include "runner/states/StateHash.h"

#include <vector>

namespace memshape {

class ExploredBlocks {
public:
  struct Block {
    std::uintptr_t Address;
    std::uint64_t Bytes;
    std::int32_t Site;
    bool Untouched;
  };

  /// Arena: address space that reads as zeros and that nothing else uses meanwhile. Sites: their number, without the
  /// one of libraries. Elsewhere: no two blocks are as far apart, or of two sites in the order, that they have otherwise.
  void open(char *Arena, std::uint64_t ArenaBytes, std::size_t Sites, bool Elsewhere);

  /// Null where there is no room.
  void *allocate(std::uint64_t Bytes, std::uint64_t Alignment, std::int32_t Site, bool Untouched);
  /// The live block that starts there, or null.
  const Block *find(const void *Address) const;
  /// The live block that Address lies in, or that ends there, or null.
  const Block *around(const void *Address) const;
  void release(const Block &Gone);

  /// The live blocks with their contents.
  struct Moment {
    std::vector<Block> Live;
    std::vector<char> Contents;
    std::uint64_t Key = 0;
  };
  void keep(Moment &To) const;
  void goBack(const Moment &To);
  void addTo(StateHash &State) const;

  /// A hash of the live blocks and their addresses.
  std::uint64_t key() const { return Key; }
  std::size_t count() const { return Live.size(); }
  void clear();

private:
  /// Larger blocks have their own pages, most of which may never be touched.
  static constexpr std::uint64_t LargeBytes = 64 << 10, PageBytes = 4096;

  static bool isLarge(const Block &B) { return B.Bytes >= LargeBytes; }
  static std::uint64_t keyOf(const Block &B);
  static void wipe(const Block &B);
  /// Calls Do(address, bytes) for the parts of B that may hold something other than zeros.
  template <class Function> static void forContents(const Block &B, Function Do);
  std::uintptr_t placeAmongPhantoms(std::uint64_t Span, std::uint32_t SiteIndex) const;
  std::uintptr_t placeInArena(std::uint64_t Bytes, std::uint64_t Alignment, std::uint32_t SiteIndex) const;
  std::size_t position(std::uintptr_t Address) const;
  std::uint64_t gap() const;

  std::vector<Block> Live; ///< by address
  std::uint64_t Key = 0;
  std::uintptr_t Arena = 0;
  std::uint64_t Stretch = 0; ///< bytes of the arena for each site
  std::size_t Sites = 0;
  bool Elsewhere = false;
};

} // namespace memshape
