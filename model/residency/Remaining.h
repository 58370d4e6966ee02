// What a run that is going on will still take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before a run, most of what is unknown about its resident peak is what the process holds beside the operator: its
// libraries, and what the caller has requested and touched. While it runs, both can be looked at. All in bytes:
//
//   own  = max(files + start, max over looks j of resident(j) - livePeak(j))
//   E    = max(residentPeak, max(own, process) + livePeak at the end + what blocks to come cost besides - never)
//
// `files` are resident pages of files, `start` the anonymous pages of a process that has just begun, `process` what is
// expected of its program and libraries, with the code that the calls bring into memory. `never` is what the skeleton
// knows to be requested and never written, or not at the same time as the rest: see aheadOf. Where nobody knows, E is
// the resident peak of a process that touches all that it requests. Errors above E come from libraries that are used
// for the first time, and do not grow with the operator:
//
//   score = (truth - E)/(Unit + LibraryShare max(files - plain, 0) + TouchShare (E - residentPeak))
//
// with the `files` of a plain C++ program. The bound is E plus a quantile of such scores of the corpus (conformal, with
// operators as the unit: model/residency/Bound.h). That part of a peak is already there, and the rest follows from
// sites still to be reached, is the view of phase models (k-Segments, IEEE Big Data 2023; KS+, e-Science 2024).

#pragma once

#include "model/residency/OperatorModel.h"

#include <optional>

namespace memshape {

/// A process at one moment, bytes.
struct Look {
  double Resident = 0;     ///< now
  double ResidentPeak = 0; ///< the most so far, as the kernel says (VmHWM); what Resident is, where it does not
  double Files = 0;        ///< of Resident: pages of files and of shared memory
  double Live = 0;         ///< requested and not freed, now
  double LivePeak = 0;     ///< the most so far
};

/// What the calls in flight will still do to a process, bytes.
struct Ahead {
  double LivePeak = 0; ///< the most that will have been live by their end
  double Besides = 0;  ///< what blocks that are still to come cost beyond the bytes requested; see costAhead
  double Process = 0;  ///< what program and libraries will hold by then, as far as that is known
  double Never = 0;    ///< of LivePeak: what will not be in memory when the most is
};

/// Follows one process. It costs nothing but the looks.
class Remaining {
public:
  void see(const Look &Now);

  /// What the process holds beside what it has requested, as far as it was seen.
  double own() const;
  /// The peak of the process: E above.
  double expected(const Ahead &Coming) const;
  /// Requested by now and not in memory, as far as that can be told.
  double untouched() const;

  /// The final resident peak. Scores are those of runs whose end is known, Confidence lies in (0, 1). FromRuns is what
  /// this very operator's past runs say, its bound at confidenceOfRuns(Confidence): they know as well how much is never
  /// touched. The lower of the two bounds then holds, each with its share of the risk (Bonferroni).
  Forecast forecast(const Ahead &Coming, double Confidence, const ScorePool &Scores,
                    const std::optional<Forecast> &FromRuns = std::nullopt) const;

private:
  double scale(double Expected) const;

  Look Last;
  double Beside = 0; ///< the most that was resident beside the peak of live bytes
};

/// Of bounds that raise alarms: one that comes too often is not heard. Chosen in bench/accuracy.
inline constexpr double AlarmConfidence = 0.9;

/// A fifth of the risk is for the bound that comes from past runs, the rest for that from the looks.
inline double confidenceOfRuns(double Confidence) { return 1 - 0.2 * (1 - Confidence); }

/// What one call will still do, which holds Held bytes by now, of the process that Seen follows. Base is live beside
/// the call. Pages that the caller has requested and not written yet may be tensors that the call is going to write:
/// where the skeleton follows them, they count from when it does.
Ahead aheadOf(const Situation &Call, const Remaining &Seen, double Base, double Held, const Prior &Generic);

/// What the blocks of a call cost beyond the bytes requested, so far as they are still to come when Live bytes of it
/// are live: headers and rounding of the allocator, and what the runtime keeps of each block in a counted process
/// (docs/runtime.md). Of blocks that are alike.
double costAhead(const Situation &At, double Live);

/// Scores of 340 runs of the corpus of bench/accuracy: model/residency/generic.course, which this build brings.
const ScorePool &courseScores();
/// The text of such a file, `memshape-course 1`; see bench/README.md.
std::optional<ScorePool> readCourseScores(const std::string &Text);

} // namespace memshape
