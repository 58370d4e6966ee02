// The baseline of a build.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs skeletons at reference shapes, on the simulated reference machine, and returns the result as a baseline. No
// operator is run. Formulas of the old baseline that still hold are kept: confirming one takes far less time than
// finding one.

#pragma once

#include "libmemshape/check/baseline/Baseline.h"
#include "libmemshape/prediction/Answer.h"

#include <functional>

namespace memshape {

struct BaselineRequest {
  std::vector<std::string> Shapes;   ///< "[NAME:]a=1,b=2", as given
  std::vector<std::string> Settings; ///< "[NAME:]x=1.5", as given
  bool Search = false;               ///< search for formulas where the baseline has none, as for a new baseline
  /// Called before each operator; may be empty.
  std::function<void(const std::string &Operator, std::size_t Done, std::size_t All)> Progress = {};
};

/// The operators of Around.Files. Baseline may be null: then reference shapes are chosen by size.
Result<BaselineFile> currentBaseline(const Surroundings &Around, const BaselineFile *Baseline,
                                     const BaselineRequest &Request);

} // namespace memshape
