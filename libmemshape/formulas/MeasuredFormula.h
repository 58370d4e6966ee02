// A formula through figures that were measured.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A skeleton can be asked for thousands of shapes. A run costs: its figures are few, and they are what they are. The
// same exact fit goes through them, with fewer terms, and says so many of them did not make the formula.

#pragma once

#include "model/recovery/ModularFit.h"
#include "model/recovery/Recovery.h"

namespace memshape {

/// Bytes at a shape.
struct MeasuredFigure {
  Shape At;
  std::int64_t Bytes = 0;
};

/// The simplest formula on which all figures lie, to the byte, and whose values are whole numbers elsewhere, too; nothing
/// where none is found. Its domain is the box around the shapes. At least SamplesBeyondTerms figures more than terms are needed, and these count as verified.
std::optional<Recovered> formulaThrough(std::size_t Symbols, const std::vector<MeasuredFigure> &Figures);

} // namespace memshape
