// Reversals of chains, read, written and drawn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"
#include "model/checkpointing/Reversal.h"
#include "model/checkpointing/StepChain.h"

#include <optional>
#include <string_view>

namespace memshape {

/// "ram:4:0:0,disk:100:2:1": names, slots, costs of a write and of a read. Costs that are not given are 0.
Result<std::vector<checkpointing::Level>> readLevels(const std::string &Text);

/// "store 3 in ram", "forward 3 to 5", "backward 5".
std::string actionWords(const checkpointing::Action &A, const std::vector<checkpointing::Level> &Levels);

/// All digits that a cost of up to 15 has.
std::string costText(double Cost);

/// memshape.checkpoint/1.
std::string checkpointJson(const checkpointing::Reversal &Found);

/// That the chain cannot be reversed, and the bytes in which it can, where bytes decide.
std::string refusedCheckpointJson(std::optional<std::uint64_t> LeastMemory);

/// "2 states stored", or where tapes may be kept "5 slots taken and 3 tapes kept".
std::string heldWords(const checkpointing::Reversal &Found);

/// The same to be read, with the first actions.
std::string checkpointPage(const checkpointing::Reversal &Found);

/// The steps of a document of memshape.chain/1, docs/checkpoints.md.
Result<std::vector<checkpointing::Step>> readChain(std::string_view Text);

/// The triangle by which Griewank and Walther (2000) show reversals, as an SVG file: cost to the right, states of the
/// chain downwards; forward sweeps, backward steps, restores, and each stored state for as long as it is kept, in the
/// colour of its level. Many actions are drawn as what they cover.
std::string checkpointSvg(const checkpointing::Chain &C, const checkpointing::Reversal &Found);

/// The same with its figures and the first actions, as a page for browsers.
std::string checkpointHtml(const checkpointing::Chain &C, const checkpointing::Reversal &Found);

} // namespace memshape
