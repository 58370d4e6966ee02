// Blocks without memory behind them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables grow with mremap, not malloc: the runner must not allocate while a skeleton allocates.

#include "runner/heap/PhantomBlocks.h"

#include <algorithm>
#include <sys/mman.h>

using namespace memshape;

bool PhantomBlocks::extend(unsigned R) {
  Region &Of = Regions[R];
  if (Of.Capacity == Shapes[R].MaxSlots)
    return false;
  const std::uint32_t Wanted =
      std::uint32_t(std::min<std::uint64_t>(Shapes[R].MaxSlots, std::max<std::uint64_t>(1024, Of.Capacity * 2ull)));
  const std::size_t OldBytes = Of.Capacity * sizeof(Entry), NewBytes = Wanted * sizeof(Entry);
  void *Table =
      Of.Entries ? mremap(Of.Entries, OldBytes, NewBytes, MREMAP_MAYMOVE)
                 : mmap(nullptr, NewBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Table == MAP_FAILED)
    return false;
  Of.Entries = static_cast<Entry *>(Table);
  Of.Capacity = Wanted;
  return true;
}

void PhantomBlocks::reset() {
  for (Region &R : Regions) {
    R.Used = 0;
    R.FirstFree = NoSlot;
  }
}
