//===- LevelTable.h - The least cost on any levels ----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_MODEL_CHECKPOINTING_LEVELTABLE_H
#define MEMSHAPE_MODEL_CHECKPOINTING_LEVELTABLE_H

#include "model/checkpointing/Chain.h"

#include <cstddef>

namespace memshape::checkpointing {

/// The least costs of all shorter chains with all numbers of free slots. Levels may have any costs; none needs to be
/// faster to write and to read than the next.
///
/// A chain is *open* while its initial state is current and stored nowhere. It is *kept* while that state is current and
/// stored in a level. An open chain of one step is reversed; another one stores its state. A kept chain runs forward to
/// a state behind, reverses what lies behind that - as an open chain, or from the stored state alone -, restores, and
/// goes on with what lies in front: as a kept chain, or as an open one with a slot more.
class LevelTable {
public:
  /// Comparisons that the table of this chain takes.
  static double work(const Chain &C);
  /// Bytes of the table.
  static double bytes(const Chain &C);

  explicit LevelTable(const Chain &C);

  double cost() const { return open(Of.Steps, Full); }

  /// The actions of that cost.
  std::vector<Action> actions() const;

private:
  /// A dimension of the numbers of free slots.
  struct Dimension {
    std::int64_t Slots;
    std::size_t Stride; ///< 0 for a level that is never full
  };

  /// Where a kept chain is cut, and how its parts go on.
  struct Cut {
    double Cost;
    std::int64_t Front;   ///< steps in front
    bool BehindFromFront; ///< what lies behind has no state of its own
    bool FrontOpens;      ///< the stored state is given up
  };

  struct Part; // of the chain, while actions are written

  bool hasFree(std::size_t Free, std::size_t At) const;
  bool hasTaken(std::size_t Free, std::size_t At) const;
  double open(std::int64_t Steps, std::size_t Free) const { return Open[Free * Row + std::size_t(Steps)]; }
  double kept(std::int64_t Steps, std::size_t Free, std::size_t At) const {
    return Kept[(Free * Of.Levels.size() + At) * Row + std::size_t(Steps)];
  }
  /// Without a slot: each step starts from a state that is regained for Regain.
  double alone(std::int64_t Steps, double Regain) const;
  Cut cutAt(std::int64_t Steps, std::size_t Free, std::size_t At, std::int64_t Front) const;
  Cut best(std::int64_t Steps, std::size_t Free, std::size_t At) const;
  std::size_t levelToStoreIn(std::int64_t Steps, std::size_t Free) const;
  void fill();
  void write(const Part &P, std::vector<Part> &Pending, std::vector<Action> &Into) const;

  const Chain &Of;
  std::vector<Dimension> Dimensions;
  std::size_t Combinations = 1, Full = 0, Row;
  std::vector<double> Open, Kept;
};

} // namespace memshape::checkpointing

#endif // MEMSHAPE_MODEL_CHECKPOINTING_LEVELTABLE_H
