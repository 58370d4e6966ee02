// What a reader has to know beside the numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/include/memshape/names.h"
#include "libmemshape/text/Split.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memshape {

/// What a note is about, by its code. docs/commands.md lists them, in this order.
enum class NoteCode {
  // What the figures rest on.
  compilation,
  unusable_unit,
  linked_units,
  ambiguous_definition,
  missing_units,
  called_for_real,
  machine,
  environment,
  threads,
  extrapolated,
  replayed,
  no_skeleton,
  may_overflow,
  size_wraps,
  // What data, threads and callers can change.
  on_zeros,
  unproven_call,
  library_threads,
  thread_order,
  team_size,
  left_out,
  requests_nothing,
  circumstances,
  earlier_calls,
  size_from_data,
  resized_tensor,
  present_tensor,
  null_pool,
  open_argument,
  tied_symbol,
  initial_function,
  beyond_addresses,
  // How the bounds were found.
  followed_most,
  not_all_followed,
  combinations,
  counted_upper,
  no_counted_upper,
  // Why there is no upper bound.
  unbounded_size,
  unbounded_switch,
  endless_answers,
  changing_answers,
  search_cut,
  repeated_decision,
  presumed_device,
  // What the process holds.
  resident,
  stack,
  // What past runs were asked.
  other_runs,
};

/// True where a note of this code says why there is no upper bound: it does not hold once there is one.
constexpr bool deniesUpper(NoteCode Code) {
  return Code >= NoteCode::unbounded_size && Code <= NoteCode::presumed_device;
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
inline std::vector<std::string> textsOf(const std::vector<Note> &Notes) { return mapped(Notes, &Note::Text); }

} // namespace memshape
