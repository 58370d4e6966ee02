// What a run that is going on will still take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/Remaining.h"

#include <algorithm>
#include <sstream>

namespace memshape {

/// Anonymous pages of a counted process that has requested nothing yet: stack, data, the loader's and the runtime's
/// own; bytes, the median over the corpus. PlainFiles: its pages of files.
constexpr double StartBytes = 295000, PlainFiles = 2.75e6;
/// What errors are measured in: 16 pages, a share of the libraries' pages, a share of what is still to be touched.
constexpr double Unit = 65536, LibraryShare = 0.25, TouchShare = 0.0005;
/// Below the all-touched peak the truth may lie by such a share of what is still to be touched.
constexpr double UntouchedShare = 0.05;
/// Of the t distribution that stands in beyond the scores.
constexpr double Degrees = 5;
/// The runtime keeps 2 bytes of size and 2 of site for every 16 bytes of address space, in pages of 4096 bytes that are
/// there where a block starts.
constexpr double ShadowShare = 4.0 / 16, ShadowOfBlock = 2 * 4096;

constexpr char Head[] = "memshape-course 1";

void Remaining::see(const Look &Now) {
  Last = Now;
  Last.ResidentPeak = std::max(Now.ResidentPeak, Now.Resident);
  Last.LivePeak = std::max(Now.LivePeak, Now.Live);
  Beside = std::max(Beside, Now.Resident - Last.LivePeak);
}

double Remaining::own() const { return std::max(Last.Files + StartBytes, Beside); }

double Remaining::untouched() const {
  return std::clamp(Last.Files + StartBytes + Last.Live - Last.Resident, 0.0, std::max(Last.Live, 0.0));
}

double Remaining::expected(const Ahead &Coming) const {
  return std::max(Last.ResidentPeak, std::max(own(), Coming.Process) + std::max(Coming.LivePeak, Last.LivePeak) +
                                         Coming.Besides - Coming.Never);
}

double Remaining::scale(double Expected) const {
  return Unit + LibraryShare * std::max(Last.Files - PlainFiles, 0.0) + TouchShare * (Expected - Last.ResidentPeak);
}

Forecast Remaining::forecast(const Ahead &Coming, double Confidence, const ScorePool &Scores,
                             const std::optional<Forecast> &FromRuns) const {
  double Expected = expected(Coming);
  double Level = FromRuns ? 1 - (confidenceOfRuns(Confidence) - Confidence) : Confidence;
  Forecast Found;
  Found.Upper = Expected + std::max(Scores.quantile(Level, Degrees), 0.0) * scale(Expected);
  Found.Expected = {Expected, Unit + UntouchedShare * (Expected - Last.ResidentPeak), Degrees};
  if (FromRuns) {
    Found.Expected.Location = std::min(FromRuns->Expected.Location, Expected);
    if (known(FromRuns->Upper))
      Found.Upper = std::min(Found.Upper, FromRuns->Upper);
  }
  // What was held already is certain.
  Found.Expected.Location = std::max(Found.Expected.Location, Last.ResidentPeak);
  Found.Upper = std::max(Found.Upper, Found.Expected.Location);
  return Found;
}

double costAhead(const Situation &At, double Live) {
  if (!known(At.Heap) || At.Heap <= 0)
    return 0;
  double Headers = priorTerms(At)[BlockOverhead], Shadow = 0;
  if (known(At.Allocations) && At.Allocations > 0 && known(At.Total) && At.Total > 0)
    Shadow = std::min(ShadowShare * (At.Heap + Headers), ShadowOfBlock * At.Allocations * At.Heap / At.Total);
  return (Headers + Shadow) * (1 - std::clamp(Live / At.Heap, 0.0, 1.0));
}

Ahead aheadOf(const Situation &Call, const Remaining &Seen, double Base, double Held, const Prior &Generic) {
  Ahead Coming{Base + Call.Heap + (known(Call.OneTime) ? Call.OneTime : 0), costAhead(Call, Held)};
  if (known(Call.Libraries) && known(Call.CalledCode)) { // where nothing of them is called, what is there is all
    Row Terms = priorTerms(Call);
    for (PriorTerm Of : {PriorTerm::Base, LibraryCount, CalledBytes})
      Coming.Process += Generic.Coefficients[Of] * Terms[Of];
  }
  Situation Now = Call;
  Now.Held = Base;
  Now.Fresh = std::clamp(Seen.untouched() - Held, 0.0, std::max(Base, 0.0));
  if (known(Call.Heap)) // else all that comes is taken for written
    Coming.Never = Call.Heap + Now.Fresh - priorTerms(Now)[HeapBytes];
  return Coming;
}

std::optional<ScorePool> readCourseScores(const std::string &Text) {
  std::istringstream Lines(Text);
  std::string Line, Word;
  if (!std::getline(Lines, Line) || Line != Head)
    return std::nullopt;
  while (std::getline(Lines, Line)) {
    std::istringstream Words(Line);
    if (!(Words >> Word) || Word != "scores")
      continue;
    std::vector<double> Numbers;
    for (double Number; Words >> Number;)
      Numbers.push_back(Number);
    ScorePool Found;
    if (Numbers.empty() || !ScorePool::fromNumbers(Numbers, Found))
      return std::nullopt;
    return Found;
  }
  return std::nullopt;
}

} // namespace memshape
