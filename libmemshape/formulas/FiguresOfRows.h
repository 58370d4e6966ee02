// Footprints as a search for formulas has them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/Evaluator.h"
#include "model/recovery/Sampler.h"

namespace memshape {

/// Order of the figures of one evaluation; the sites follow, the libraries' site first.
enum Figure : std::size_t { PeakFigure, TotalFigure, OutputFigure, AllocationsFigure, FirstSite };

Outputs figuresOf(const FootprintRow &Row, std::size_t Sites);

} // namespace memshape
