//===- Situation.cpp - What is known of a call before it runs -----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/Situation.h"

#include <algorithm>

namespace memshape {

namespace {

/// A C++ program with libstdc++, libm, libgcc_s, libc and the loader.
constexpr double PlainLibraries = 5;

/// What glibc makes of a request on 64 bits: 8 bytes of header, a multiple of 16, 32 at least.
double blockOf(double Bytes) { return std::max(32.0, 16 * std::ceil((Bytes + 8) / 16 - 0.05)); }

constexpr double MiB = 1048576;

double orElse(double Value, double Default) { return known(Value) ? Value : Default; }

} // namespace

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

Situation allRequested(Situation At) {
  At.Touched = At.TouchedWithTensors = Unknown;
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
  double Heap = orElse(At.Heap, 0), Total = orElse(At.Total, Heap);
  Terms[Base] = MiB;
  Terms[LibraryCount] = LibraryUnit * orElse(At.Libraries, PlainLibraries);
  Terms[HeldBytes] = std::max(0.0, orElse(At.Held, 0) - orElse(At.Fresh, 0));
  Terms[HeapBytes] = writtenBytes(At);
  // Of all blocks the share that lives at the peak, if blocks are alike.
  double Allocations = orElse(At.Allocations, 0);
  if (Allocations > 0 && Total > 0)
    Terms[BlockOverhead] = Allocations * Heap / Total * (blockOf(Total / Allocations) - Total / Allocations);
  else
    Terms[BlockOverhead] = 0;
  Terms[Churn] = std::clamp(Total - Heap, 0.0, Heap);
  Terms[OneTimeBytes] = orElse(At.OneTime, 0);
  Terms[CalledBytes] = orElse(At.CalledCode, 0);
  return Terms;
}

} // namespace memshape
