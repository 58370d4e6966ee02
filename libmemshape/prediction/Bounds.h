// What the answers to decisions can do to a footprint.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"

#include <optional>
#include <set>

namespace memshape {

struct Bounds {
  std::uint64_t Lower = 0;              ///< bytes of the smallest peak seen
  std::optional<std::uint64_t> Upper;   ///< of the greatest; nothing where no bound exists
  bool Exact = false;                   ///< the skeleton proves the peak
  bool Indifferent = false;             ///< exact because every answer to the decisions leads to the same figures
  bool Covered = false;                 ///< every way of answering decisions was run
  bool Proven = false;                  ///< no data leads outside the bounds
  bool Presumed = false;                ///< nothing is known of the device that the operator asks for: no bounds
  bool Wraps = false;                   ///< signed arithmetic of a size overflows: no bounds
  bool Sampled = false;                 ///< Upper is the greatest of the runs that were tried; others may lead higher
  bool ResultsHold = false;             ///< the circumstances of the call do not change the extents of what it returns
  std::uint32_t FloatEvents = 0;        ///< that some of these runs have met: flags of memshape::FloatEvents
  bool AsksOrders = false;              ///< some of these runs ask which of two objects comes first
  bool AsksDistances = false;           ///< ... or how far places in different objects are apart
  unsigned Evaluations = 0;             ///< answers to decisions tried beside the proposed ones
  std::set<std::int64_t> OpenArguments; ///< arguments whose bytes data decides, without a bound, by site
  std::set<std::uint32_t> LeftOut;      ///< unknown calls that some of them came to, by number
  std::set<std::string> Silent;         ///< functions that are taken to request nothing, on which the bounds rest
  std::vector<Note> Notes;              ///< what limits these bounds

  bool says(NoteCode Code) const;
  /// Nothing of them is proven.
  void unproven() { Exact = Indifferent = Proven = false; }
  /// The peak may be any number of bytes more, as Why says.
  void withoutUpper(std::optional<Note> Why = {});
  /// The peak may be anything.
  void withoutBounds(std::optional<Note> Why = {});
};

/// Asked holds the shape and what the user assumes; Proposed is its footprint. Other answers than the proposed ones are
/// tried as Evidence.h says. The timeout is set by the caller.
Bounds boundsOf(const Skeleton &S, const Question &Asked, const Footprint &Proposed, Evaluator &Evaluate);

/// Holds Range, the bounds at Asked of a footprint Proposed, against other circumstances of the call: other rounding of
/// floating-point numbers, other places of blocks, more calls before, and calls at other shapes. Where one of them
/// changes the footprint, Range is not exact, spans both, and says so. Evaluations are made only for what the skeleton
/// looks at.
void holdUnderCircumstances(const Skeleton &S, const Question &Asked, const Footprint &Proposed, Evaluator &Evaluate,
                            Bounds &Range);

} // namespace memshape
