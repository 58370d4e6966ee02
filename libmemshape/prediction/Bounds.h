// What the answers to decisions can do to a footprint.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"

#include <optional>
#include <set>

namespace memshape {

/// Where a library that is called for real has threads.
inline Note threadsOfLibraries() {
  return {NoteCode::LibraryThreads,
          "a library started threads of its own: what they allocate, and when, can vary from run to run"};
}

struct Bounds {
  std::uint64_t Lower = 0;            ///< bytes of the smallest peak seen
  std::optional<std::uint64_t> Upper; ///< of the greatest; nothing where no bound exists
  bool Exact = false;                 ///< the skeleton proves the peak
  bool Indifferent = false;           ///< exact because every answer to the decisions leads to the same figures
  bool Proven = false;                ///< no data leads outside the bounds
  bool Presumed = false;              ///< nothing is known of the device that the operator asks for: no bounds
  bool Sampled = false;               ///< Upper is the greatest of the runs that were tried; others may lead higher
  bool ResultsHold = false;           ///< the circumstances of the call do not change the extents of what it returns
  unsigned Evaluations = 0;           ///< answers to decisions tried beside the proposed ones
  std::set<std::uint32_t> LeftOut;    ///< unknown calls that some of them came to, by number
  std::vector<Note> Notes;            ///< what limits these bounds
};

/// Tries other answers than the proposed ones: all 0, all 1, each flipped by itself, and combinations, 64 in all. Asked
/// holds the shape and what the user assumes; Proposed is its footprint. The timeout is set by the caller.
Bounds boundsOf(const Skeleton &S, const Question &Asked, const Footprint &Proposed, Evaluator &Evaluate);

} // namespace memshape
