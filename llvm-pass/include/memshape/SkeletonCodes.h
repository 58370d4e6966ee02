// The words of memshape.skeleton/2.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass writes these codes into object files, and the tools branch on them. libmemshape/prediction/Sentences.h makes
// the sentences that people read.

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace memshape {

/// The member "schema" of a skeleton record.
inline constexpr std::string_view SkeletonSchema = "memshape.skeleton/2";

/// Why a call is in the list "unknown".
enum class CallReason {
  NoBody,           ///< it has neither a body nor a summary
  Replaceable,      ///< it has a body that another one may take the place of: a weak one, or what a resolver chooses
  NoTarget,         ///< it goes through a pointer whose target is not known
  CallersFunction,  ///< it goes through a pointer that the operator's caller passes
  AnybodysFunction, ///< through a variable that anybody may set, and nothing comes of it: a message, progress
  ReachesOut,       ///< it reaches out of the process
  FindsNothing,     ///< it reaches out of the process, and is executed in the sandbox, where it finds nothing
  NoLibrary,        ///< none of the installed libraries defines it
  Executed,         ///< it is executed, and its allocations are counted
  AsksForSize,      ///< it is executed, but only asked for the size of its workspace
  OnZeros,          ///< it is executed on zeros; other data may make it allocate differently
  ExtentsAreData,   ///< it is executed with zeros in place of extents that come from data
  Conditional,      ///< it is executed, and its summary says what its allocations depend on: member "text"
  Caught            ///< no call: an exception may be caught there
};

/// What a decision affects.
enum class DecisionEffect {
  Size,               ///< a size or a count
  Case,               ///< only the case of a switch
  ConditionInSize,    ///< a condition that enters a size or a count as 0 or 1
  MayEndLoop,         ///< whether a loop ends early
  EndsLoop,           ///< whether a loop ends
  ChoosesAllocations, ///< which allocations happen
};

namespace codes {
inline constexpr std::array<std::string_view, 14> CallReasons = {
    "no_body",       "replaceable", "no_target", "callers_function", "anybodys_function", "reaches_out",
    "finds_nothing", "no_library",  "executed",  "asks_for_size",    "on_zeros",          "extents_are_data",
    "conditional",   "caught"};
inline constexpr std::array<std::string_view, 6> DecisionEffects = {"size",         "case",      "condition_in_size",
                                                                    "may_end_loop", "ends_loop", "chooses_allocations"};

template <std::size_t Count>
constexpr std::optional<std::size_t> indexOf(const std::array<std::string_view, Count> &Words, std::string_view Word) {
  for (std::size_t I = 0; I != Count; ++I)
    if (Words[I] == Word)
      return I;
  return std::nullopt;
}
} // namespace codes

constexpr std::string_view codeOf(CallReason Reason) { return codes::CallReasons[static_cast<std::size_t>(Reason)]; }

constexpr std::string_view codeOf(DecisionEffect Effect) {
  return codes::DecisionEffects[static_cast<std::size_t>(Effect)];
}

/// The reason of this code; nothing where there is none.
constexpr std::optional<CallReason> callReason(std::string_view Code) {
  const std::optional<std::size_t> Index = codes::indexOf(codes::CallReasons, Code);
  return Index ? std::optional(static_cast<CallReason>(*Index)) : std::nullopt;
}

/// The effect of this code; nothing where there is none.
constexpr std::optional<DecisionEffect> decisionEffect(std::string_view Code) {
  const std::optional<std::size_t> Index = codes::indexOf(codes::DecisionEffects, Code);
  return Index ? std::optional(static_cast<DecisionEffect>(*Index)) : std::nullopt;
}

static_assert(codeOf(CallReason::Conditional) == "conditional" && callReason("no_body") == CallReason::NoBody);
static_assert(codeOf(DecisionEffect::ChoosesAllocations) == "chooses_allocations");

} // namespace memshape
