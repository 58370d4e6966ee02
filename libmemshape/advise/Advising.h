// What a change of one line would bring.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each line that holds bytes at the peak is changed in each way that makes sense for it, one change at a time. The
// skeleton runs as ever; its blocks count as if the line were changed (runner/accounting/TriedChange.h).

#pragma once

#include "libmemshape/include/memshape/advising.h"
#include "libmemshape/prediction/Prediction.h"

namespace memshape {

struct AdviceQuestion {
  const Prediction &Now;                      ///< the program as it is, by the skeleton that is asked
  std::map<std::size_t, std::int64_t> Chunks; ///< extents by the parameters of the shape, and how much is held of them
  std::size_t Most = 5;                       ///< pieces of advice
};

/// What saves most first. The bounds and the formula of each are found as those of a prediction.
Result<std::vector<v1::Advice>> advise(const AdviceQuestion &Of, Evaluator &Evaluate, const SetTimeouts &Timeout,
                                       const FormulaCache &Cache);

} // namespace memshape
