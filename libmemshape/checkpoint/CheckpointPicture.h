// The reversal of a chain, drawn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/checkpointing/Reversal.h"

namespace memshape {

/// The triangle by which Griewank and Walther (2000) show reversals, as an SVG file: cost to the right, states of the
/// chain downwards; forward sweeps, backward steps, restores, and each stored state for as long as it is kept, in the
/// colour of its level. Many actions are drawn as what they cover.
std::string checkpointSvg(const checkpointing::Chain &C, const checkpointing::Reversal &Found);

/// The same with its figures and the first actions, as a page for browsers.
std::string checkpointHtml(const checkpointing::Chain &C, const checkpointing::Reversal &Found);

} // namespace memshape
