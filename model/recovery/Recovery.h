// From footprints at many shapes to a formula.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proposes the greatest or the least of a few polynomials (LocalFit.h) where each is seen from a shape inside its own
// region, cuts the domain to where the proposal holds, and then asks for fresh shapes: one mismatch, and there is no
// formula.

#pragma once

#include "model/recovery/LocalFit.h"
#include "model/recovery/Way.h"

#include <span>

namespace memshape {

struct RecoveryOptions {
  std::uint64_t Seed = 7919;
  unsigned FreshShapes = 500; ///< a formula is given out only after this many shapes that did not make it
  std::size_t MaxPieces = 6;
  std::int64_t LargestValue = 2000;                           ///< of a symbol in sampled shapes
  std::chrono::microseconds Budget = std::chrono::seconds(2); ///< for all formulas of one operator
  /// Of the budget, what may go into looking for roundings that are not seen at once.
  std::chrono::microseconds AtomBudget = std::chrono::hours(1);
  std::chrono::microseconds MaxCost = std::chrono::microseconds(40); ///< of one evaluation at a sampled shape
  BatchEvaluation EvaluateAll; ///< many shapes at once, where that is faster; may be empty
  EvaluationCost Cost;         ///< measured where the evaluation runs; without it all shapes count as cheap
  BusyClock Busy;              ///< of the search and of what evaluates; may be empty
  std::vector<Range> Limits;   ///< what the parameters can hold; empty: no limits
  /// Symbols that follow no law may be held at their value.
  bool MayHold = true;
  /// Only near this shape, and only what symbols do while others are held; for what takes long. Empty: anywhere.
  Shape Around;
  /// Only on the way to a shape that takes too long itself. Output number CostFigure is then what an evaluation took,
  /// to be compared with MaxCost, and WaySpan by how much the least shape is smaller than the largest. Empty: anywhere.
  Way Toward;
  std::size_t CostFigure = 0;
  double WaySpan = 16;
  /// A shape at which the formula has to hold; symbols that cannot be generalised keep its values. Empty: any.
  Shape Anchor;
};

/// A formula and where it was found to hold.
struct Recovered {
  Formula Value;
  Domain Valid;
  unsigned VerifiedShapes = 0;
};

/// Recovers formulas of one operator; all its outputs share the samples.
class Recovery {
public:
  Recovery(std::size_t Symbols, Evaluation Evaluate, RecoveryOptions Options);

  /// The formula of output Index.
  std::optional<Recovered> recover(std::size_t Index);

  /// The formula of output Index where the same piece of Peak is the greatest as at the anchor. For the bytes a site
  /// holds at the peak: they change from phase to phase.
  std::optional<Recovered> recoverWithin(std::size_t Index, const Recovered &Peak);

  /// The outputs at a shape that somebody has evaluated already.
  void remember(const Shape &At, Outputs Figures) { Sample.remember(At, std::move(Figures)); }

  /// From here on a formula has to hold there. Samples are kept.
  void anchorAt(const Shape &At, bool MayHold) {
    Options.Anchor = At;
    Options.MayHold = MayHold;
    Verified = false;
  }

  /// The largest shape on the way that could be evaluated; nothing where none could.
  std::optional<Shape> reached() const {
    return Reached > 0 ? std::optional(Options.Toward.at(Reached)) : std::nullopt;
  }

  /// The largest shape on the way at which evaluations are cheap.
  Shape cheap() const { return Options.Toward.at(Top); }
  /// There are shapes enough on the way to tell a law.
  bool hasWay() const;
  /// From here on shapes are at most Span times smaller than the largest, and their ratios up to Slack away.
  void narrowWay(double Span, double Slack);

  /// From here on the search may take so long.
  void allow(std::chrono::microseconds Time) { Sample.setDeadline(Deadline(Time, Options.Busy)); }

  /// True where a rounding was not looked for, or not to the end, for want of AtomBudget.
  bool hurried() const { return Hurried; }

  /// True when the time was spent before an answer was found.
  bool outOfTime() { return Sample.outOfTime(); }

private:
  /// Where a formula is looked for: a box, and inside it the shapes for which Contains holds (empty: all).
  struct Region {
    Domain Box;
    std::function<bool(const Shape &)> Contains;
    /// The region has shapes that differ in symbol I.
    bool isFree(std::size_t I) const { return Box.Ranges[I].Low != Box.Ranges[I].High; }
    bool holds(const Shape &At) const { return Box.contains(At) && (!Contains || Contains(At)); }
  };

  /// The search for one formula: what it is for, and what strategies have learned so far.
  struct Quest {
    std::size_t Index;
    const Region &Where;
    std::vector<Shape> Explored; ///< shapes that guide it; refuted proposals add theirs
    std::vector<SymbolUse> Uses;
    Region Slice;           ///< Where, with irregular symbols held
    bool Rounded = false;   ///< some symbol is rounded to blocks
    bool Irregular = false; ///< some symbol follows no polynomial
    bool Stepped = false;   ///< some symbol does so from some place
    bool Ended = false;     ///< no further strategy
  };
  struct Strategy;

  /// In the order in which they are tried.
  std::span<const Strategy> strategies() const;
  std::optional<Recovered> search(std::size_t Index, const Region &Where);
  std::optional<Recovered> constant(std::size_t Index, const Region &Where);
  std::optional<Recovered> polynomials(Quest &For);
  std::optional<Recovered> beyondSmallShapes(Quest &For);
  std::optional<Recovered> lookAtSymbols(Quest &For);
  std::optional<Recovered> roundedSymbols(Quest &For);
  std::optional<Recovered> atomsForMost(Quest &For);
  std::optional<Recovered> polynomialsInPart(Quest &For);
  std::optional<Recovered> irregularHeld(Quest &For);
  std::optional<Recovered> symbolsAlone(Quest &For);
  std::optional<Recovered> searchOnTheWay(Quest &For);
  std::vector<Shape> explore(const Region &Where, std::uint64_t Seed) const;
  std::optional<Recovered> searchAtoms(std::size_t Index, const Region &Where, std::vector<Shape> &Explored);
  std::optional<Recovered> proposeAtoms(std::size_t Index, const Region &Where, const std::vector<Atom> &Set,
                                        bool MayCut, std::vector<Shape> &Explored);
  std::vector<Shape> boundaries(const Formula &Proposal, const Domain &Box, const Region &Where) const;
  std::optional<Recovered> searchHolding(std::size_t Index, const Region &Slice, std::vector<SymbolUse> Uses);
  Shape heldShape(const Domain &Box) const;
  Region holding(const Region &Where, const std::vector<std::size_t> &Free) const;
  std::optional<Recovered> propose(std::size_t Index, const Region &Where, const std::vector<SymbolUse> &Uses,
                                   bool MayCut, std::vector<Shape> &Explored);
  std::vector<Polynomial> growPieces(const Shape &Base, std::size_t Index, const Region &Where,
                                     const std::vector<SymbolUse> &Uses, const std::vector<Shape> &Explored,
                                     bool Least);
  std::optional<Polynomial> fitConsistently(const Shape &Base, std::size_t Index, const Region &Where,
                                            const std::vector<SymbolUse> &Uses);
  std::optional<Recovered> cutAndVerify(const Formula &Proposal, std::size_t Index, const Region &Where, bool MayCut,
                                        std::vector<Shape> &Explored);
  std::vector<Shape> neighbours(const Domain &Box, const Region &Where) const;
  unsigned verify(const Formula &Proposal, const Domain &Box, std::size_t Index, const Region &Where,
                  std::vector<Shape> &Mismatches);
  bool holdsAt(const Formula &Proposal, const Shape &At, std::size_t Index);
  std::optional<std::chrono::microseconds> costAt(const Shape &At);
  void chooseScale();
  void chooseLowest();
  void chooseAround();
  void chooseWay();
  Shape drawIn(ShapeSource &Source, const Domain &Box) const;
  std::vector<Shape> basesOnTheWay() const;
  Region inBox(const Domain &Box) const;
  std::vector<Shape> bases(const Domain &Box) const;

  std::size_t Symbols;
  RecoveryOptions Options;
  Sampler Sample;
  Domain Whole;           ///< the box of sampled shapes
  bool Verified = false;  ///< some formula was
  double Top = 0;         ///< share of the way up to which evaluations are cheap
  double Reached = 0;     ///< up to which one could be made
  std::vector<Shape> Far; ///< shapes in between
  bool Hurried = false;
  std::chrono::nanoseconds AtomsTook{0};
  /// A formula that was refuted, and at how many explored shapes it is right.
  struct Refutation {
    Formula Value;
    std::size_t Right = 0;
  };
  std::vector<Refutation> Refuted; ///< those of one output for all shapes, in the symbols alone
  std::vector<Shape> Unlike;       ///< shapes of one output at which no polynomial in the symbols so far was found
  std::vector<std::vector<Atom>> KnownAtoms; ///< of formulas that were verified, beyond symbols
};

} // namespace memshape
