//===- Region.h - Parts that share outputs --------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An output whose last consumer depends on the order couples the parts that its consumers stand in. The smallest part that
// has them all is a region; what it does to memory outside of it depends on no order, so that its best order is one for all
// that may run beside it. That one exists although consumers are shared: what a set of ended jobs holds is submodular.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_MODEL_SERIES_PARALLEL_REGION_H
#define MEMSHAPE_MODEL_SERIES_PARALLEL_REGION_H

#include "model/series_parallel/Blocks.h"

#include <map>
#include <optional>
#include <span>
#include <unordered_map>

namespace memshape::series_parallel {

/// What to answer where the work ends first.
enum class Instead {
  Order, ///< a chain of some order
  Bound, ///< a chain that is at least as good as any order
};

/// The best chain of a region.
///
/// For any choice of one consumer for each shared output, the chain that frees the output with it is at least as good as
/// any order. Where the consumer comes last in it, it is an order. Otherwise its first blocks, as long as they fall and have
/// no chosen consumer, are those of the best chain. Where there are none, the way of least rise is searched to where no more
/// is held than before (A*, Hart, Nilsson, Raphael 1968; the chosen chains bound it): what it leads to comes first in some
/// best order, whatever runs beside. Where nothing falls, the same is done from the end, backwards. The rest is a smaller
/// region.
class Region {
public:
  explicit Region(Sequences &Jobs) : Jobs(Jobs) {}

  /// Parts are added before the series and the parallel parts that have them.
  std::uint32_t addChain(Chain Of);
  std::uint32_t addSeries(std::vector<std::uint32_t> Of);
  std::uint32_t addParallel(std::vector<std::uint32_t> Of);
  /// Bytes that end with the last of several chains of one job each, none of which comes before another one.
  void share(Bytes Output, const std::vector<std::uint32_t> &Consumers);

  struct Result {
    Chain Best;
    bool Exact = true;
    std::size_t Work = 0; ///< blocks that were looked at
  };
  /// Of the last part that was added.
  Result best(std::size_t MostWork, Instead Otherwise);

private:
  enum class End { Front, Back };
  static constexpr std::uint32_t Anybody = UINT32_MAX, Nobody = UINT32_MAX - 1, Everybody = UINT32_MAX - 2;
  static constexpr Bytes Beyond = Bytes(1) << 100; // any sum
  static constexpr std::size_t Deepest = 1000;     ///< blocks taken one after the other, for the stack's sake
  enum class Kind { Chain, Series, Parallel };
  struct Part {
    Kind Is;
    std::vector<std::uint32_t> Parts;
    Chain Blocks;
    std::size_t Taken = 0, TakenBack = 0; ///< of its blocks, from the first one, from the last one
    std::vector<std::uint32_t> Outputs;   ///< that this job may be the last consumer of
  };
  struct Shared {
    Bytes Output;
    std::vector<std::uint32_t> Consumers;
    std::size_t Left; ///< consumers that have not run
    std::uint32_t Chosen = Anybody;
    std::size_t FromBack = 0; ///< consumers that were taken from the back
  };

  struct Relaxed {
    Chain Best;
    bool IsOrder = false;
    std::vector<std::uint32_t> Items; ///< chains, each once for each of its blocks, in their order
    std::size_t Certain = 0;          ///< blocks of the best chain
  };

  struct Deeper {
    explicit Deeper(std::size_t &Depth) : Depth(++Depth) {}
    Deeper(const Deeper &) = delete;
    Deeper &operator=(const Deeper &) = delete;
    ~Deeper() { --Depth; }
    std::size_t &Depth;
  };
  /// Blocks that run next, or last.
  struct Way {
    Bytes Peak = 0, Held = 0;         ///< beside what is held where it begins
    std::vector<std::uint32_t> Items; ///< chains, each once for each of its blocks
    bool IsBounded = false;           ///< Peak is what any way that begins like this one rises to, at least
    bool operator<(const Way &Other) const {
      return Peak != Other.Peak ? Peak > Other.Peak : Items.size() < Other.Items.size();
    }
  };
  /// Where a fall leads to if consumers are chosen, and what it rises by.
  struct Reach {
    bool Exists = false;
    Bytes Peak = 0;
    Chain Blocks;
  };

  std::uint32_t add(Part Added);
  static bool hasBlocks(const Part &Of) { return Of.Taken + Of.TakenBack < Of.Blocks.size(); }
  bool isOpen(std::uint32_t Output) const {
    return Of[Output].Left > 1 && !Of[Output].FromBack && Of[Output].Chosen == Anybody;
  }
  Block blockAt(std::uint32_t Leaf, End At) const;
  void take(std::uint32_t Leaf, End At);
  void giveBack(std::uint32_t Leaf, End At);
  void items(const Block &Each, std::vector<std::uint32_t> &Into) const;
  template <typename Visitor> void leaves(std::uint32_t Under, Visitor Visit) const;
  std::vector<std::uint32_t> openOutputs(std::span<const std::uint32_t> Under) const;
  void ends(std::uint32_t Under, End At, std::vector<std::uint32_t> &Found) const;
  void loose(std::uint32_t Under, End At, std::vector<std::uint32_t> &Found) const;
  std::optional<Block> looseBlock(std::uint32_t Under, End At);
  Chain chainOf(std::uint32_t Under);
  Chain besideEachOther(std::span<const std::uint32_t> Beside);
  Chain coupled(const std::vector<std::uint32_t> &Beside);
  static Bytes rise(const Block &Each, End At);
  static Bytes net(const Block &Each, End At);
  Way extended(const Way &Before, const Block &By, End At) const;
  std::vector<Way> fallOn(const std::vector<std::uint32_t> &Beside, End At, Way &Now);
  std::optional<Way> bounded(const std::vector<std::uint32_t> &Beside, End At, const Way &Now);
  std::vector<std::uint32_t> placeOf(const std::vector<std::uint32_t> &Beside, End At) const;
  std::vector<std::uint32_t> nearestFall(const std::vector<std::uint32_t> &Beside, End At);
  std::vector<std::uint32_t> lowest(const std::vector<std::uint32_t> &Beside, End At, std::vector<std::uint32_t> Way);
  Reach reach(const std::vector<std::uint32_t> &Beside, End At, Bytes Held);
  Relaxed relaxed(const std::vector<std::uint32_t> &Beside, const std::vector<std::uint32_t> &Outputs);
  Chain inOrder(const std::vector<std::uint32_t> &Items);

  Sequences &Jobs;
  std::vector<Part> Parts;
  std::vector<Shared> Of;
  std::unordered_map<std::uint32_t, std::uint32_t> LeafOf; ///< of the sequence of each block
  std::size_t Work = 0, MostWork = 0, Depth = 0;
  Instead Otherwise = Instead::Order;
  bool Exact = true;
};

} // namespace memshape::series_parallel

#endif // MEMSHAPE_MODEL_SERIES_PARALLEL_REGION_H
