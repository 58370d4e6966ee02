// A run as JSON and as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/forecast/Monitor.h"
#include "libmemshape/measurement/process/ControlGroup.h"
#include "libmemshape/measurement/process/Launch.h"
#include "libmemshape/measurement/record/RunRecord.h"
#include "libmemshape/measurement/stores/StoreFile.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace memshape {

struct Profile;

/// One run of a program: how it ended and what its processes recorded.
struct Run {
  std::vector<std::string> Command;
  Ending How;
  std::vector<RunRecord> Processes; ///< the program's own process first, where it was counted
  std::vector<StoreRecord> Stores;  ///< of <memshape/out_of_core.h>, in the order of their start
  LimitOutcome Limit;
  std::vector<ProcessTimeline> Timelines;             ///< if they were asked for
  std::optional<GroupMemory> GroupBefore, GroupAfter; ///< around the run, under --kernel
  std::vector<std::string> Notes;                     ///< what the reader must know about these figures
};

/// The record of the program's own process; null where it has none.
const RunRecord *ownProcess(const Run &R);

/// The figures of a shape: those of calls after the first one, if there are any.
inline const RunFigures &warmFigures(const RunGroup &Group) { return Group.Later.Calls ? Group.Later : Group.First; }

/// The same for a space; zeros if later calls did not use it.
inline const RunFigures &warmFigures(const RunGroup &Group, const RunSpaceFigures &Space) {
  return Group.Later.Calls ? Space.Later : Space.First;
}

/// Most operators and shapes of a process that are listed, and most of its phases.
constexpr std::size_t MostGroups = 10'000;

/// Groups of operator calls, or of phases, as indices in the order of their first calls: of more than MostGroups those
/// with the highest peaks.
std::vector<std::size_t> listedGroups(const RunRecord &Process, bool Phases);

constexpr std::uint32_t Host = 0; ///< the heap, as an enum memshape_space

/// "host", "device", ... of an enum memshape_space.
const char *spaceName(std::uint32_t Space);

/// What only the first call held in addition at its peak; 0 if there are no later calls.
std::int64_t oneTimeBytes(const RunGroup &Group);

/// The largest resident size of the process, bytes.
std::uint64_t residentPeak(const Run &R, const RunRecord &Process);

/// memshape.run/1; see docs/formats.md, section 5.
nlohmann::ordered_json runJson(const Run &R);

/// The figures of the heap, with how far the peak may be too low.
nlohmann::ordered_json heapJson(const RunHeld &Held);

/// Sites, each with the member that holds its bytes.
nlohmann::ordered_json sitesJson(const RunRecord &Process, const std::vector<RunSiteBytes> &Sites, std::uint32_t Space,
                                 const char *Member);

/// {"ni": 400}; what the arguments of a call do not tell is null.
nlohmann::ordered_json namedValues(const std::vector<std::string> &Names, const auto &Values) {
  auto To = nlohmann::ordered_json::object();
  for (std::size_t I = 0; I != Names.size(); ++I)
    if (isKnown(Values[I]))
      To[Names[I]] = Values[I];
    else
      To[Names[I]] = nullptr;
  return To;
}

/// The text page: what holds most, or, in Full, up to 100 operators and shapes of each process.
std::string runPage(const Run &R, bool Full = true);

/// A page for browsers.
std::string runHtml(const Run &R);

/// If a library allocates a large block, the runtime records where it was called as an address. Its source line is in
/// the program's debug information, if there is any, which llvm-symbolizer reads: sets the Caller members of the sites
/// of R whose lines are known; none without a symbolizer.
void nameCallSites(Run &R);

/// Live bytes over time of every process of a run, with the peaks that their records know and the spans of operator
/// calls and phases; see docs/formats.md, section 5.
nlohmann::ordered_json timelineJson(const Run &R, const std::vector<ProcessTimeline> &Timelines);

/// What a process held at its peak and requested in all, by call stack; the figures of its heap are the sum.
Profile profileOf(const RunRecord &Process);

/// The process of a run that a profile shows: the program's own, or of those that it started the one with the highest
/// peak. Null where no process counted stacks.
const RunRecord *profiledProcess(const Run &R);

/// Names of record files begin with this.
constexpr char RecordName[] = "record";

/// Reads the records of all processes, the program's own first, then in the order of their start. If a process was not
/// counted, a note gives the reason.
void readRecords(const std::filesystem::path &Folder, Run &R);

/// Adds notes about what the figures lack. If the program's own process left no record, a note gives the reason;
/// Program is its file.
void addNotes(const std::string &Program, Run &R);

} // namespace memshape
