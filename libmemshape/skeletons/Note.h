// What a reader has to know beside the numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memshape {

/// What a note is about. docs/commands.md lists the codes, in this order.
enum class NoteCode {
  // What the figures rest on.
  Compilation,
  UnusableUnit,
  LinkedUnits,
  AmbiguousDefinition,
  MissingUnits,
  CalledForReal,
  Machine,
  Environment,
  Threads,
  Extrapolated,
  Replayed,
  NoSkeleton,
  MayOverflow,
  SizeWraps,
  // What data, threads and callers can change.
  OnZeros,
  UnprovenCall,
  LibraryThreads,
  ThreadOrder,
  TeamSize,
  LeftOut,
  Circumstances,
  EarlierCalls,
  SizeFromData,
  ResizedTensor,
  PresentTensor,
  // How the bounds were found.
  FollowedMost,
  NotAllFollowed,
  Combinations,
  CountedUpper,
  NoCountedUpper,
  // Why there is no upper bound.
  UnboundedSize,
  UnboundedSwitch,
  EndlessAnswers,
  ChangingAnswers,
  SearchCut,
  RepeatedDecision,
  PresumedDevice,
  // What the process holds.
  Resident,
  Stack,
  // What past runs were asked.
  OtherRuns,
};

inline constexpr std::array<std::string_view, 40> NoteCodes = {"compilation",
                                                               "unusable_unit",
                                                               "linked_units",
                                                               "ambiguous_definition",
                                                               "missing_units",
                                                               "called_for_real",
                                                               "machine",
                                                               "environment",
                                                               "threads",
                                                               "extrapolated",
                                                               "replayed",
                                                               "no_skeleton",
                                                               "may_overflow",
                                                               "size_wraps",
                                                               "on_zeros",
                                                               "unproven_call",
                                                               "library_threads",
                                                               "thread_order",
                                                               "team_size",
                                                               "left_out",
                                                               "circumstances",
                                                               "earlier_calls",
                                                               "size_from_data",
                                                               "resized_tensor",
                                                               "present_tensor",
                                                               "followed_most",
                                                               "not_all_followed",
                                                               "combinations",
                                                               "counted_upper",
                                                               "no_counted_upper",
                                                               "unbounded_size",
                                                               "unbounded_switch",
                                                               "endless_answers",
                                                               "changing_answers",
                                                               "search_cut",
                                                               "repeated_decision",
                                                               "presumed_device",
                                                               "resident",
                                                               "stack",
                                                               "other_runs"};

constexpr std::string_view codeOf(NoteCode Code) { return NoteCodes[static_cast<std::size_t>(Code)]; }
static_assert(codeOf(NoteCode::OtherRuns) == "other_runs" && codeOf(NoteCode::SearchCut) == "search_cut");

/// True where a note of this code says why there is no upper bound: it does not hold once there is one.
constexpr bool deniesUpper(NoteCode Code) {
  return Code >= NoteCode::UnboundedSize && Code <= NoteCode::PresumedDevice;
}

struct Note {
  NoteCode Code;
  std::string Text; ///< one sentence
  /// What it is about in the source, where a reader of JSON is told that apart.
  struct Place {
    std::string File;
    std::uint32_t Line = 0;
    std::string Expression;
    bool operator==(const Place &) const = default;
  };
  std::optional<Place> At = {};

  bool operator==(const Note &) const = default;
};

/// Their sentences.
inline std::vector<std::string> textsOf(const std::vector<Note> &Notes) {
  std::vector<std::string> Texts;
  for (const Note &Each : Notes)
    Texts.push_back(Each.Text);
  return Texts;
}

} // namespace memshape
