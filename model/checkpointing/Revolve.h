//===- Revolve.h - One level whose slots cost nothing -------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A. Griewank, A. Walther: Algorithm 799: revolve, ACM Transactions on Mathematical Software 26 (2000).
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_MODEL_CHECKPOINTING_REVOLVE_H
#define MEMSHAPE_MODEL_CHECKPOINTING_REVOLVE_H

#include <cstdint>

namespace memshape::checkpointing {

/// The least number of forward steps, taped ones left out, that reverse a chain of Steps with that many slots, one of
/// which holds the initial state: t(Steps, Slots). Steps and Slots from 1; with one step none.
std::int64_t revolveSteps(std::int64_t Steps, std::int64_t Slots);

/// Where the first state behind the initial one is stored: steps in front of it. Steps from 2, Slots from 2.
std::int64_t revolveSplit(std::int64_t Steps, std::int64_t Slots);

} // namespace memshape::checkpointing

#endif // MEMSHAPE_MODEL_CHECKPOINTING_REVOLVE_H
