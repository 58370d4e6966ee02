//===- FiguresOfRows.h - Footprints as a search for formulas has them -----===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_PREDICTION_FIGURESOFROWS_H
#define MEMSHAPE_TOOLS_PREDICTION_FIGURESOFROWS_H

#include "libmemshape/skeletons/Evaluator.h"
#include "model/recovery/Sampler.h"

namespace memshape {

/// Order of the figures of one evaluation; the sites follow, the libraries' site first.
enum Figure : std::size_t { PeakFigure, TotalFigure, OutputFigure, AllocationsFigure, FirstSite };

Outputs figuresOf(const FootprintRow &Row, std::size_t Sites);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_PREDICTION_FIGURESOFROWS_H
