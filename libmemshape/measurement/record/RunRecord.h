// The runtime's record of a process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/text/Result.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memshape {

/// A place that allocates. Origin is an enum memshape_record_origin.
struct RunSite {
  std::string File;
  std::string Function; ///< of a library: "" or the code that called it, "module+0xoffset"
  std::uint32_t Line = 0;
  std::uint32_t Column = 0;
  std::uint32_t Space = 0;
  std::uint32_t Origin = 0;
  std::string CallerFile; ///< of a library: the source of the call, if known; see nameCallSites()
  std::string CallerFunction;
  std::uint32_t CallerLine = 0;
};

struct RunOperator {
  std::string Name;
  std::string File;
  std::uint32_t Line = 0;
  std::vector<std::string> ShapeNames;
  std::vector<std::string> SettingNames;
  std::string Library;  ///< path of the library that defines it; "" for the executable
  bool IsPhase = false; ///< declared by the program, see <memshape/annotate.h>
};

/// An allocator that the program declared.
struct RunPool {
  std::string Name;
  std::int64_t Live = 0;
  std::int64_t Peak = 0;
  std::uint64_t Held = 0; ///< bytes that it has from elsewhere
  std::uint64_t HeldPeak = 0;
  std::uint64_t Total = 0;
  std::uint64_t Allocations = 0;
  std::uint64_t Frees = 0;
};

struct RunSiteBytes {
  std::uint32_t Site = 0; ///< index into RunRecord::Sites
  std::int64_t Bytes = 0; ///< at the peak, minus those at the call's entry
};

/// What calls, or a process, have held of a memory space and requested of it.
struct RunHeld {
  std::int64_t Peak = 0;
  std::int64_t PeakError = 0; ///< Peak may be too low by this much, where threads met at a peak
  std::uint64_t Total = 0;
  std::uint64_t Allocations = 0, Reallocations = 0;
  std::int64_t Output = 0; ///< live at the end less live at the beginning
};

/// Figures of one or several calls; see struct memshape_record_figures.
struct RunFigures : RunHeld {
  std::uint64_t Calls = 0;
  std::int64_t PeakLeast = 0;
  std::uint64_t Nanoseconds = 0;   ///< sum over the calls
  std::vector<RunSiteBytes> Sites; ///< the largest first
};

/// What a group's calls held in one memory space other than the heap. Calls is 0 if no call used it.
struct RunSpaceFigures {
  RunFigures First;
  RunFigures Later; ///< of the later call that held most
};

/// The resident size around one call, bytes.
struct RunResidence {
  std::int64_t Entry = 0; ///< 0: not measured
  std::int64_t Peak = 0;
  std::int64_t Exit = 0;
  std::int64_t MinorFaults = 0;
  std::int64_t MajorFaults = 0;
  bool Exact = false; ///< else the peak may be one from before the call
};

/// The process as the kernel and the allocator saw it; see struct memshape_record_kernel.
struct RunMoment {
  std::uint64_t Time = 0; ///< ns since the start of the record
  std::int64_t Live = 0, Resident = 0;
  std::int64_t Anonymous = 0, Files = 0, Stack = 0, Own = 0, Other = 0; ///< add up to Resident
  std::int64_t Proportional = 0, Exclusive = 0, Shared = 0, Swapped = 0, Huge = 0;
  std::int64_t AllocatorSystem = 0, AllocatorUsed = 0, AllocatorFree = 0, AllocatorTop = 0;
  std::int64_t MinorFaults = 0, MajorFaults = 0;
};

/// A symbol or a setting of a call has a value: its arguments tell it.
constexpr std::int64_t UnknownExtent = std::numeric_limits<std::int64_t>::min(); ///< MEMSHAPE_UNKNOWN_EXTENT
inline bool isKnown(std::int64_t Extent) { return Extent != UnknownExtent; }
inline bool isKnown(double Setting) { return !std::isnan(Setting); }

/// The calls of one operator at one shape and choice of settings.
struct RunGroup {
  std::uint64_t Offset = 0;   ///< its place in the record, to which RunCall::Group refers
  std::uint32_t Operator = 0; ///< index into RunRecord::Operators
  std::vector<std::int64_t> Shape;
  std::vector<double> Settings;
  RunFigures First;
  RunFigures Later; ///< second and later calls
  RunResidence ResidenceFirst, ResidenceLater;
  std::map<std::uint32_t, RunSpaceFigures> Spaces; ///< by enum memshape_space; those that a call touched
  std::uint64_t Jumped = 0;
  std::uint64_t Unfinished = 0;
  bool Damaged = false; ///< neither copy of the figures is valid
};

/// One call; Ending is an enum memshape_record_ending.
struct RunCall : RunHeld {
  std::size_t Group = 0; ///< index into RunRecord::Groups
  std::uint64_t Sequence = 0;
  std::uint64_t Started = 0; ///< ns since the start of the record
  std::uint64_t Nanoseconds = 0;
  std::int64_t Base = 0; ///< live bytes at entry
  std::uint32_t Thread = 0, Depth = 0, Ending = 0;
};

/// A call that had not ended when the record was read.
struct RunOpenCall {
  std::size_t Group = 0;      ///< index into RunRecord::Groups
  std::uint64_t Sequence = 0; ///< order of entry
  std::uint64_t Started = 0;  ///< ns since the start of the record
  std::int64_t Base = 0;      ///< live bytes at entry
  std::uint32_t Thread = 0;
  std::uint32_t Depth = 0;
};

/// What a process has in one memory space.
struct RunSpace : RunHeld {
  std::int64_t InheritedLive = 0, Live = 0;
  std::uint64_t Frees = 0;
  std::vector<RunSiteBytes> LiveSites; ///< what each site holds now or held last, the largest first

  bool used() const { return Allocations || Reallocations || Frees || Live || Peak; }
};

/// A call on the way to an allocation.
struct RunFrame {
  std::uint32_t Module = 0; ///< index into RunRecord::Modules
  std::uint64_t Offset = 0; ///< of the call, from where the module is loaded
};

/// What one call stack holds at the process's peak, and has requested; counted on demand.
struct RunStack {
  std::uint32_t Site = 0;       ///< index into RunRecord::Sites
  std::vector<RunFrame> Frames; ///< the innermost first; empty where the calls are not known
  std::int64_t LiveBytes = 0, LiveBlocks = 0;
  std::uint64_t TotalBytes = 0, Allocations = 0, Reallocations = 0;
};

/// One process, and what it has in the heap. Bytes are requested ones.
struct RunRecord : RunSpace {
  std::string Program;
  std::uint64_t Pid = 0;
  std::uint64_t Parent = 0;
  std::uint64_t Started = 0;      ///< Unix time, ns
  bool Ended = false;             ///< by return from main or exit
  std::uint64_t State = 0;        ///< enum memshape_record_state
  std::uint64_t Mode = 0;         ///< enum memshape_record_mode
  bool CountsCalls = false;       ///< an instrumented module was loaded: sites and calls are known
  bool StillRunning = false;      ///< set by the reader that checks the process
  std::uint64_t ResidentPeak = 0; ///< 0 if the process did not end by itself
  std::uint64_t LostOperations = 0;
  std::uint64_t LostCalls = 0;
  std::uint64_t UnlistedCalls = 0;
  std::optional<RunMoment> AtPeak; ///< of the heap, before it fell; under --kernel
  std::optional<RunMoment> AtEnd;
  std::array<RunSpace, 7> Spaces; ///< other than the heap, by enum memshape_space
  std::vector<RunSite> Sites;
  std::vector<RunOperator> Operators;
  std::vector<RunPool> Pools;
  std::vector<RunGroup> Groups;     ///< in the order of their first calls
  std::vector<RunCall> Calls;       ///< in the order of entry
  std::vector<RunOpenCall> Open;    ///< in the order of entry
  std::vector<std::string> Modules; ///< paths of executables and libraries; "" where one is not known
  std::vector<RunStack> Stacks;     ///< in the order of their sites
  bool CountsStacks = false;
};

/// The peak according to a record's header: bytes that were live, and how many more there may have been. The arguments
/// are the header's peak, peak_most, limit and slack.
struct RunPeak {
  RunPeak(std::int64_t Peak, std::int64_t PeakMost, std::int64_t Limit, std::int64_t Slack);
  std::int64_t Peak;
  std::int64_t Error;
};

/// Reads the bytes of a record file, complete or as a killed process left it. Layout: runtime/src/record/record.h.
Result<RunRecord> readRunRecord(std::string_view Bytes);

} // namespace memshape
