// One level whose slots cost nothing.
// A. Griewank, A. Walther: Algorithm 799: revolve, ACM Transactions on Mathematical Software 26 (2000).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace memshape::checkpointing {

/// The least number of forward steps, taped ones left out, that reverse a chain of Steps with that many slots, one of
/// which holds the initial state: t(Steps, Slots). Steps and Slots from 1; with one step none.
std::int64_t revolveSteps(std::int64_t Steps, std::int64_t Slots);

/// Where the first state behind the initial one is stored: steps in front of it. Steps from 2, Slots from 2.
std::int64_t revolveSplit(std::int64_t Steps, std::int64_t Slots);

} // namespace memshape::checkpointing
