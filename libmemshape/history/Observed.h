// Answers to decisions that a run has shown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where data decide, a prediction makes assumptions. A process in the middle of a call shows what its sites hold: a
// size that was computed from a count of events, a branch that was taken. This search finds answers to decisions under
// which the skeleton passes that moment. Its figures under these answers predict the rest of the call, because a size
// that was observed once is the same wherever the operator uses it again.

#pragma once

#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"
#include "libmemshape/text/AllocatingPlace.h"

#include <functional>

namespace memshape {

struct Explanation {
  Question Asked; ///< with the answers
  Footprint Heap;
  bool Changed = false; ///< the answers differ from those of the question
};

/// The footprint of the call that passed Seen: under the answers of Asked if these lead there, else under others that
/// do. Nothing if none were found before Enough returns true. Changes one answer after the other, each to the least
/// memory that explains what is held. S is what Evaluate runs.
std::optional<Explanation> explain(const Skeleton &S, const Question &Asked, const HeldByPlace &Seen,
                                   Evaluator &Evaluate, const std::function<bool()> &Enough);

} // namespace memshape
