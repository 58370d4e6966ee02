// A simple bound above scattered figures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows no law can still be bounded by one: the bytes that a planner of transforms keeps jump with the factors
// of a length, and stay below a multiple of it.

#pragma once

#include "model/formula/Polynomial.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace memshape {

/// A figure at a shape.
using ShapeFigure = std::pair<std::vector<std::int64_t>, std::int64_t>;

/// a*g + c, with natural numbers a and c, that is nowhere below Figures: g is a symbol, a sum or a product of some, and
/// the choice is the one that lies least above them in the mean of ratios. Nothing without figures, or where one is
/// negative or too large to compute with.
std::optional<Polynomial> upperEnvelope(std::size_t Symbols, const std::vector<ShapeFigure> &Figures);

} // namespace memshape
