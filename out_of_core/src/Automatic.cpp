// The budget follows the limits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Core.h"

#include <algorithm>
#include <malloc.h>

namespace memshape::out_of_core::detail {

Holding Core::holding() const {
  const std::uint64_t All = Used + Blocks.keptBytes();
  return {All - Filling, All};
}

/// From now on.
void Core::follow() {
  {
    const std::lock_guard Held(Mutex);
    makeFiles();
    IsAutomatic = true;
  }
  look(false, std::chrono::steady_clock::now());
  const std::lock_guard Held(Mutex);
  if (!Watch)
    Watch =
        std::make_unique<BudgetWatch>(KernelRoot, [this](bool IsPressed, Pressure::Time Now) { look(IsPressed, Now); });
}

void Core::look(bool IsPressed, Pressure::Time Now) {
  Lock Held(Mutex);
  if (!IsAutomatic)
    return;
  const Holding Before = holding();
  const bool HasLess = std::exchange(HasShrunk, false);
  Held.unlock();
  if (HasLess)
    ::malloc_trim(0); // objects that were evicted since the last look
  const Room Left = roomLeft(KernelRoot);
  Held.lock();
  if (!IsAutomatic || isCalledOff())
    return;
  try {
    change(Rule.next(Left, Before, holding(), IsPressed, Now));
  } catch (...) {
    fail(std::current_exception());
    settle();
  }
}

void Core::change(std::uint64_t To) {
  const std::uint64_t Old = std::exchange(Budget, std::max(To, pinnedBytes()));
  if (Budget == Old)
    return;
  if (Budget < Old) {
    HasShrunk = true;
    transfer(Planner.shrink(Budget, [&](ExecutorId Each) { return isPinned(Each); }), {}, nullptr, Budget);
    Blocks.trim(Budget > Used ? Budget - Used : 0);
  } else {
    const std::vector<ExecutorId> Awaited = Planner.awaited();
    Returns.assign(Awaited.begin(), Awaited.end());
    bringBack();
  }
  advance();
}

/// That may be in memory at once. Pressure does not make a task fail that could run before.
std::uint64_t Core::mostBytes() const { return IsAutomatic ? std::max(Budget, Rule.most()) : Budget; }

/// One at a time, so that nothing that tasks wait for stands far behind it.
void Core::bringBack() {
  while (Runs != 0 && !isCalledOff() && Transfers.empty() && !Returns.empty()) {
    const ExecutorId Which = Returns.front();
    if (Planner.isResident(Which) || !Planner.isAwaited(Which) || Executors[Which].OnDisk.Name.empty()) {
      Returns.pop_front();
      continue;
    }
    if (Planner.residentBytes() + Planner.reservedBytes() + Executors[Which].Bytes > Budget)
      return;
    Returns.pop_front();
    Planner.setResident(Which, true);
    try {
      transfer({}, {arrive(Which)}, nullptr, room(0));
    } catch (...) {
      fail(std::current_exception());
    }
  }
}

} // namespace memshape::out_of_core::detail
