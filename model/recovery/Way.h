// Shapes on the way to one that takes too long.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operator does at a shape that nobody can wait for is seen on the way there: at shapes whose extents are all
// smaller together, near the ratios of that shape. A test of one extent against another then goes out as it does at the
// end. Extents that are small anyway (channels, an order), and those that only guard (a capacity), keep their values.

#pragma once

#include "model/recovery/Sampler.h"

namespace memshape {

class Way {
public:
  Way() = default;
  /// To a shape; symbols that are Held have its values everywhere on the way.
  Way(Shape To, std::vector<bool> Held) : To(std::move(To)), Held(std::move(Held)) {}

  bool empty() const { return To.empty(); }
  const Shape &end() const { return To; }
  bool isHeld(std::size_t Symbol) const { return Held[Symbol]; }
  /// Greatest extent at the end that is not held; 0 where all are.
  std::int64_t longest() const;

  /// The shape after a Share of the way, from 0 to 1.
  Shape at(double Share) const;
  /// The ratios are those of the end, up to a factor and to the rounding of small extents.
  bool isNear(const Shape &At) const;
  /// A shape near the way, between two shares of it.
  Shape draw(ShapeSource &Source, double Least, double Most) const;

  /// How much further one direction may be than another: from 1 on.
  void setSlack(double Factor) { Slack = Factor; }

private:
  Shape To;
  std::vector<bool> Held;
  double Slack = 1.5;
};

} // namespace memshape
