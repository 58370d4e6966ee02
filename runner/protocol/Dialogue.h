//===- Dialogue.h - What the runner is asked and answers -----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file that meets foreign JSON; docs/formats.md, section 4, is the format. Nothing here trusts its input,
// nothing throws, and nothing depends on LLVM: the fuzzer links this file alone.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_DIALOGUE_H
#define MEMSHAPE_SKELETON_DIALOGUE_H

#include "runner/protocol/FloatEnvironment.h"
#include "runner/protocol/MachineAnswers.h"
#include "runner/protocol/Places.h"
#include "runner/states/StateGraph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memshape {

/// The first request: the skeleton and what holds for all its evaluations.
struct StartRequest {
  std::uint64_t BitcodeBytes = 0;
  std::uint64_t ObjectBytes = 0; ///< of machine code behind the bitcode; 0: none
  std::uint32_t Decisions = 0;
  std::vector<std::uint8_t> SiteSpaces; ///< one per site, an index of SpaceNames
  std::vector<std::string> Libraries;   ///< names for the loader
  double Seconds = 60;                  ///< of one evaluation
  std::uint64_t AddressSpaceBytes = 0;  ///< 0: no limit
  std::uint64_t ResidentBytes = 0;      ///< memory that an evaluation in a child may fill; 0: no limit
  bool Optimised = false;               ///< the code generator shall take its time: the evaluations will
  bool Replay = false;                  ///< the bitcode is an operator as it is, and may throw and catch
  MachineAnswers::Facts Machine = {};   ///< of another machine than this one
};

/// How a branch decision is answered: always alike, or differently from time to time, as data in a loop may.
enum class BranchAnswer : std::uint8_t { No, Yes, InTurns, AtRandom, YesAtFirst, NoAtFirst, YesSoOften };
inline constexpr std::uint64_t BranchAnswers = 6; ///< without the last, which needs a count

/// What a usual processor executes in a microsecond: time is told, and allowed, in work that every machine counts
/// alike.
inline constexpr std::int64_t WorkPerMicrosecond = 2000;
/// Which of the sizes that data can make of a block is taken, where the skeleton knows bounds.
enum class SizesFromData : std::uint8_t { AsAnswered, Least, Middle, Greatest };

/// How far all ways of answering are followed.
struct ExplorationLimits {
  std::uint32_t States = 0;
  std::int64_t Work = 0;   ///< instructions
  std::uint64_t Bytes = 0; ///< of states that wait
};

/// One evaluation, or one at each of many shapes, or an exploration.
struct EvaluationRequest {
  std::vector<std::int64_t> Shape;
  std::vector<std::vector<std::int64_t>> Shapes;
  bool Many = false; ///< Shapes counts, and answers are rows
  /// Value decisions whose answers stand behind the extents of each of Shapes.
  std::vector<std::uint32_t> ValuesAt;
  std::vector<double> Settings;
  std::vector<std::pair<std::uint32_t, BranchAnswer>> Branches;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> Ones; ///< branches that are answered 1 so often, then 0
  std::vector<std::pair<std::uint32_t, std::uint64_t>> Values;
  SizesFromData Sizes = SizesFromData::AsAnswered;
  std::uint32_t Threads = 0;          ///< of a team that asks for no number; 0: the machine's default
  std::vector<std::uint32_t> Refused; ///< unknown calls that are left out, by number
  std::optional<ExplorationLimits> Explore;
  std::int64_t Work = INT64_MAX;      ///< instructions of one evaluation
  std::int64_t WorkInAll = INT64_MAX; ///< of all of Shapes
  double Seconds = 0;                 ///< of processor time, where instructions do not tell; 0: as the start says
  std::uint32_t Steps = 0;            ///< of what is live over the call, at most; 0: none are wanted
  /// The circumstances of the call: how floating-point arithmetic rounds, whether blocks lie elsewhere and in another
  /// order, and the shapes of calls between the first one and the one that is answered.
  Rounding Rounds = Rounding::Nearest;
  Places BlocksLie = Places::Upwards;
  std::vector<std::int64_t> First; ///< shape of the first call; none: that of the request
  std::vector<std::vector<std::int64_t>> Between;
};

/// Parse one line. False with a one-line Problem where the line is not such a request.
bool parseStart(std::string_view Line, StartRequest &Request, std::string &Problem);
bool parseEvaluation(std::string_view Line, EvaluationRequest &Request, std::string &Problem);

/// The figures of an evaluation that came to its end.
struct EvaluationFigures {
  std::int64_t Peak = 0, Total = 0, Output = 0, OneTime = 0;
  std::int64_t Most = 0;      ///< no order of threads leads to a higher peak
  std::int64_t Least = 0;     ///< a peak that is reached in whatever order threads run
  std::int64_t Undecided = 0; ///< peak before the first decision: it is reached whatever data answers
  /// Highest sum of what is written of blocks, and of blocks and tensors; nothing where that is not known.
  std::optional<std::int64_t> Touched, TouchedWithTensors;
  std::optional<std::int64_t> Kept;       ///< how much higher these are with freed memory that glibc keeps
  std::optional<std::int64_t> CalledCode; ///< of libraries that were called for real, in memory
  bool Varies = false;                    ///< other orders may differ in more than the peak
  std::uint32_t Threads = 0;              ///< of the request or the machine, where the skeleton asked for them
  std::uint64_t Allocations = 0, Reallocations = 0;
  std::vector<std::pair<unsigned, std::int64_t>> SpacePeaks;      ///< host always, others where not 0
  std::vector<std::pair<std::int32_t, std::int64_t>> SitesAtPeak; ///< site, bytes
  struct SiteRequest {
    std::int32_t Site;
    std::uint64_t Bytes, Times;
    std::int64_t Left; ///< live at the return
  };
  std::vector<SiteRequest> Requests; ///< of the sites, in all; empty where that is not known
  struct Decision {
    std::uint32_t Id;
    std::uint64_t Asked, Ones;
  };
  std::vector<Decision> Decisions;
  /// A moment of the call, and what its sites hold then: LiveSteps.h.
  struct Step {
    std::uint64_t Event;
    std::int32_t Site;
    std::int64_t Change, Live;
    std::vector<std::pair<std::int32_t, std::int64_t>> Held = {};
  };
  std::vector<Step> Steps; ///< where they were asked for
  std::uint64_t Events = 0, EventsPerStep = 1;
  struct Value {
    std::uint32_t Id;
    std::uint64_t Least, Greatest; ///< of the answers
  };
  std::vector<Value> Values;
  std::vector<std::pair<std::string, std::int64_t>> Machine;    ///< what was asked about it
  std::vector<std::pair<std::string, std::string>> Environment; ///< variables that were asked for
  std::vector<std::uint32_t> Unknowns;                          ///< calls that were met and not executed, by number
  std::vector<std::int32_t> Endless;                            ///< sites that were asked for a size without a bound
  bool ThreadStarted = false;          ///< by a library: what it allocates may vary from run to run
  std::vector<std::uint32_t> Recalled; ///< what calls at other shapes may have left and was used, by number
  bool Remembers = false;              ///< the skeleton has variables that outlive a call
  bool Unsettled = false;              ///< and the call has left other values in them than it found
  std::uint64_t State = 0;             ///< the values that it has left, as one number
  double Microseconds = 0;             ///< of the second call
  std::int64_t WorkMicroseconds = 0;   ///< of both calls on a usual processor, by what they have executed
};

/// What an exploration came to.
struct ExplorationFigures {
  bool Complete = false; ///< every run was followed, and Runs speaks of all that return
  bool TooMany = false;  ///< there are too many states for that
  const char *Why = "";  ///< it is not complete
  StateGraph::Figures Runs;
  std::uint32_t States = 0;
  std::int64_t HighestSeen = 0;      ///< peak of what was followed
  std::int64_t WorkMicroseconds = 0; ///< as those of an evaluation
  /// Those that were asked for, with the states in which they were.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> Decisions;
};

/// Answers, each one line with its end.
std::string formatReady(double Milliseconds, bool Forked, bool FromObject);
std::string formatFigures(const EvaluationFigures &Figures);
std::string formatExploration(const ExplorationFigures &Figures);
/// The same in short, for one of many shapes.
std::string formatRow(const EvaluationFigures &Figures);
/// Status: "throws", "limit" or "error". Reason: the number that the skeleton gave for leaving, if it did.
std::string formatProblem(std::string_view Status, std::string_view Message,
                          std::optional<std::uint32_t> Reason = std::nullopt);

} // namespace memshape

#endif // MEMSHAPE_SKELETON_DIALOGUE_H
