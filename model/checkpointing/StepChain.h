// Steps that differ in bytes and time.
// O. Beaumont, L. Eyraud-Dubois, J. Herrmann, A. Joly, A. Shilova: Optimal checkpointing for heterogeneous chains: how to
// train deep neural networks with limited memory (2019).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/checkpointing/Reversal.h"

namespace memshape::checkpointing {

/// The step from state i to state i + 1, and its reversal.
struct Step {
  std::int64_t StateBytes = 0;    ///< of state i, when it is stored
  std::int64_t ForwardBytes = 0;  ///< that the step takes while it runs, both states included
  std::int64_t BackwardBytes = 0; ///< that its reversal takes, its taped step included
  double Forward = 1;             ///< time of the step
  double Backward = 1;            ///< time of the reversal, its taped step left out
};

/// On one level; the cost is time. It is optimal unless bytes were rounded, so that a little memory is left unused.
struct StepReversal : Reversal {
  std::uint64_t LeastMemory = 0; ///< bytes in which the chain can be reversed at all
};

/// Units of memory that the table distinguishes at most, where sizes have no large divisor in common.
inline constexpr std::int64_t MostUnits = 2000;

/// Of the table; a comparison takes some nanoseconds.
inline constexpr double MostComparisons = 4e9, MostBytes = 1e9;

/// The least time within Memory bytes, over all sequences in which a state that is stored stays until the step from it is
/// reversed. NoSlot: Memory is less than LeastMemory, which alone is set. TooLarge: the table would take more than
/// MostComparisons or MostBytes with 50 units.
Outcome reverseSteps(const std::vector<Step> &Steps, std::int64_t Memory, StepReversal &Into);

} // namespace memshape::checkpointing
