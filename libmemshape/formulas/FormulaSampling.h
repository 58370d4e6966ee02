// A skeleton as a function of its symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a search for formulas samples: the figures of a skeleton at values of its shape symbols and of the sizes that
// data decides, and what an evaluation costs.

#pragma once

#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"
#include "model/recovery/Recovery.h"
#include "model/recovery/Sampler.h"

namespace memshape {

class FormulaSampling {
public:
  /// With the settings and assumptions of Asked. AtShape, or null, lists the sizes from data that were asked for: each
  /// is one more symbol, unless there are many.
  FormulaSampling(const Skeleton &S, const Question &Asked, Evaluator &Evaluate, const Footprint *AtShape);

  /// The shape symbols, then the sizes from data.
  const std::vector<std::string> &symbols() const { return Names; }
  /// Of each symbol, what a parameter can hold.
  const std::vector<Range> &limits() const { return Limits; }
  /// Looks for symbols that calls have to give the same value, around Base, a shape at which the skeleton returns; where
  /// that is empty around cubes. From then on shapes are those of free symbols.
  void tie(Shape Base);
  const std::vector<std::size_t> &ties() const { return Ties; }
  std::size_t freeSymbols() const { return Free.size(); }
  /// Of values of all symbols those of the free ones.
  Shape ofFree(const Shape &At) const;
  std::vector<Range> freeLimits() const;
  /// A formula in the free symbols, in all.
  Recovered inAll(const Recovered &Of) const;

  /// The question without a shape, which asks for the sizes from data as well.
  const Question &everywhere() const { return Many; }
  /// The question at values of all symbols.
  Question at(const Shape &At) const;
  /// The values of all symbols at the asked shape, where sizes from data that nobody gave are typical ones.
  Shape asked(bool &SizesAreGiven) const;
  bool hasSizesFromData() const { return !Many.ValuesAt.empty(); }

  std::optional<Outputs> figuresAt(const Shape &OfFree);
  /// Fewer answers than shapes where the runner is lost.
  std::vector<std::optional<Outputs>> figuresAt(const std::vector<Shape> &OfFree);
  /// What one evaluation takes where it runs.
  std::optional<std::chrono::microseconds> costAt(const Shape &OfFree);

  /// There is no runner any more.
  bool lost() const { return Lost; }
  /// Time of the runner, as far as it tells; otherwise by the clock.
  std::chrono::nanoseconds spent() const;
  /// True where Count evaluations take longer than Budget, the ways to the runner and back among them.
  bool takesTooLong(unsigned Count, std::chrono::microseconds Budget);

private:
  Shape ofAll(const Shape &OfFree) const;
  std::vector<bool> returnsAt(const std::vector<Shape> &Shapes);
  std::vector<std::size_t> tiedTo(std::size_t Symbol, const std::vector<std::size_t> &Bound, const Shape &Base);

  const Skeleton &S;
  const Question &Asked;
  Evaluator &Evaluate;
  Question Many;
  std::vector<std::string> Names;
  std::vector<Range> Limits;
  std::vector<std::size_t> Ties, Free; ///< as of a Domain; those that are tied to none before them
  std::size_t ShapeSymbols = 0;
  bool Lost = false;
  /// A way to a library and back may take far longer than what is measured there.
  std::chrono::nanoseconds Quickest = std::chrono::nanoseconds::max();
};

/// Which symbols calls have to give the same value, as Domain::Ties, found around cubes.
std::vector<std::size_t> tiesOf(const Skeleton &S, const Question &Asked, Evaluator &Evaluate);

/// Order of the figures of one evaluation; the sites follow, the libraries' site first.
enum Figure : std::size_t { PeakFigure, TotalFigure, OutputFigure, AllocationsFigure, FirstSite };

Outputs figuresOf(const FootprintRow &Row, std::size_t Sites);

} // namespace memshape
