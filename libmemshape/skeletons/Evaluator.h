// Running a skeleton at a shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"
#include "runner/protocol/TeamWishes.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace memshape {

/// What blocks would count as if a line of the program were changed: docs/formats.md, section 4.
struct TriedChange {
  enum class Kind { None, Scale, Close, Reserve } What = Kind::None;
  std::vector<std::uint32_t> Sites;   ///< whose blocks change
  std::vector<std::uint32_t> Before;  ///< Close: they are freed before these sites allocate
  std::vector<std::uint32_t> Into;    ///< Reserve: blocks of these sites take their places
  std::uint64_t Times = 0, Parts = 1; ///< Scale: a block counts Times / Parts of its bytes, rounded up
  /// Scale: Parts is the value of this parameter of the shape instead.
  std::optional<std::size_t> Extent = {};
};

/// What a skeleton is asked.
struct Question {
  std::vector<std::int64_t> Shape;
  std::vector<double> Settings;
  std::set<std::string> Open = {}; ///< symbols that are not given: what their arguments take is not known
  std::map<std::uint32_t, std::uint32_t> Branches; ///< decision and answer, 0 or 1
  std::map<std::uint32_t, std::uint64_t> Values;   ///< decision and integer
  std::uint32_t Threads = 0;                       ///< where the operator asks for no number; 0: the machine's
  std::set<std::uint32_t> Refused = {};            ///< unknown calls that are left out, by number
  /// Tensors that the caller says to be there, or to be null, by their numbers; all others are taken to be there.
  std::map<std::uint32_t, bool> Presence = {};
  /// Value decisions whose answers stand behind the extents where many shapes are asked for.
  std::vector<std::uint32_t> ValuesAt = {};
  /// Which sizes are taken of those that data can make, where the skeleton knows bounds.
  enum class Sizes { AsAnswered, Least, Middle, Greatest } SizesFromData = Sizes::AsAnswered;
  std::chrono::milliseconds MostWork{0};            ///< as Evaluator::busy() tells it; 0: what is allowed anyway
  std::uint32_t Steps = 0;                          ///< of what is live over the call, at most; 0: none are wanted
  std::map<std::uint32_t, std::uint64_t> Ones = {}; ///< branches that are answered 1 so often, then 0
  /// The circumstances of the call (docs/formats.md, section 4): a rounding mode, 0 for the nearest; the order in which
  /// blocks lie, 0 for upwards; the shape of the first call, where it is not that of the question; and the shapes of
  /// calls between the first one and the one that is answered.
  std::uint32_t Rounding = 0;
  std::uint32_t Places = 0;
  std::vector<std::uint32_t> Compared = {}; ///< blocks that lie in the Places-th of their orders, by number
  std::vector<std::int64_t> First = {};
  std::vector<std::vector<std::int64_t>> Between = {};
  /// Which call, from 1, ends half-way, and at which of the places where some call may; 0: none does.
  std::uint32_t Ending = 0, EndsAt = 0;
  /// The most threads of the first, the second ... region whose team may have fewer than it asks for; the last number
  /// holds on. And whether regions inside of regions have as many as they ask for.
  std::vector<std::uint32_t> TeamSizes = {};
  bool NestedTeams = false;
  std::uint32_t ThreadOrder = 0; ///< which thread of a team comes first: TeamWishes::Order
  /// The memory space whose peak, sums, bounds and formulas are wanted; "" for the host's.
  std::string Space = {};
  TriedChange Tried = {};
};

/// How a decision was asked for.
struct DecisionUse {
  std::uint32_t Id = 0;
  std::uint64_t Asked = 0;
  std::uint64_t Ones = 0;
};

/// Site id of allocations inside libraries that were called for real.
inline constexpr std::int64_t LibrarySite = -1;

/// What a site has requested, live or not.
struct SiteRequests {
  std::uint64_t Bytes = 0, Times = 0;
  std::uint64_t Left = 0;          ///< bytes live at the return
  std::uint64_t Reallocations = 0; ///< among Times
  friend bool operator==(const SiteRequests &, const SiteRequests &) = default;
};

/// What is live after an allocation or a free.
struct LiveStep {
  std::uint64_t Event = 0; ///< its number in the call, from 0
  std::int64_t Site = LibrarySite;
  std::int64_t Change = 0; ///< bytes; negative for a free
  std::int64_t Live = 0;   ///< bytes of all spaces; negative where the call has freed more than it allocated so far
  std::vector<std::pair<std::int64_t, std::int64_t>> Held; ///< site and bytes
};

/// The answer of an evaluation, as in docs/formats.md, section 4. Bytes, except for the counts.
struct Footprint {
  enum class Status { Ok, Throws, Limit, Error };
  Status Outcome = Status::Error;
  std::string Message;                    ///< where the outcome is not Ok
  std::optional<std::uint32_t> Reason;    ///< why the skeleton left: memshape_sk_reason of memshape/SkeletonAbi.h
  std::optional<std::uint32_t> Attempted; ///< the unknown call that was executed last before the skeleton failed
  std::uint64_t Peak = 0, Total = 0, Allocations = 0, Reallocations = 0, Output = 0, OneTime = 0;
  std::uint64_t Above = 0;     ///< some order of threads may lead to a peak so much higher
  std::uint64_t Below = 0;     ///< some to one so much lower
  std::uint64_t Undecided = 0; ///< peak before the first decision: it is reached whatever data answers
  /// What is written of it, at most, at the moment when that is most; of it and of the tensors that were given,
  /// together.
  std::optional<std::uint64_t> Touched, TouchedWithTensors;
  /// How much higher these are with freed memory that the allocator does not give back.
  std::optional<std::uint64_t> Kept;
  std::optional<std::uint64_t> CalledCode; ///< bytes of libraries that were called for real, code and data, in memory
  bool Varies = false;                     ///< other orders may request other totals and counts
  std::uint32_t Threads = 0; ///< that the question or the machine gives, where the operator asked for them
  TeamFigures Teams;         ///< what else its teams depended on
  std::map<std::string, std::uint64_t> Spaces;
  std::map<std::int64_t, std::uint64_t> SiteBytes;  ///< at the peak
  std::map<std::int64_t, std::uint64_t> SiteBlocks; ///< that these lie in; absent where none are
  std::map<std::int64_t, SiteRequests> Requested;   ///< by site, in all; empty where that is not known
  std::vector<DecisionUse> Decisions;               ///< those that were asked for
  std::map<std::string, std::int64_t> Machine;      ///< what was asked about the machine, with the answers
  std::set<std::string> Presumed;                   ///< facts of a device that nobody gave, where one was asked for
  std::map<std::string, std::string> Environment;   ///< variables that were asked for; "" where not set
  std::vector<std::uint32_t> UnknownMet;            ///< unknown calls that the operator came to, by number
  std::vector<std::uint32_t> UnknownInArguments;    ///< those of them that building arguments came to
  std::vector<std::uint32_t> Resized;               ///< tensors, from 1, whose memory the call frees or reallocates
  std::uint32_t Building = 0;          ///< the argument, from 1, that was being built when the skeleton failed or left
  bool Remembers = false;              ///< there are variables that outlive a call
  std::vector<std::uint32_t> Recalled; ///< what calls at other shapes may have left and was used, by number
  bool Unsettled = false;              ///< and the call has left other values in them than it found
  std::uint64_t State = 0;             ///< the values that it has left, as one number
  /// How often the first call, and this one, came to places where some call may end half-way; or empty.
  std::vector<std::uint32_t> MayEnd;
  std::vector<std::int64_t> Endless; ///< sites that were asked for a size from data without a bound
  std::vector<std::uint32_t> Wraps;  ///< numbers of arithmetic that has left its type on the way to a size
  bool ThreadStarted = false;        ///< by a library: what it allocates may vary from run to run
  /// Blocks that were compared with others, by number, where places are not used again; 0: something else.
  std::vector<std::uint32_t> Compared;
  std::uint32_t FloatEvents = 0; ///< what its arithmetic has met: flags of memshape::FloatEvents
  bool CountsWhole = false;      ///< of a change that is tried: blocks that grow may need less
  double Microseconds = 0;
  std::uint64_t WorkMicroseconds = 0; ///< on a usual processor, by the instructions that were counted
  std::vector<LiveStep> Steps;        ///< where they were asked for
  std::uint64_t Events = 0;           ///< allocations and frees behind Steps
  std::uint64_t EventsPerStep = 1;
};

/// A footprint in short: what formulas are made of.
struct FootprintRow {
  std::int64_t Peak = 0, Total = 0, Output = 0, Allocations = 0;
  std::int64_t Microseconds = 0;                                ///< of work, as WorkMicroseconds
  std::vector<std::pair<std::int64_t, std::int64_t>> SiteBytes; ///< at the peak
};

/// Row by row; nothing where the operator does not return at a shape.
using FootprintRows = std::vector<std::optional<FootprintRow>>;

FootprintRow rowOf(const Footprint &F);

/// Parses one row of the runner's answer to many shapes.
std::optional<FootprintRow> parseRow(std::string_view Line);

/// Parses one answer of the runner. Unknown statuses and wrong types are Failures.
Result<Footprint> parseFootprint(std::string_view Line);

/// All runs at a shape, with every way of answering decisions: docs/formats.md, section 4.
struct AllRuns {
  bool Complete = false;              ///< every run was followed
  bool TooMany = false;               ///< there were too many states for that
  bool Alike = false;                 ///< and all that return are equal in the figures below
  std::uint64_t Lower = 0, Upper = 0; ///< of the peaks, where complete
  std::uint64_t Highest = 0;          ///< peak that was seen, complete or not
  std::uint64_t Total = 0, Allocations = 0, Reallocations = 0, Output = 0;
  std::uint64_t States = 0;
  std::uint64_t WorkMicroseconds = 0;                            ///< as that of a footprint
  std::uint32_t FloatEvents = 0;                                 ///< that some run has met
  bool AsksOrders = false, AsksDistances = false;                ///< of places in different objects, in some run
  std::vector<std::pair<std::uint32_t, std::uint64_t>> StatesOf; ///< decision, and states in which it was asked
  std::string Why;                                               ///< it is not complete
};

struct RunLimits {
  std::uint64_t States = 0;
  std::chrono::milliseconds Time{0}; ///< as Evaluator::busy() tells it
  std::uint64_t Bytes = 0;           ///< of memory for states that wait
};

/// Parses the runner's answer to that.
Result<AllRuns> parseAllRuns(std::string_view Line);

/// Something that knows an operator's footprint: the runner, or a function in a test.
class Evaluator {
public:
  virtual ~Evaluator() = default;
  /// A Failure says that no answer came at all.
  virtual Result<Footprint> evaluate(const Question &Asked) = 0;
  /// Nothing where that cannot be told.
  virtual std::optional<AllRuns> explore(const Question &, const RunLimits &) { return std::nullopt; }
  /// Asked at each of Shapes instead of its own. Fewer rows than shapes: after these no answer came.
  virtual FootprintRows evaluateAt(const Question &Asked, std::span<const std::vector<std::int64_t>> Shapes);
  /// What the answers so far take on a usual processor, by a count of their work: the same in every run. Nothing where
  /// that is not counted.
  virtual std::optional<std::chrono::nanoseconds> busy() const { return std::nullopt; }
};

} // namespace memshape
