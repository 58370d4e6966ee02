// Allocations of the program ask stores for memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Trap.h"
#include "Core.h"

#include <memshape/reclaim.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <shared_mutex>

namespace memshape::out_of_core::detail {

thread_local unsigned Inside = 0;

namespace {

/// A piece of an object for each thread that writes, and what else that takes.
constexpr std::uint64_t ReservePerThread = 5 << 18;

struct Terms {
  std::uint64_t Budget;
  unsigned WritingThreads;
};

/// The stores of this process. Locked for reading by each thread from its first question to the end of its allocation.
struct Registry {
  std::shared_mutex Mutex;
  std::map<Core *, Terms> Stores;
  const Origin Here;
};

std::atomic<Registry *> Current = nullptr; ///< outlives all stores

/// Null in a process without a store of its own: those of the process that it was forked from, and their locks, are not
/// its own.
Registry *registry() {
  Registry *All = Current.load(std::memory_order_acquire);
  return All && All->Here.isHere() ? All : nullptr;
}

Registry &makeRegistry() {
  Registry *Old = Current.load(std::memory_order_acquire);
  if (Old && Old->Here.isHere())
    return *Old;
  auto Made = std::make_unique<Registry>();
  return Current.compare_exchange_strong(Old, Made.get()) ? *Made.release() : *Old;
}

/// This thread has asked, and its allocation has not ended.
thread_local bool Asking = false;

void endQuestion(Registry &All) {
  if (!std::exchange(Asking, false))
    return;
  const InsideScope Now;
  for (const auto &[Each, Its] : All.Stores)
    Each->endTrap();
  All.Mutex.unlock_shared();
}

/// The runtime's question.
int reclaim(int Need, std::uint64_t Bytes) {
  if (Inside)
    return Need == MEMSHAPE_NEED_ENDED ? MEMSHAPE_NOTHING_LEFT : MEMSHAPE_TAKE_RESERVE;
  Registry *const All = registry();
  if (!All)
    return MEMSHAPE_NOTHING_LEFT;
  if (Need == MEMSHAPE_NEED_ENDED) {
    endQuestion(*All);
    return MEMSHAPE_NOTHING_LEFT;
  }
  const InsideScope Now;
  bool IsMore = false;
  if (!Asking) {
    All->Mutex.lock_shared();
    Asking = true;
    for (const auto &[Each, Its] : All->Stores)
      Each->beginTrap();
  }
  for (const auto &[Each, Its] : All->Stores)
    IsMore |= Each->makeRoom(Need == MEMSHAPE_NEED_FAILED ? Bytes : 0);
  return IsMore ? MEMSHAPE_TRY_AGAIN : MEMSHAPE_NOTHING_LEFT;
}

/// What the stores together ask of the runtime.
bool agree(const Registry &All) {
  std::uint64_t Least = unlimited, Threads = 0;
  for (const auto &[Each, Its] : All.Stores) {
    Least = std::min(Least, Its.Budget);
    Threads += Its.WritingThreads;
  }
  return memshape_reclaimer_set(Threads ? reclaim : nullptr, Least, Threads * ReservePerThread);
}

} // namespace

bool hasRuntime() { return memshape_reclaimer_set && memshape_live_bytes; }

bool setTrap(Core &Of, std::uint64_t Budget, unsigned WritingThreads) {
  const InsideScope Now;
  Registry &All = makeRegistry();
  const std::lock_guard Held(All.Mutex);
  All.Stores[&Of] = {Budget, WritingThreads};
  if (agree(All))
    return true;
  All.Stores.erase(&Of);
  agree(All);
  return false;
}

void liftTrap(Core &Of) {
  if (!hasRuntime())
    return;
  const InsideScope Now;
  Registry *const All = registry();
  if (!All)
    return;
  const std::lock_guard Held(All->Mutex);
  if (All->Stores.erase(&Of))
    agree(*All);
}

std::uint64_t liveBytes() { return memshape_live_bytes(); }

} // namespace memshape::out_of_core::detail
