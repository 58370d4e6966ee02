// What does code make of its symbols?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a footprint is no polynomial along a symbol, candidates for the atoms behind it are made from what is seen
// along a line of shapes: how far apart the steps are, and where they lie. A candidate that explains all values of its
// line goes on to those who fit whole formulas.

#pragma once

#include "model/recovery/ModularFit.h"
#include "model/recovery/Sampler.h"

namespace memshape {

class AtomSearch {
public:
  /// For output Index inside Box. Near: steps are looked for close to a base only, and not from end to end.
  AtomSearch(const Domain &Box, std::size_t Index, bool Near, Sampler &Sample);

  /// Sets of atoms that explain the output along each symbol; the simple ones first. Empty where nothing does, or where
  /// no atom is needed.
  std::vector<std::vector<Atom>> candidates();

  /// The shape through which all lines go.
  const Shape &base() const { return Base; }

private:
  /// The output along one symbol.
  struct Line {
    std::size_t Symbol = 0;
    std::vector<std::int64_t> Values;        ///< at consecutive extents from the base on
    std::vector<std::int64_t> Steps;         ///< extents at which a polynomial that went before ends
    std::size_t Period = 0;                  ///< values so far apart lie on a polynomial; 0: none such
    std::optional<std::int64_t> Threshold;   ///< the last extent at which the polynomial of small extents holds
    std::vector<Shape> Points;               ///< of all that was asked for
    std::vector<std::int64_t> At;            ///< the output there
    std::vector<std::vector<Atom>> Explains; ///< sets that go through all points
  };

  bool look(Line &Along);
  void findSteps(Line &Along) const;
  std::vector<Atom> symbolsOf(std::size_t Symbol) const;
  bool explains(const std::vector<Atom> &Set, const Line &Along) const;
  bool explainsPoints(const std::vector<Atom> &Atoms, const Line &Along, std::size_t Each, unsigned Highest) const;
  void consider(std::vector<Atom> Set, Line &Along) const;
  void explain(Line &Along);
  void considerChains(Line &Along) const;
  void considerQuotients(Line &Along) const;
  void considerRounded(Line &Along) const;
  void considerThresholds(Line &Along);
  std::vector<Polynomial> sums(std::size_t Symbol) const;
  std::vector<Polynomial> products(std::size_t Symbol) const;
  std::optional<std::int64_t> limitOf(const Polynomial &Product, std::size_t Symbol);
  Atom withInner(const rounding::Any &How, const Polynomial &Inner) const;
  void combine(const std::vector<Line> &Lines, std::vector<Atom> Set, std::vector<std::vector<Atom>> &Found) const;
  std::optional<std::int64_t> lastOfLow(const Shape &Through, std::size_t Symbol);

  const Domain &Box;
  std::size_t Index;
  bool Near;
  Sampler &Sample;
  Shape Base;
};

} // namespace memshape
