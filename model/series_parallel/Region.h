// Parts that share outputs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An output whose last consumer depends on the order couples the parts that its consumers stand in. The smallest part that
// has them all is a region; what it does to memory outside of it depends on no order, so that its best order is one for all
// that may run beside it.
//
// That one exists although consumers are shared. Let g(D) be what is held when the jobs of D have ended, and those that run
// have risen, beside what is held where D is empty. Each job adds its own, and an output is taken off where all its
// consumers are in D, so that g(A and B) + g(A or B) <= g(A) + g(B); what runs beside adds a g of its own, for which the sum
// has this, too. An order goes through growing sets P.
//   1. Let M be the largest set of those with the least g, of all that runs. Then P and M, as P grows, followed by P or M,
//      holds no more than P does: g(M) is the least. So some best order goes through M, and M is made of those of the parts.
//   2. Up to M: let h be the least rise to a set with g <= 0 that is not empty, on a way Q to D. D can be the least of
//      its subsets: where X is that, Q and X rises no higher, as g(Q or X) >= g(X). Then Q followed by P or D holds no more
//      than P, as g(P and D) >= g(D), if P rises by h. Of parts beside each other the one that first comes to g <= 0 has
//      risen by its h, while none of the others held less than 0: the part with the least h begins. What is left of it
//      goes on in the same way; blocks that rise no higher than the one before become one with it.
//   3. From M on: the same with time running backwards.
// Neither 2 nor 3 asks how much was taken at the other end before.

#pragma once

#include "model/graph/Graph.h"

#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace memshape::series_parallel {

using graph::Bytes;

/// Sequences of jobs, each one a number: a job, or two sequences. What a number stands for never changes.
class Sequences {
public:
  explicit Sequences(std::uint32_t Jobs) : Jobs(Jobs) {}

  std::uint32_t joined(std::uint32_t Before, std::uint32_t After) {
    Pairs.emplace_back(Before, After);
    return Jobs + static_cast<std::uint32_t>(Pairs.size() - 1);
  }

  /// Calls Visit with each sequence in Of that IsItem says to look no deeper into, from the first to the last. A job is one.
  template <typename Test, typename Visitor> void walk(std::uint32_t Of, Test IsItem, Visitor Visit) const {
    std::vector<std::uint32_t> Open = {Of};
    while (!Open.empty()) {
      const std::uint32_t Now = Open.back();
      Open.pop_back();
      if (Now < Jobs || IsItem(Now)) {
        Visit(Now);
        continue;
      }
      Open.push_back(Pairs[Now - Jobs].second);
      Open.push_back(Pairs[Now - Jobs].first);
    }
  }

private:
  std::uint32_t Jobs;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> Pairs;
};

/// Jobs that follow each other: they rise by Up at most, and end Down below that.
struct Block {
  Bytes Up = 0, Down = 0;
  std::uint32_t Jobs = 0; ///< a sequence
  bool Presumes = false;  ///< has a job that is taken for the last consumer of an output

  Bytes net() const { return Up - Down; }
  bool falls() const { return Up < Down; }
  /// What ends below its beginning comes first, that with the least rise of all; then what falls furthest from its top.
  bool operator<(const Block &Other) const {
    if (falls() != Other.falls())
      return falls();
    return falls() ? Up < Other.Up : Down > Other.Down;
  }
};

Block joined(Sequences &In, const Block &Before, const Block &After);

/// Ascending blocks, no two equal but for what they presume: the best order of a part, whatever runs beside it. Between two
/// blocks other jobs may run, within one there is no better moment for them (Abdel-Wahab, Kameda, Scheduling to minimize
/// maximum cumulative cost subject to series-parallel precedence constraints, 1978).
using Chain = std::vector<Block>;

/// All of After come after all of Before: blocks that would rather change places become one.
void follow(Sequences &In, Chain &Before, const Chain &After);

/// The best order of jobs that need not wait for each other. Of equal blocks those that presume nothing come first.
Chain beside(Sequences &In, Chain All);

/// Whether Left is better than Right whatever runs beside them, of two chains of the same jobs of which one is at least as
/// good as the other everywhere.
bool isBetter(const Chain &Left, const Chain &Right);

/// What to answer where the work ends first.
enum class Instead {
  Order, ///< a chain of some order
  Bound, ///< a chain that is at least as good as any order
};

/// The best chain of a region.
///
/// For any choice of one consumer for each shared output, the chain that frees the output with it is at least as good as
/// any order. Where the consumer comes last in it, it is an order. Otherwise its first blocks, as long as they fall and have
/// no chosen consumer, are those of the best chain: up to there no order holds less. Where there are none, the way of least
/// rise is searched to where no more is held than before (A*, Hart, Nilsson, Raphael 1968; the chosen chains bound it): it
/// comes first in some best order, whatever runs beside. Where no way leads there, the same is done from the end, backwards.
/// The rest is a smaller region.
class Region {
public:
  explicit Region(Sequences &Jobs) : Jobs(Jobs) {}

  /// Parts are added before the series and the parallel parts that have them.
  std::uint32_t addChain(Chain Blocks);
  std::uint32_t addSeries(std::vector<std::uint32_t> Inner);
  std::uint32_t addParallel(std::vector<std::uint32_t> Inner);
  /// Bytes that end with the last of several chains of one job each, none of which comes before another one.
  void share(Bytes Output, const std::vector<std::uint32_t> &Consumers);

  struct Result {
    Chain Best;
    bool Exact = true;
    std::size_t Work = 0; ///< blocks that were looked at
  };
  /// Of the last part that was added; Inexact says what to answer where more than Most blocks would be looked at.
  Result best(std::size_t Most, Instead Inexact);

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
    explicit Deeper(std::size_t &Here) : Depth(++Here) {}
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
