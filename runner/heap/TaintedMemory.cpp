// Bytes that data may be written to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/heap/TaintedMemory.h"

#include <algorithm>

using namespace memshape;

static std::uintptr_t endOf(std::uintptr_t From, std::uint64_t Bytes) {
  return From + std::min<std::uint64_t>(Bytes, UINTPTR_MAX - From);
}

std::pair<std::size_t, std::size_t> TaintedMemory::between(std::uintptr_t From, std::uintptr_t End) const {
  const auto First = std::partition_point(Ranges.begin(), Ranges.end(), [&](const Range &R) { return R.End <= From; });
  const auto Last = std::partition_point(First, Ranges.end(), [&](const Range &R) { return R.Begin < End; });
  return {std::size_t(First - Ranges.begin()), std::size_t(Last - Ranges.begin())};
}

void TaintedMemory::taint(std::uintptr_t From, std::uint64_t Bytes) {
  if (!Bytes || Everything)
    return;
  Range New = {From, endOf(From, Bytes)};
  // With those that touch it.
  const auto [First, Last] = between(New.Begin ? New.Begin - 1 : 0, New.End == UINTPTR_MAX ? New.End : New.End + 1);
  if (First != Last) {
    New = {std::min(New.Begin, Ranges[First].Begin), std::max(New.End, Ranges[Last - 1].End)};
    Ranges.erase(Ranges.begin() + std::ptrdiff_t(First), Ranges.begin() + std::ptrdiff_t(Last));
  } else if (Ranges.size() == MostRanges) {
    return taintEverything();
  }
  Ranges.insert(Ranges.begin() + std::ptrdiff_t(First), New);
}

void TaintedMemory::clear(std::uintptr_t From, std::uint64_t Bytes) {
  const std::uintptr_t End = endOf(From, Bytes);
  const auto [First, Last] = between(From, End);
  if (First == Last)
    return;
  const Range Before = {Ranges[First].Begin, From}, Behind = {End, Ranges[Last - 1].End};
  auto At = Ranges.erase(Ranges.begin() + std::ptrdiff_t(First), Ranges.begin() + std::ptrdiff_t(Last));
  if (Behind.Begin < Behind.End)
    At = Ranges.insert(At, Behind);
  if (Before.Begin < Before.End)
    Ranges.insert(At, Before);
}

void TaintedMemory::copy(std::uintptr_t From, std::uintptr_t To, std::uint64_t Bytes) {
  const std::uintptr_t End = endOf(From, Bytes);
  const auto [First, Last] = between(From, End);
  const std::vector<Range> Tainted(Ranges.begin() + std::ptrdiff_t(First), Ranges.begin() + std::ptrdiff_t(Last));
  clear(To, Bytes);
  for (const Range &Each : Tainted) {
    const std::uintptr_t Begin = std::max(Each.Begin, From);
    taint(To + (Begin - From), std::min(Each.End, End) - Begin);
  }
}

bool TaintedMemory::meets(std::uintptr_t From, std::uint64_t Bytes) const {
  const auto [First, Last] = between(From, endOf(From, Bytes));
  return Everything || First != Last;
}
