// What blocks would count as if a line were changed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands between blocks and the account of a call: it says how many bytes an allocation adds and a free takes away.
//
//     Scale    a block counts a part of its bytes: none, where the line would not allocate
//     Close    a block is freed before certain sites allocate, at the latest
//     Reserve  a block that grows, into one larger block after another, has its last size from the start
//
// Reserve needs to know how far blocks will grow. So the call is made twice: the first one is learnt from.

#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace memshape {

struct Change {
  enum class Kind : std::uint8_t { None, Scale, Close, Reserve } What = Kind::None;
  std::vector<std::int32_t> Sites;  ///< whose blocks change
  std::vector<std::int32_t> Before; ///< Close: they are freed before these allocate
  std::vector<std::int32_t>
      Into; ///< Reserve: blocks of these sites, which are given what was in them, take their place
  std::uint64_t Times = 0, Parts = 1; ///< Scale: a block counts Times / Parts of its bytes, rounded up
  std::int32_t Extent = -1; ///< Scale: Parts is the value of this parameter of the shape instead, if it is not negative
};

class TriedChange {
public:
  struct Block {
    std::uintptr_t At = 0;
    std::int32_t Site = 0;
    std::uint64_t Bytes = 0;
  };

  void begin(const Change &Given, const std::vector<std::int64_t> &Shape);
  /// What a block counts follows from its site and size alone.
  bool isSimple() const { return Of.What == Change::Kind::Scale; }
  std::uint64_t scaled(const Block &Each) const;
  /// A block that grows counts whole, because not all that is written of it is told: less may do.
  bool countsWhole() const { return CountsWhole; }
  bool learns() const { return Of.What == Change::Kind::Reserve && !Applies; }
  void beginCall();
  /// The call is made once more, and what was learnt in the last one holds.
  void apply();

  /// What the new block adds. Announced: all that is written of it is told.
  std::uint64_t allocated(const Block &New, bool Announced);
  /// What Gone takes away; it is what a realloc has made into the block that was allocated last, where Moved.
  std::uint64_t released(const Block &Gone, bool Moved = false);
  /// Blocks that are freed before Site allocates, with what they take away.
  std::vector<std::pair<std::int32_t, std::uint64_t>> freedBefore(std::int32_t Site);
  /// Of the block at At the first Bytes may be written; SIZE_MAX for all.
  void touched(std::uintptr_t At, std::uint64_t Bytes);

  /// Equal where the same blocks live, whatever they count as.
  std::uint64_t balance() const { return Balance; }

private:
  /// One allocation of the call, in order.
  struct Request {
    Block Of;
    std::uint64_t Written = 0;
    bool IsTold = true;                    ///< and nothing else is written
    std::size_t ReplacedBy = SIZE_MAX;     ///< the request whose block takes its place
    std::uint64_t Adds = 0, TakesAway = 0; ///< once learnt
  };
  const Request *learnt(std::size_t Number) const;
  void link(std::size_t Old, bool Moved);

  Change Of;
  bool Applies = false, CountsWhole = false;
  std::uint64_t Balance = 0;
  std::unordered_map<std::uintptr_t, Block> Open;       ///< Close: blocks that are to be freed
  std::unordered_set<std::uintptr_t> Closed;            ///< and those that are, though the call still has them
  std::unordered_map<std::uintptr_t, std::size_t> Live; ///< Reserve: requests by block
  std::unordered_map<std::int32_t, std::size_t> LastOf; ///< the last request of a site
  std::vector<Request> Requests, Learnt;
};

} // namespace memshape
