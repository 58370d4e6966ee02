// What a request to the runner may say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runner refuses what lies beyond these limits, and its callers do not ask for it: both read them here. The form of
// requests is in docs/formats.md, section 4.

#pragma once

#include <cstddef>
#include <cstdint>

namespace memshape {

/// How a branch decision is answered: always alike, or differently from time to time, as data in a loop may.
enum class BranchAnswer : std::uint8_t { No, Yes, InTurns, AtRandom, YesAtFirst, NoAtFirst, YesSoOften };
inline constexpr std::uint64_t BranchAnswers = 6; ///< without the last, which needs a count
/// Those that are not always alike.
inline constexpr auto FirstPattern = static_cast<std::uint32_t>(BranchAnswer::InTurns),
                      LastPattern = static_cast<std::uint32_t>(BranchAnswer::NoAtFirst);

namespace request {

inline constexpr std::uint64_t MaxBitcodeBytes = std::uint64_t(1) << 30;
inline constexpr std::uint64_t MaxIds = std::uint64_t(1) << 24; ///< sites, decisions
inline constexpr std::uint64_t MaxParameters = 1024;
inline constexpr std::uint32_t MaxThreads = 1 << 14; ///< of a team: more than any machine has
inline constexpr std::size_t MaxTeamSizes = 64;      ///< of regions one after the other
inline constexpr std::uint32_t MaxSteps = 1 << 12;   ///< of what is live over a call
inline constexpr std::size_t MaxCallsBetween = 16;   ///< before the call that is answered
inline constexpr double MaxSeconds = 86400;          ///< of processor time of one evaluation
/// Of an exploration: states, milliseconds, and bytes of states that wait.
inline constexpr std::uint64_t MaxStates = std::uint64_t(1) << 24, MaxMilliseconds = std::uint64_t(1) << 24,
                               MaxStateBytes = std::uint64_t(1) << 40;

} // namespace request

} // namespace memshape
