// The polynomial through a few neighbouring shapes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Newton's interpolation on a simplex of lattice points: C(v + 4, 4) evaluations give every polynomial of total degree
// four in v variables, with divided differences of small integers instead of a linear system. Where a symbol is rounded
// (blocks of 8, powers of two) two variables stand for it, the rounded value and the distance to it; both are then
// written back in terms of the atoms.

#pragma once

#include "model/recovery/Sampler.h"

namespace memshape {

/// How an output depends on one symbol.
struct SymbolUse {
  bool Active = true; ///< an inactive symbol keeps its base value and stands in no term
  Atom Rounding;      ///< of kind Symbol when it is not rounded
};

/// The atoms of a formula with these uses: all symbols first, then one for each rounded symbol.
std::vector<Atom> atomsOf(const std::vector<SymbolUse> &Uses);

/// The polynomial in atomsOf(Uses) that goes through output Index near Base (all coordinates at Base or a few above).
/// Nothing where a lattice point has no value or a coefficient does not fit.
std::optional<Polynomial> fitNear(const Shape &Base, const std::vector<SymbolUse> &Uses, std::size_t Index,
                                  Sampler &Sample);

} // namespace memshape
