// What is known of a call before it runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/residency/Situation.h"

#include <algorithm>

namespace memshape {

/// A C++ program with libstdc++, libm, libgcc_s, libc and the loader.
constexpr double PlainLibraries = 5;

/// What glibc makes of a request on 64 bits: 8 bytes of header, a multiple of 16, 32 at least.
static double blockOf(double Bytes) { return std::max(32.0, 16 * std::ceil((Bytes + 8) / 16 - 0.05)); }

constexpr double MiB = 1048576;

/// Blocks from this size on have pages of their own (M_MMAP_THRESHOLD of glibc), behind a header of 16 bytes. Their
/// last page is in memory as a whole.
constexpr double LargeBytes = 131072, Page = 4096, MappedHeader = 16;

static double orElse(double Value, double Default) { return known(Value) ? Value : Default; }

const char *priorTermName(int Term) {
  constexpr const char *Names[] = {"base",
                                   "libraries",
                                   "held by the caller",
                                   "written at most",
                                   "block headers",
                                   "freed and requested again",
                                   "first call only",
                                   "libraries called"};
  return Term >= 0 && Term < PriorTerms ? Names[Term] : "?";
}

/// How many blocks live at the peak, if all blocks are alike; Bytes is what each has.
static double blocksAtPeak(const Situation &At, double &Bytes) {
  double Heap = orElse(At.Heap, 0), Total = orElse(At.Total, Heap), Allocations = orElse(At.Allocations, 0);
  if (!(Allocations > 0 && Total > 0))
    return Bytes = 0;
  Bytes = Total / Allocations;
  return Allocations * Heap / Total;
}

Situation allRequested(Situation At) {
  At.Touched = At.TouchedWithTensors = Unknown;
  // Half of a last page is expected, and all of it is possible.
  double Bytes = 0, Blocks = blocksAtPeak(At, Bytes);
  if (Bytes >= LargeBytes)
    At.Kept = orElse(At.Kept, 0) + Blocks * Page / 2;
  return At;
}

bool haveSameSymbols(const Situation &A, const Situation &B) {
  return std::equal(A.Shape.begin(), A.Shape.end(), B.Shape.begin(), B.Shape.end(),
                    [](const auto &One, const auto &Other) { return One.first == Other.first; });
}

double writtenBytes(const Situation &At) {
  double Heap = orElse(At.Heap, 0), Fresh = std::min(orElse(At.Fresh, 0), orElse(At.Held, 0));
  double Written = std::min(orElse(At.Touched, Heap), Heap) + Fresh;
  // Where other tensors are written too, they are counted here and among those held: the smaller one is true.
  return known(At.TouchedWithTensors) ? std::min(Written, At.TouchedWithTensors) : Written;
}

Row priorTerms(const Situation &At) {
  Row Terms(static_cast<int>(PriorTerms));
  double Heap = orElse(At.Heap, 0), Total = orElse(At.Total, Heap), Bytes = 0, Blocks = blocksAtPeak(At, Bytes);
  Terms[Base] = MiB;
  Terms[LibraryCount] = LibraryUnit * orElse(At.Libraries, PlainLibraries);
  Terms[HeldBytes] = std::max(0.0, orElse(At.Held, 0) - orElse(At.Fresh, 0));
  Terms[HeapBytes] = writtenBytes(At) + orElse(At.Kept, 0);
  Terms[BlockOverhead] = Blocks * (Bytes >= LargeBytes ? MappedHeader + Page / 2 : blockOf(Bytes) - Bytes);
  Terms[Churn] = std::clamp(Total - Heap, 0.0, Heap);
  Terms[OneTimeBytes] = orElse(At.OneTime, 0);
  Terms[CalledBytes] = orElse(At.CalledCode, 0);
  return Terms;
}

} // namespace memshape
