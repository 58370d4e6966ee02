// What was seen of a call when its decisions were answered in other ways.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Note.h"
#include "libmemshape/skeletons/Skeleton.h"

#include <algorithm>

namespace memshape {

/// Answers to branches, by decision.
using Answers = std::map<std::uint32_t, std::uint32_t>;

struct Evidence {
  std::uint64_t Lower = 0, Upper = 0; ///< of the peaks that were seen
  unsigned Evaluations = 0;           ///< beside the proposed one
  Answers Branches;                   ///< that the user did not answer, with the answers they mostly got
  std::set<std::uint32_t> Repeated;   ///< of them, those that one run asked for more than once
  std::set<std::uint32_t> Values;     ///< decisions about integers that were asked for
  std::set<std::uint32_t> UnknownMet; ///< calls, by number
  std::set<std::uint32_t> Resized;    ///< tensors, from 1
  std::set<std::int64_t> Endless;     ///< sites whose sizes have no bound at this shape
  std::set<std::uint32_t> Wraps;      ///< arithmetic of sizes that has left its type, by number
  bool Assumed = false;               ///< a decision that the user answered was asked for
  bool ThreadStarted = false;         ///< by a library
  bool OrderMatters = false;          ///< that in which threads run
  std::uint32_t LargestTeam = 0;
  std::uint32_t FloatEvents = 0; ///< flags of memshape::FloatEvents
  bool AsksOrders = false;       ///< which of two places comes first that do not lie in one object
  bool AsksDistances = false;    ///< how far such places are apart

  // How much of all that data can do.
  bool Covered = false;    ///< every way of answering was run
  bool Alike = false;      ///< and all runs have the figures of the proposed one, but perhaps for their peak
  bool Unanswered = false; ///< some way of answering came to no end, or to what is not followed
  bool Partial = false;    ///< some combinations of answers were tried, of too many
  bool Cut = false;        ///< the search came to its cap
  bool Mixed = false;      ///< answers that change from iteration to iteration may lead higher than those tried
  std::vector<Note> Notes; ///< which runs were followed
};

/// A value from data that is given, or makes nothing but sizes whose bounds are tried.
inline bool isBounded(const Skeleton &S, const Question &Asked, std::uint32_t Id) {
  return Asked.Values.contains(Id) || S.Decisions[Id].Bounded;
}

/// For one run with other answers, which may well lead into a loop without end.
inline std::chrono::milliseconds workOfTrial(const Footprint &Proposed) {
  constexpr std::uint64_t Least = 150, Fourfold = 250; // milliseconds; microseconds in a quarter of one
  return std::chrono::milliseconds(std::max(Least, Proposed.WorkMicroseconds / Fourfold));
}

/// "fit.c:31"
inline std::string placeOf(const SourcePlace &Place) { return Place.File + ":" + std::to_string(Place.Line); }

/// Follows every run where they are few, otherwise tries answers: all alike, each flipped by itself, combinations, and
/// patterns in loops; at most 288. Asked and Proposed as for boundsOf.
Evidence evidenceOf(const Skeleton &S, const Question &Asked, const Footprint &Proposed, Evaluator &Evaluate);

} // namespace memshape
