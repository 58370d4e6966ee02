// A skeleton that outlives its runner.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/RunnerProcess.h"

namespace memshape {

/// One runner for all questions about one skeleton; a new one after an evaluation that ended it.
class SkeletonSession final : public Evaluator {
public:
  SkeletonSession(const Skeleton &S, RunnerOptions Options) : S(S), Options(std::move(Options)) {}

  /// Starts the runner now, so that its reasons come before any answer is asked for.
  std::optional<Failure> start();
  Result<Footprint> evaluate(const Question &Asked) override;
  std::optional<AllRuns> explore(const Question &Asked, const RunLimits &Limits) override;
  FootprintRows evaluateAt(const Question &Asked, std::span<const std::vector<std::int64_t>> Shapes) override;

  std::optional<std::chrono::nanoseconds> busy() const override { return spent(); }

  /// From now on no question may take longer than Longest, and all together not longer than InAll, as busy() tells
  /// time; none may go beyond the session's limit.
  void setTimeouts(std::chrono::milliseconds Longest, std::chrono::milliseconds InAll) {
    // A skeleton that was worth waiting for in vain computes much: with the code of a compilation in earnest it takes a
    // third of the time.
    if (WaitedInVain && Longest >= LongTimeout && !Options.Optimised) {
      Options.Optimised = true;
      Ended = spent();
      Runner.reset();
    }
    Timeout = Longest;
    PhaseEnd = spent() + InAll;
  }

private:
  static constexpr std::chrono::seconds LongTimeout{10};
  /// More restarts than this, and the skeleton is given up.
  static constexpr unsigned MaxStarts = 64;

  /// To start a runner anew, with a skeleton to load or to compile.
  static constexpr std::chrono::milliseconds StartsAnew{20};

  void allow();
  std::chrono::nanoseconds spent() const { return Ended + (Runner ? *Runner->busy() : std::chrono::nanoseconds(0)); }

  const Skeleton &S;
  RunnerOptions Options;
  /// The last resort where work is not counted.
  std::chrono::steady_clock::time_point Latest = std::chrono::steady_clock::now() + std::chrono::minutes(10);
  std::chrono::milliseconds Timeout = std::chrono::hours(1);
  std::chrono::nanoseconds PhaseEnd = std::chrono::hours(1);
  std::unique_ptr<RunnerProcess> Runner;
  std::chrono::nanoseconds Ended{}; ///< that the runners before this one have taken
  unsigned Starts = 0;
  bool WaitedInVain = false;
};

} // namespace memshape
