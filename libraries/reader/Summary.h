// What a function without a body does to memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace memshape {

enum class Treatment {
  Compute,   ///< result from the arguments alone, no memory: executed where the result is needed (libm)
  Inspect,   ///< reads memory it is given, allocates nothing: executed where the result is needed (strlen, tree walks)
  Adjust,    ///< reads and writes memory it is given, allocates nothing: executed where what it writes is needed
  Perform,   ///< may allocate: executed always, its allocations are counted (std::string, FFTW's planner)
  Repeat,    ///< as Perform, but each call with the same first argument allocates alike: one call stands for all
  Ask,       ///< as Compute, but the answer is the machine's, not the shape's (omp_get_max_threads)
  Skip,      ///< allocates nothing that a later call would not find; only writes data (BLAS, printf)
  Forbidden, ///< reaches out of the process: treated as Unknown, and the answer says why
  Unknown    ///< no summary
};

/// A call whose argument, or the integer behind it, is -1 asks for the size of a workspace and computes nothing.
struct WorkspaceQuery {
  unsigned Argument;
  uint64_t Reads, Writes; ///< bit i: memory behind argument i, when the call is a query
};

/// Where the integer argument has none of these bits, something else than extents decides what is allocated: a planner
/// that measures takes the time.
struct PlannerFlags {
  unsigned Argument;
  uint64_t Bits;
  llvm::StringRef Otherwise; ///< what decides then, to be displayed
};

/// The summary holds for calls with a format of which it is known, in front of every run, that no conversion needs
/// memory of its own.
struct FormatRule {
  unsigned Argument; ///< the format
  bool Scans;        ///< it says what is read, not what is written
  uint64_t Most;     ///< digits behind the point that are written, digits that are read: no more than so many
  int Text = -1;     ///< the argument that is read, where that is a text
};

/// An object that holds one buffer, as a string does.
struct BufferHolder {
  unsigned Bytes;             ///< of the object
  unsigned Pointer;           ///< where in it the pointer to the buffer is
  unsigned Small;             ///< where the buffer for short contents is
  bool ContentsDecide = true; ///< how long they get may follow from what is in a buffer or a text
};

/// What a function that is called for real requests at most, where a bound is counted.
struct MostRequested {
  uint64_t Bytes = 0;
  int Text = -1;       ///< and the length of this argument, a text
  int Number = -1;     ///< and the number that this argument is
  bool Thrown = false; ///< for an exception that it throws, or that its first argument is
};

/// The integers that it returns are no greater than Percent / 100 of the sum of these arguments, and Plus.
struct MostReturned {
  uint64_t Arguments = 0; ///< bit i: argument i
  unsigned Percent = 100, Plus = 0;
  int WhileOne = -1; ///< as long as the float behind this argument is no less than 1
};

struct Summary {
  Treatment How = Treatment::Unknown;
  llvm::ArrayRef<std::string> Libraries = {}; ///< sonames that may define it; none where the process has it anyway
  uint64_t ReadArguments = ~0ull;             ///< bit i: memory behind argument i is read (Inspect, Adjust, Perform)
  /// Other pointers than holders and links: so many bytes behind each are touched; 0 for any number. Or the argument
  /// that says how many.
  unsigned Bytes = 0;
  int Length = -1;
  /// The result is a number of characters behind argument LengthBehind, or points into memory behind PlaceBehind, no
  /// farther than argument AtMost says; -1 for none.
  int LengthBehind = -1, PlaceBehind = -1, AtMost = -1;
  /// The summary does not hold for a module that has a function or variable of one of these names.
  llvm::ArrayRef<std::string> Unless = {};
  /// Nor does it for calls with other formats.
  std::optional<FormatRule> Format = std::nullopt;
  /// Variables: a call whose first argument is one of them reaches out of the process.
  llvm::ArrayRef<std::string> Outside = {};
  /// OnlyHeadersMatter: arrays of these types among the parameters are extents.
  llvm::ArrayRef<std::string> ExtentTypes = {};
  bool FollowsPointers = true; ///< memory behind pointers in that memory is touched too
  /// Not 0: the arguments are nodes of a linked structure whose first bytes, this many, hold its pointers (and what
  /// they are ordered by); the function follows and changes those alone, in any node of the structure.
  unsigned LinkBytes = 0;
  llvm::StringRef LinkType = {}; ///< what those pointers point to, as the Itanium ABI names its type information; or ""
  uint64_t WrittenArguments = ~0ull; ///< bit i: memory behind argument i is written (all but Compute, Inspect, Ask)
  /// Bit i: argument i may be kept for later calls. What is neither kept, read nor written is a number to the function.
  uint64_t KeptArguments = ~0ull;
  /// Perform: what it finds behind pointers is data that decides nothing, and what it writes there is data; headers of
  /// its own classes (ClassLayout) apart.
  bool OnlyHeadersMatter = false;
  /// OnlyHeadersMatter, bit i: what argument i points to are extents: read as they are, not written, and not kept.
  uint64_t ExtentArguments = 0;
  std::optional<PlannerFlags> Determined = std::nullopt;
  /// Ask: values of the first argument for which the answer is the machine's; for others it is the process's. None: for
  /// all.
  llvm::ArrayRef<int64_t> Facts = {};
  bool ResultIsData = false;  ///< of a call that is executed
  bool ResultIsFresh = false; ///< it returns memory that nothing else refers to
  /// It returns a pointer to state of its library (errno), where anything may stand: what is read there is data.
  bool ResultIsState = false;
  bool ResultIsFirst = false; ///< it returns its first argument, as streams do, where both are pointers
  /// It returns 0: that it succeeds is taken for granted, as it is of malloc.
  bool ResultIsSuccess = false;
  bool ResultIsSign = false; ///< whether it is below, above or equal to zero is certain, and no more
  /// Behind this argument it leaves a pointer into what another one points to, as strtod does; -1 where it does not.
  int Leaves = -1, LeavesInto = -1;
  bool SetsFloatEnvironment = false; ///< floating-point arithmetic may round or trap otherwise from then on
  bool Rounds = false;               ///< it rounds numbers that it is given as the caller's mode says
  bool Locks = false;                ///< others may have changed what the caller reads from then on
  llvm::StringRef Builds = {}; ///< it constructs an object behind its first argument: the linker's name of its vtable
  bool Outward = false;        ///< Skip: it reaches out of the process, or waits; a replay does not execute it either
  bool Unproven = false; ///< executed and counted, but its allocations may follow from data: the answer is not exact
  std::optional<WorkspaceQuery> Query = std::nullopt;
  /// Repeat: a function that describes the first argument in a text; calls with the same text allocate alike. Or "".
  llvm::StringRef Description = {};
  /// Where the function says how it went, 0 for success: the argument behind which it writes that, or InResult.
  int Status = NoStatus;
  enum : int { NoStatus = -1, InResult = -2 };
  /// The arguments are such objects (where they refer to as many bytes) or characters; the function touches nothing
  /// else.
  std::optional<BufferHolder> Holder = std::nullopt;
  std::optional<MostRequested> Requests = std::nullopt;
  std::optional<MostReturned> Returns = std::nullopt;
};

/// A class of a library, whose objects are headers: sizes, and pointers to contents.
struct ClassLayout {
  std::string Type;                     ///< qualified name, without template arguments
  llvm::SmallVector<unsigned> Contents; ///< offsets of pointers to contents: data
  llvm::SmallVector<unsigned> Headers;  ///< offsets of pointers to more of the header, in the object or elsewhere
  llvm::SmallVector<unsigned> Own;      ///< offsets of pointers to the library's own objects, tables of functions too
};

} // namespace memshape
