// A formula but for what libraries request.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries that are called for real need follow no law: a planner of transforms keeps what the factors of a length ask
// for. The operator's own arrays mostly do. Then the peak is a formula and one more term, of which is known what it is
// at the asked shape, and what it was at most at all shapes that were tried:
//
//     16*nt*ntraces + libraries          libraries <= 40*nt + 3288

#pragma once

#include "libmemshape/skeletons/Evaluator.h"
#include "model/recovery/Recovery.h"

namespace memshape {

struct PartFormula {
  std::vector<Formula> Own; ///< their sum is what the operator's own arrays hold at the peak
  Domain Valid;
  unsigned VerifiedShapes = 0;
  std::map<std::int64_t, Recovered> Sites; ///< the operator's own, by id
  std::optional<Recovered> Output;         ///< what is left at return
  /// Sites that follow no law either: what they hold is in the term.
  std::vector<std::int64_t> Others;
  /// The term's bytes over the shapes that were tried: the least, the greatest, a bound in the symbols.
  std::int64_t Least = 0, Greatest = 0;
  std::optional<Polynomial> Bound;
  std::size_t Shapes = 0;

  /// The term's bytes at a shape where the peak is known; nothing where numbers do not fit, or
  /// the formula alone gives more.
  std::optional<std::int64_t> termAt(const std::vector<std::int64_t> &At, std::int64_t Peak) const;
  /// Formula and term: "16*nt*ntraces + libraries".
  std::string str(const std::vector<std::string> &Symbols) const;
  /// What is known of the term, to be displayed: "at most 40*nt + 3288 bytes at the 312 shapes that were tried".
  std::string boundText(const std::vector<std::string> &Symbols) const;
  /// What the term stands for, to be displayed.
  std::string what() const;
  /// How the term is called; no name of a symbol.
  std::string termName(const std::vector<std::string> &Symbols) const;
};

/// What a search asks.
struct PartSearch {
  const Question &Asked; ///< its Shape is not used
  std::size_t Symbols = 0;
  std::vector<bool> OfPeak;  ///< by site id: it is in the space whose peak is meant
  std::vector<Range> Limits; ///< of the symbols
};

std::optional<PartFormula> searchBesideLibraries(const PartSearch &For, Evaluator &Evaluate);

/// Leaves those sites that say what Heap says at the shape.
void dropDisagreeing(std::map<std::int64_t, Recovered> &Sites, const Footprint &Heap,
                     const std::vector<std::int64_t> &At);

/// Part says what Heap says at the shape. The bound is raised where the term is greater there.
bool agreesWith(PartFormula &Part, const Footprint &Heap, const std::vector<std::int64_t> &At);

} // namespace memshape
