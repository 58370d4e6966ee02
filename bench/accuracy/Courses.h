// Runs that were observed while they went on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "bench/accuracy/Corpus.h"
#include "model/residency/Remaining.h"

#include <array>

namespace memshape {

/// Shares of the allocation events after which `courses` observes a run; 0 is the entry of the call.
inline constexpr std::array<double, 4> LooksAt{0, 0.1, 0.25, 0.5};

/// One run of an operator under the runtime.
struct Course {
  RunEntry Before;                         ///< the record of a bare run at the same shape
  double Peak = 0;                         ///< resident, of the whole run, bytes
  std::array<Look, LooksAt.size()> Looks;  ///< at these shares
  std::array<double, LooksAt.size()> Held; ///< live bytes of the call at these
};

/// Reads a file of memshape.course/1, by operator as in Corpus; runs without a record are left out. Ends the program
/// with a line where it cannot.
std::vector<std::vector<Course>> readCourses(const std::string &Path, const std::vector<MeasuredOperator> &Corpus);

/// Scores of each operator's courses at all looks, but of one that is left out.
ScorePool courseScoresOf(const std::vector<std::vector<Course>> &Courses, std::size_t LeftOut, const Prior &Generic);

/// Will a run exceed a limit? Asked before it starts and in its middle, with limits drawn around the truth.
void printPartialRuns(const std::vector<MeasuredOperator> &Corpus, const std::vector<Prior> &Priors,
                      const std::vector<std::vector<Course>> &Courses);

} // namespace memshape
