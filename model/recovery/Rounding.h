// Does a footprint round a symbol?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/recovery/LocalFit.h"

namespace memshape {

/// What was seen along one axis, all other symbols at their base value.
enum class AxisKind {
  Constant,
  Polynomial,
  Rounded,  ///< by a period or to powers of two: Use.Rounding says how
  Irregular ///< none of these
};

struct AxisFinding {
  AxisKind Kind = AxisKind::Irregular;
  SymbolUse Use;
};

/// Looks at output Index for growing values of one symbol, starting at Base, up to MaxValue.
AxisFinding lookAlong(std::size_t Symbol, const Shape &Base, std::int64_t MaxValue, std::size_t Index, Sampler &Sample);

} // namespace memshape
