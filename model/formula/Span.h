// Between which values a formula stays, and how far a symbol may grow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes do not always grow with an extent: what is rounded, halved or taken off may fall again. A formula over a range
// of one symbol lies between two values that interval arithmetic gives (Moore: Interval Analysis, 1966); where these
// are within a limit, all in between are. The header of `memshape emit` holds the same, in its own language.

#pragma once

#include "model/formula/Formula.h"

namespace memshape {

/// The least and the greatest value, or what lies outside of them.
struct Span {
  Rational Low, High;
};

/// Each value of Of at a shape of Box; nothing where one may not exist or may not fit. Extents are not negative.
std::optional<Span> spanOf(const Formula &Of, const Domain &Box);

/// True where it is proven that Of nowhere becomes less when the symbol grows from 1 on, whatever the others are from
/// Least on, 0 or more.
bool neverFalls(const Formula &Of, std::size_t Symbol, std::int64_t Least = 0);

/// How far a symbol may grow.
struct Reach {
  std::int64_t Last = 0; ///< all from the least on up to this one fit; less than the least where that does not
  bool Complete = true;  ///< the next does not fit, or there is none; otherwise the search was given up
};

/// The greatest value of the symbol in Over such that it and all smaller ones there leave Of from 0 to Limit; the other
/// symbols are those of At.
Reach reachWithin(const Formula &Of, Shape At, std::size_t Symbol, const Range &Over, const Rational &Limit);

} // namespace memshape
