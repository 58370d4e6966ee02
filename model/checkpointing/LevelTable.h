// The least cost on any levels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/checkpointing/Chain.h"

#include <cstddef>

namespace memshape::checkpointing {

/// The least costs of all shorter chains with all numbers of free slots. Levels may have any costs; none needs to be
/// faster to write and to read than the next.
///
/// A chain is *open* while its initial state is current and stored nowhere. It is *kept* while that state is current and
/// stored in a level. An open chain of one step is reversed; another one stores its state. A kept chain runs forward to
/// a state behind, reverses what lies behind that as an open chain, restores, and goes on with what lies in front: as a
/// kept chain, or as an open one with a slot more. Without a free slot the open chain has one step.
class LevelTable {
public:
  /// Comparisons that the table of this chain takes at most.
  static double work(const Chain &C);
  /// Bytes of the table.
  static double bytes(const Chain &C);

  explicit LevelTable(const Chain &C);

  double cost() const { return open(Full)[Of.steps]; }

  /// The actions of that cost.
  std::vector<Action> actions() const;

private:
  /// A dimension of the numbers of free slots.
  struct Dimension {
    std::int64_t Slots;
    std::size_t Stride; ///< 0 for a level that is never full
  };

  struct Part; // of the chain, while actions are written

  /// Of a level: a slot is free; one is taken.
  struct Occupation {
    bool HasFree, HasTaken;
  };

  bool hasFree(std::size_t Free, std::size_t At) const { return Occupied[Free * Of.levels.size() + At].HasFree; }

  /// Calls Each(Free * number of levels + At, Free, At) where the state of a kept chain can be.
  template <class Callable> void forTaken(Callable Each) const {
    for (std::size_t Free = 0, I = 0; Free != Combinations; ++Free)
      for (std::size_t At = 0; At != Of.levels.size(); ++At, ++I)
        if (Occupied[I].HasTaken)
          Each(I, Free, At);
  }

  /// Costs of open chains, by their length.
  const double *open(std::size_t Free) const { return &Open[Free * Row]; }
  double *open(std::size_t Free) { return &Open[Free * Row]; }
  /// Up to the end of a kept chain, and then of what lies in front of it, which has that length.
  const double *front(std::size_t Free, std::size_t At) const { return &Front[(Free * Of.levels.size() + At) * Row]; }
  double *front(std::size_t Free, std::size_t At) { return &Front[(Free * Of.levels.size() + At) * Row]; }
  double kept(std::int64_t Steps, std::size_t Free, std::size_t At) const;
  std::int64_t cut(std::int64_t Steps, std::size_t Free, std::size_t At) const;
  std::size_t levelToStoreIn(std::int64_t Steps, std::size_t Free) const;
  void fill();
  void fillLength(std::int64_t Steps, const std::vector<double> &Kept);
  void write(const Part &P, std::vector<Part> &Pending, std::vector<Action> &Into) const;

  const Chain &Of;
  std::vector<Dimension> Dimensions;
  std::size_t Combinations = 1, Full = 0, Row;
  std::vector<double> Open, Front;
  std::vector<Occupation> Occupied; ///< of each combination: of each level
};

} // namespace memshape::checkpointing
