// What the runner is asked and answers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only file that parses foreign JSON; docs/formats.md, section 4, is the format. Nothing here trusts its input,
// throws, or depends on LLVM, so the fuzzer links this file alone.

#pragma once

#include "runner/accounting/Accounting.h"
#include "runner/accounting/TriedChange.h"
#include "runner/protocol/FloatEnvironment.h"
#include "runner/protocol/MachineAnswers.h"
#include "runner/protocol/Places.h"
#include "runner/protocol/Request.h"
#include "runner/protocol/TeamWishes.h"
#include "runner/states/StateGraph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memshape {

/// The space of a site that stands for an argument which the caller of the operator has built. Such sites come first.
inline constexpr std::uint8_t ArgumentSpace = UINT8_MAX;
/// That of a site which stands for an extent of what the operator returns. They are the next.
inline constexpr std::uint8_t ResultSpace = UINT8_MAX - 1;

/// The first request: the skeleton and what holds for all its evaluations.
struct StartRequest {
  std::uint64_t BitcodeBytes = 0;
  std::uint64_t ObjectBytes = 0; ///< of machine code behind the bitcode; 0: none
  std::uint32_t Decisions = 0;
  std::vector<std::uint8_t> SiteSpaces; ///< one per site: an index of SpaceNames, or ArgumentSpace
  std::vector<std::string> Libraries;   ///< names for the loader
  double Seconds = 60;                  ///< of one evaluation
  std::uint64_t AddressSpaceBytes = 0;  ///< 0: no limit
  std::uint64_t ResidentBytes = 0;      ///< memory that an evaluation in a child may fill; 0: no limit
  bool Optimised = false;               ///< compile with optimisation: the evaluations will take long
  bool Replay = false;                  ///< the bitcode is a whole operator, and may throw and catch
  MachineAnswers::Facts Machine = {};   ///< where they differ from this machine's
};

/// Instructions of a typical processor per microsecond. Time limits are given in work, so that they are the same on
/// every machine.
inline constexpr std::int64_t WorkPerMicrosecond = 2000;
/// Which of the possible sizes a block with bounds gets.
enum class SizesFromData : std::uint8_t { AsAnswered, Least, Middle, Greatest };

/// Limits of an exploration.
struct ExplorationLimits {
  std::uint32_t States = 0;
  std::int64_t Work = 0;   ///< instructions
  std::uint64_t Bytes = 0; ///< of waiting states
};

/// One evaluation, or one at each of many shapes, or an exploration.
struct EvaluationRequest {
  std::vector<std::int64_t> Shape;
  std::vector<std::vector<std::int64_t>> Shapes;
  bool Many = false; ///< Shapes is used, and answers are rows
  /// Value decisions whose answers follow the extents in each of Shapes.
  std::vector<std::uint32_t> ValuesAt;
  std::vector<double> Settings;
  std::vector<std::uint32_t> Absent; ///< tensors, from 0, that the caller passes null for
  std::vector<std::pair<std::uint32_t, BranchAnswer>> Branches;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> Ones; ///< branches that are answered 1 this often, then 0
  std::vector<std::pair<std::uint32_t, std::uint64_t>> Values;
  SizesFromData Sizes = SizesFromData::AsAnswered;
  TeamWishes Teams;                   ///< how many threads regions have
  unsigned Space = 0;                 ///< whose peak, sums and bounds are asked: an index of SpaceNames
  std::vector<std::uint32_t> Refused; ///< unknown calls that are left out, by number
  Change Tried;                       ///< blocks count as if the program were changed so
  std::optional<ExplorationLimits> Explore;
  std::int64_t Work = INT64_MAX;      ///< instructions of one evaluation
  std::int64_t WorkInAll = INT64_MAX; ///< of all of Shapes
  double Seconds = 0;                 ///< of processor time, where instructions cannot be counted; 0: as in the start
                                      ///< request
  std::uint32_t Steps = 0;            ///< greatest number of steps of live bytes over the call; 0: none
  /// Circumstances of the call: how floating-point arithmetic rounds, where blocks lie and in which order, and the
  /// shapes of calls between the first one and the last one.
  std::uint32_t Rounds = 0;            ///< a state of Rounding
  std::uint32_t PlacesOrder = 0;       ///< see Places
  std::vector<std::uint32_t> Compared; ///< blocks that lie in it, by number
  std::vector<std::int64_t> First;     ///< shape of the first call; none: that of the request
  std::vector<std::vector<std::int64_t>> Between;
  /// Which call, from 1, ends at which of the places where it may; 0: none does.
  std::uint32_t Ending = 0, EndsAt = 0;
};

/// Parse one line. False with a one-line Problem if it is not a valid request.
bool parseStart(std::string_view Line, StartRequest &Request, std::string &Problem);
bool parseEvaluation(std::string_view Line, EvaluationRequest &Request, std::string &Problem);

/// The figures of an evaluation that came to its end: those of the space that was asked for, where no other is named.
struct EvaluationFigures {
  std::int64_t Peak = 0, Total = 0, Output = 0, OneTime = 0;
  std::int64_t Most = 0;      ///< no order of threads has a higher peak
  std::int64_t Least = 0;     ///< a peak that is reached in every order of threads
  std::int64_t Undecided = 0; ///< peak before the first decision, which is reached for all data
  /// Highest sum of what is written of blocks, and of blocks and tensors; nothing where unknown.
  std::optional<std::int64_t> Touched, TouchedWithTensors;
  std::optional<std::int64_t> Kept;       ///< how much higher these are with freed memory that glibc keeps
  std::optional<std::int64_t> CalledCode; ///< resident code of libraries that were called for real
  bool Varies = false;                    ///< other orders may differ in more than the peak
  std::uint32_t Threads = 0;              ///< of the request or the machine, if the skeleton asked for them
  TeamFigures Teams;
  std::uint64_t Allocations = 0, Reallocations = 0;
  std::vector<std::pair<unsigned, std::int64_t>> SpacePeaks; ///< host always, others where not 0
  std::vector<Accounting::SiteFigure> SitesAtPeak;
  struct SiteRequest {
    std::int32_t Site;
    std::uint64_t Bytes, Times;
    std::int64_t Left;           ///< live at the return
    std::uint64_t Reallocations; ///< among Times
  };
  std::vector<SiteRequest> Requests; ///< of all sites; empty where unknown
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
  std::vector<Step> Steps; ///< if they were asked for
  std::uint64_t Events = 0, EventsPerStep = 1;
  struct Value {
    std::uint32_t Id;
    std::uint64_t Least, Greatest; ///< of the answers
  };
  std::vector<Value> Values;
  std::vector<std::pair<std::string, std::int64_t>> Machine; ///< what was asked about the machine
  std::vector<std::string> Presumed; ///< facts of the device that nobody gave, where it was asked for any
  std::vector<std::pair<std::string, std::string>> Environment; ///< variables that were asked for
  std::vector<std::uint32_t> Unknowns;                          ///< numbers of calls that were met and not executed
  std::vector<std::uint32_t> UnknownsOfArguments;               ///< those of them that building arguments came to
  std::vector<std::uint32_t> Resized;                           ///< tensors that the call freed or reallocated
  std::vector<std::int32_t> Endless;                            ///< sites that requested a size without an upper bound
  std::vector<std::uint32_t> Wraps; ///< numbers of arithmetic of sizes that has left its type
  /// Blocks that were compared, by number, each once; 0: something else. Of more than Places::MostCompared no more.
  std::vector<std::uint32_t> Compared;
  std::uint32_t FloatEvents = 0;       ///< flags
  bool CountsWhole = false;            ///< of a change that is tried: TriedChange::countsWhole()
  bool ThreadStarted = false;          ///< by a library: its allocations may vary from run to run
  std::vector<std::uint32_t> Recalled; ///< numbers of values that the call used and that calls at other shapes may have
                                       ///< left
  bool Remembers = false;              ///< the skeleton has variables that outlive a call
  bool Unsettled = false;              ///< and the call has changed their values
  std::uint64_t State = 0;             ///< a hash of the values that it has left
  /// How often the first call, and this one, came to a place where some call may end half-way.
  std::vector<std::uint32_t> MayEnd;
  double Microseconds = 0;           ///< of the second call
  std::int64_t WorkMicroseconds = 0; ///< of both calls on a typical processor, by the instructions executed
};

/// What an exploration came to.
struct ExplorationFigures {
  bool Complete = false; ///< every run was followed; Runs covers all that return
  bool TooMany = false;  ///< there are too many states to follow
  const char *Why = "";  ///< the reason if it is not complete
  StateGraph::Figures Runs;
  std::uint32_t States = 0;
  std::int64_t HighestSeen = 0;      ///< highest peak of the runs that were followed
  std::int64_t WorkMicroseconds = 0; ///< as those of an evaluation
  std::uint32_t FloatEvents = 0;     ///< flags, of all runs together
  /// Some run asks which of two places in different objects comes first, or how far they are apart.
  bool AsksOrders = false, AsksDistances = false;
  /// Decisions that were asked, each with its number of states.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> Decisions;
};

/// Answers, each one line with its end.
std::string formatReady(double Milliseconds, bool Forked, bool FromObject);
std::string formatFigures(const EvaluationFigures &Figures);
std::string formatExploration(const ExplorationFigures &Figures);
/// The same in short, for one of many shapes.
std::string formatRow(const EvaluationFigures &Figures);
/// Status: "throws", "limit" or "error". Reason: the number that the skeleton gave for leaving, if it did. Wraps: of
/// arithmetic of sizes that has left its type.
std::string formatProblem(std::string_view Status, std::string_view Message,
                          std::optional<std::uint32_t> Reason = std::nullopt,
                          const std::vector<std::uint32_t> &Wraps = {});
/// The same where argument Building, from 1, was being built. Unknowns: the calls that building arguments came to.
std::string formatUnbuilt(std::string_view Message, std::optional<std::uint32_t> Reason, std::uint32_t Building,
                          const std::vector<std::uint32_t> &Unknowns);

} // namespace memshape
