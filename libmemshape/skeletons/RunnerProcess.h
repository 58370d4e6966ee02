// The child process that executes skeletons.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/processes/ChildProcess.h"
#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"
#include "runner/sandbox/ProcessTree.h"

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <memory>

namespace memshape {

struct RunnerOptions {
  std::string Executable;             ///< memshape-skeleton
  std::vector<std::string> Libraries; ///< to be loaded for calls that are made for real
  std::chrono::seconds Limit{60};     ///< for everything that this process is asked, as Evaluator::busy() tells time
  std::uint64_t ResidentBytes = std::uint64_t(192) << 20; ///< that a replay may fill
  std::map<std::string, std::int64_t> Machine = {};       ///< facts of another machine than this one
  bool Trust = false;     ///< the skeleton is executed even where this system gives no sandbox
  bool Optimised = false; ///< the runner compiles the skeleton anew: a second that long computations are worth
};

/// Options for a skeleton of File, with the libraries that More, the file and the skeleton name, in this order.
RunnerOptions runnerOptions(const Skeleton &S, const InstrumentedFile &File, const std::vector<std::string> &More,
                            std::string Executable);
RunnerOptions runnerOptions(const Skeleton &S, const std::vector<InstrumentedFile> &Files,
                            const std::vector<std::string> &More, std::string Executable);

/// One runner with one skeleton loaded. Killed when it does not answer in time, and at the end.
class RunnerProcess final : public Evaluator {
public:
  static Result<std::unique_ptr<RunnerProcess>> start(const Skeleton &S, const RunnerOptions &Options);
  ~RunnerProcess() override;
  RunnerProcess(const RunnerProcess &) = delete;
  RunnerProcess &operator=(const RunnerProcess &) = delete;

  Result<Footprint> evaluate(const Question &Asked) override;
  std::optional<AllRuns> explore(const Question &Asked, const RunLimits &Limits) override;
  FootprintRows evaluateAt(const Question &Asked, std::span<const std::vector<std::int64_t>> Shapes) override;

  /// What one of the next questions, and all of the next call, may take: time as busy() tells it. As a last resort real
  /// time ends them, at Latest or long after what they may take.
  void allow(std::chrono::nanoseconds Longest, std::chrono::nanoseconds InAll,
             std::chrono::steady_clock::time_point Latest);
  /// What the answers so far take on a usual processor, by the instructions that they have counted: the same on every
  /// machine, whatever else it does.
  std::optional<std::chrono::nanoseconds> busy() const override { return Spent; }
  /// False once the runner ended or was killed.
  bool alive() const { return Child.runs(); }

private:
  RunnerProcess() = default;
  std::optional<Failure> write(std::string_view Text);
  Result<std::string> readLine();
  Result<Footprint> readFootprint();
  Result<Footprint> footprintOf(std::string_view Line);
  Failure lost(const std::string &What);

  void charge(double Microseconds);
  std::int64_t resort() const;
  std::map<std::uint32_t, std::uint32_t> branchesOf(const Question &Asked) const;
  nlohmann::json requestOf(const Question &Asked, std::size_t Shapes);

  /// What the runner does while something is waited for.
  struct Course {
    std::chrono::steady_clock::time_point NextLook, Since; ///< it was last seen at work
    std::optional<TreeTime> AtStart;
    TreeTime AtWork;
  };
  Course beginCourse() const;
  std::optional<Failure> examine(Course &Seen);
  void noteSleep(const Course &Seen);
  std::optional<Failure> await(int Descriptor, short Event, Course &Seen);

  ChildProcess Child;
  std::string Pending;   ///< bytes read
  std::size_t Taken = 0; ///< of these, those of lines that were answered
  std::chrono::steady_clock::time_point Ends;
  double Allowed = 0;                        ///< seconds of processor time for one answer
  std::shared_ptr<std::atomic<bool>> Sleeps; ///< the skeleton's
  /// Decisions on whether a tensor is there: which is no decision where the question says so.
  struct PresenceDecision {
    std::uint32_t Id, Tensor;
    bool OneIsNull;
  };
  std::vector<PresenceDecision> AsksForTensors;
  bool InChildren = false; ///< where the evaluations are
  bool Replays = false;    ///< the operator itself
  std::chrono::seconds Limit{60};
  std::int64_t Speed = 1;                      ///< of its code, beside that which is made at once
  std::chrono::nanoseconds Granted{};          ///< to the last question
  std::chrono::steady_clock::time_point Began; ///< when it was asked
  std::chrono::nanoseconds Spent{}, Longest = std::chrono::hours(1), InAll = std::chrono::hours(1);
};

} // namespace memshape
