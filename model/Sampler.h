//===- Sampler.h - Footprints at chosen shapes, each asked for once -------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_MODEL_SAMPLER_H
#define MEMSHAPE_MODEL_SAMPLER_H

#include "model/Formula.h"

#include <chrono>
#include <functional>
#include <map>
#include <random>
#include <set>

namespace memshape {

/// What one evaluation gives: the peak, the total, every site's bytes... in an order of the caller's choosing.
using Outputs = std::vector<std::int64_t>;

/// The operator's footprint at a shape; nothing where it has none there (it throws, or the figures do not fit).
using Evaluation = std::function<std::optional<Outputs>(const Shape &)>;

/// Time of one evaluation at a shape; nothing where there is none.
using EvaluationCost = std::function<std::optional<std::chrono::microseconds>(const Shape &)>;

/// Asks for every shape once and for none after the deadline.
class Sampler {
public:
  Sampler(Evaluation Evaluate, std::chrono::steady_clock::time_point Deadline)
      : Evaluate(std::move(Evaluate)), Deadline(Deadline) {}

  /// Output number Index at a shape.
  std::optional<std::int64_t> operator()(const Shape &At, std::size_t Index);
  bool outOfTime();
  void remember(const Shape &At, Outputs Figures) { Known.insert_or_assign(At, std::move(Figures)); }
  /// From here on wasUsed() tells which shapes were asked for.
  void beginOutput() { Used.clear(); }
  bool wasUsed(const Shape &At) const { return Used.contains(At); }

private:
  std::optional<Outputs> ask(const Shape &At);

  Evaluation Evaluate;
  std::chrono::steady_clock::time_point Deadline;
  bool Late = false;
  std::map<Shape, std::optional<Outputs>> Known;
  std::set<Shape> Used; ///< since beginOutput()
};

/// Draws shapes of every kind that hides a surprise: cubic, stretched, odd, prime, tiny, large, mixed. The same seed
/// gives the same shapes.
class ShapeSource {
public:
  explicit ShapeSource(std::uint64_t Seed) : Random(Seed) {}
  Shape draw(const Domain &Within);

private:
  std::int64_t between(std::int64_t Low, std::int64_t High);
  std::int64_t logarithmic(const Range &Within);
  std::int64_t prime(const Range &Within);

  std::mt19937_64 Random;
  unsigned Turn = 0;
};

} // namespace memshape

#endif // MEMSHAPE_MODEL_SAMPLER_H
