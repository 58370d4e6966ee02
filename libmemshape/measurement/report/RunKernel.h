// Heap bytes against resident bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What memshape run --kernel adds. See docs/resident-memory.md.

#pragma once

#include "libmemshape/measurement/report/RunReport.h"

namespace memshape {

/// How requested bytes become resident ones at one moment. The members from Heap to Other add up to Resident. Those of
/// the heap may be negative if memory was requested and never touched.
struct Difference {
  std::int64_t Heap = 0;        ///< as requested
  std::int64_t Overhead = 0;    ///< headers and rounding of blocks
  std::int64_t Free = 0;        ///< inside the allocator, after frees
  std::int64_t Top = 0;         ///< of that, at the end of the heap
  std::int64_t NotResident = 0; ///< of the three above: never touched, given back, or swapped out; negative
  std::int64_t Anonymous = 0;   ///< other memory without a file: thread stacks, mappings
  std::int64_t Files = 0;       ///< code, data and zeroed data of the program and its libraries; mapped files
  std::int64_t Stack = 0;       ///< the main thread's
  std::int64_t Own = 0;         ///< of the runtime that measures
  std::int64_t Other = 0;
  std::int64_t Resident = 0;
  bool KnowsAllocator = false; ///< Overhead, Free and Top come from glibc's allocator; else they are included in
                               ///< NotResident
};

Difference differenceOf(const RunMoment &Moment);

/// The sections of the page; "" if nothing was measured.
std::string kernelSection(const Run &R, const RunRecord &Process);
std::string residenceLines(const RunGroup &Group);

/// The member kernel of a process in memshape.run/1, null if nothing was measured; and rss of a group of calls.
nlohmann::ordered_json kernelJson(const Run &R, const RunRecord &Process);
nlohmann::ordered_json residenceJson(const Run &R, const RunRecord &Process, const RunGroup &Group);

} // namespace memshape
