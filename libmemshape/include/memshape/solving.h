/* The greatest extent that fits a memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The question of a prediction turned round, for Operator::solve() of
   <memshape/memshape.h>. Sizes are bytes, extents are counts of elements. */

#pragma once

#include "planning.h"

#include <map>
#include <string>
#include <vector>

namespace memshape::v1 {

/// What has to stay within a memory.
enum class Measure {
  resident, ///< what the process holds: Resident::upper_bytes
  heap      ///< what the call requests: Heap::upper_bytes, without its arguments
};

/// A value and what the call takes with it.
struct ValueBytes {
  std::int64_t value = 0;
  std::uint64_t bytes = 0;

  template <class Visitor> void members(Visitor &&v) const { v("value", value), v("bytes", bytes); }
};

/// Members have the names of memshape.solve/1.
struct MEMSHAPE_API Solution {
  std::string operator_name;
  std::uint64_t memory_bytes = 0;
  Measure what = Measure::resident;
  std::vector<std::pair<std::string, std::int64_t>> shape; ///< the other symbols, in the order of the parameters
  std::vector<std::string> symbols;                        ///< that were asked for: one, or two; or "threads"
  /// The greatest value such that it and all smaller ones, from the least one that is allowed, stay within the memory;
  /// nothing where the least does not. Of the second symbol: in the frontier.
  std::optional<std::int64_t> largest;
  std::uint64_t bytes = 0;        ///< with it
  std::optional<ValueBytes> next; ///< the first that does not fit; nothing where all do that the parameter can hold
  /// Of two symbols: values of the first, and the greatest of the second beside each.
  std::vector<std::pair<std::int64_t, ValueBytes>> frontier;
  bool proven = false; ///< each smaller value was tried, or lies where a formula is proven to stay within the memory
  std::vector<Note> notes;

  bool feasible() const { return largest.has_value() || !frontier.empty(); }
  /// memshape.solve/1, as `memshape solve --json` prints it, with a newline at the end.
  std::string json() const;
  /// The page that `memshape solve` prints.
  std::string text() const;

  template <class Visitor> void members(Visitor &&v) const {
    v("schema", "memshape.solve/1");
    v("operator", operator_name);
    v("memory_bytes", memory_bytes);
    v("what", what);
    v("shape", [this](auto &&in) {
      for (const auto &[name, value] : shape)
        in(name, value);
    });
    if (symbols.size() == 1) {
      v("symbol", symbols.front());
      v("largest", largest);
      v("bytes", largest ? std::optional(bytes) : std::nullopt);
      v("next", next);
    } else {
      v("symbols", symbols);
      std::vector<Point> points;
      for (const auto &[first, second] : frontier)
        points.push_back({*this, first, second});
      v("frontier", points);
    }
    v("proven", proven);
    std::vector<std::string> sentences;
    for (const Note &each : notes)
      sentences.push_back(each.text);
    v("notes", sentences);
  }

private:
  struct Point {
    const Solution &of;
    std::int64_t first;
    ValueBytes second;
    template <class Visitor> void members(Visitor &&v) const {
      v(of.symbols.front(), first), v(of.symbols.back(), second.value), v("bytes", second.bytes);
    }
  };
};

} // namespace memshape::v1
