// The greatest value that fits, with all smaller ones.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes need not grow with an extent: what is rounded, halved, or done in another way from some size on may fall. So a
// value that fits says nothing of smaller ones by itself. Where there is a formula, model/formula/Span.h tells how far
// all fit. Elsewhere values are asked for, each where that is possible; otherwise the answer is not proven.

#pragma once

#include "libmemshape/include/memshape/expected.h"
#include "model/formula/Span.h"

#include <functional>
#include <span>

namespace memshape {

struct FitQuestion {
  Range Values;                  ///< of what is asked for
  std::uint64_t MemoryBytes = 0; ///< that is not to be exceeded
  /// Bytes with a value. An error too_large says that they do not fit any memory, no_answer that there is no such call.
  std::function<v1::Expected<std::uint64_t>(std::int64_t)> Ask;
  /// The same of many at once, where that is quick; ends where it does not know, or where it would take too long. May be
  /// empty.
  std::function<std::vector<std::uint64_t>(std::span<const std::int64_t>)> AskMany = {};
  /// The bytes of all values, as far as they agree with it; null where there is none.
  const Formula *Law = nullptr;
  Shape At = {};          ///< of Law
  std::size_t Symbol = 0; ///< of Law, whose value is asked for
};

struct Fit {
  std::int64_t Least = 0;                                     ///< that is allowed
  std::optional<std::int64_t> Largest;                        ///< nothing where the least does not fit
  std::uint64_t Bytes = 0;                                    ///< of it
  std::optional<std::pair<std::int64_t, std::uint64_t>> Next; ///< the first that does not fit; nothing where all do
  bool Proven = false;
  std::optional<std::int64_t> Again; ///< a larger one that fits
};

/// Errors: those of Ask, where no value has an answer.
v1::Expected<Fit> largestFit(const FitQuestion &Of);

} // namespace memshape
