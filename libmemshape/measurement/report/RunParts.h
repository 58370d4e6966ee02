// What the page, the JSON and the moments of a run share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/report/RunReport.h"
#include "libmemshape/measurement/stores/StoreWatch.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

namespace memshape {

// How processes ended, and what they held then.

/// One word: exit, _exit, abort, exec, signal, running, or unknown (only the parent learns an exit status).
std::string endingWord(const Run &R, const RunRecord &Process);

/// The rest of the page's first line, as in "killed by signal 9, Killed: the machine ran out of memory".
std::string endingText(const Run &R);

/// What the process held at its end, and which calls were in flight; "" if it ended by itself with no call in flight.
std::string lastMoment(const Run &R, const RunRecord &Process);

/// The member in_flight of a process in memshape.run/1.
nlohmann::ordered_json inFlightJson(const RunRecord &Process);

// Phases and pools of <memshape/annotate.h>.

inline bool isPhase(const RunRecord &Process, const RunGroup &Group) {
  return Process.Operators[Group.Operator].IsPhase;
}

/// The sections of the page; "" if nothing was declared.
std::string phasesSection(const RunRecord &Process);
std::string poolsSection(const RunRecord &Process);

/// The members phases and pools of a process in memshape.run/1.
nlohmann::ordered_json phasesJson(const RunRecord &Process);
nlohmann::ordered_json poolsJson(const RunRecord &Process);

// What memshape run --kernel adds: heap bytes against resident bytes. See docs/resident-memory.md.

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

// What stores of <memshape/out_of_core.h> have done.

/// Names of the files that stores keep beside the records of a run begin with this.
constexpr char StoreName[] = "store-";

/// Adds the record in the file, or a note where it cannot be read.
void readStore(const std::filesystem::path &File, Run &R);

std::vector<StoreRecord> storesOf(const Run &R, std::uint64_t Pid);
/// Of processes that were not counted.
std::vector<StoreRecord> storesOfOthers(const Run &R);

/// Lines of the text page.
std::string storeLines(const std::vector<StoreRecord> &Of);

/// Of List only the Most elements with the largest SizeOf are kept, in their order; of equal ones the first. Returns how
/// many are gone.
template <class Element> std::size_t keepLargest(std::vector<Element> &List, std::size_t Most, auto SizeOf) {
  if (List.size() <= Most)
    return 0;
  std::vector<std::int64_t> Sizes;
  for (const Element &Each : List)
    Sizes.push_back(SizeOf(Each));
  const auto Last = Sizes.begin() + static_cast<std::ptrdiff_t>(Most - 1);
  std::nth_element(Sizes.begin(), Last, Sizes.end(), std::greater<>());
  const std::int64_t Least = *Last;
  std::ptrdiff_t Equal = std::count(Sizes.begin(), Last + 1, Least); // of those that are kept
  return std::erase_if(List, [&](const Element &Each) {
    const std::int64_t Size = SizeOf(Each);
    return Size < Least || (Size == Least && Equal-- <= 0);
  });
}

} // namespace memshape
