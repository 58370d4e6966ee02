// Memory for the program, out of turn.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Core.h"

#include <algorithm>
#include <malloc.h>

namespace memshape::out_of_core::detail {

/// Among the numbers of transfers that have begun; behind all of them.
constexpr std::uint64_t Reclaiming = ~std::uint64_t(0);

/// Not under the lock: others may wait for it while they ask.
void Core::watch(std::uint64_t Limit) {
  if (!WritingThreads || !hasRuntime())
    return;
  {
    const std::lock_guard Held(Mutex);
    if (!Reclaims)
      Threads.emplace_back([this] { reclaim(); });
    Reclaims = true;
  }
  const bool Set = setTrap(*this, Limit == automatic ? unlimited : Limit, WritingThreads);
  const std::lock_guard Held(Mutex);
  Watched = Set;
  Counted.watches_allocations = Set && Files; // without a budget nothing is evicted
}

/// Of the program itself, and lately so: what tasks allocate and free again is not given to executors in between. What
/// tasks that run have reserved is theirs already.
void Core::observeProgram() {
  if (!Watched)
    return;
  std::uint64_t Own = Used + Blocks.keptBytes();
  for (const Entry &Each : Active)
    if (Each.Reserved && Each.Reserved->Present && !Each.Running) // not allocated yet
      Own -= Each.Reserved->Bytes;
  const std::uint64_t Live = liveBytes();
  const std::uint64_t Program = Live > Own ? Live - Own : 0;
  Lent = Program > Lent ? Program : Lent - (Lent - Program) / 64;
}

/// Bytes that executors may take beside the program; always enough for one task. An automatic budget is what the program
/// has left.
std::uint64_t Core::room(std::uint64_t Least) const {
  const std::uint64_t Others = IsAutomatic ? 0 : Lent;
  return std::max(std::min(Least, Budget), Budget > Others ? Budget - Others : 0);
}

void Core::beginTrap() {
  const std::lock_guard Held(Mutex);
  ++Trapped;
  ++Counted.trapped_allocations;
}

void Core::endTrap() {
  {
    const std::lock_guard Held(Mutex);
    --Trapped;
  }
  Changed.notify_all();
}

/// Waits for the thread that reclaims. False: nothing was left.
bool Core::makeRoom(std::uint64_t Refused) {
  Lock Held(Mutex);
  if (Stopping || !Files)
    return false;
  Wanted += Refused;
  const std::uint64_t Round = RoundsAsked = RoundsBegun + 1;
  Changed.notify_all();
  Changed.wait(Held, [&] { return Stopping || RoundsEnded >= Round; });
  return LastUseful >= Round;
}

/// A thread that evicts for the program, for all allocations together that ask at one time.
void Core::reclaim() {
  const InsideScope Always;
  Lock Held(Mutex);
  for (;;) {
    Changed.wait(Held, [&] { return Stopping || RoundsAsked > RoundsBegun; });
    if (Stopping)
      return;
    const std::uint64_t Round = ++RoundsBegun, Refused = std::exchange(Wanted, 0);
    try {
      Moving.emplace(Reclaiming, nullptr);
      if (evict(Held, [&](std::uint64_t Freed) { return Freed >= Refused && (IsAutomatic || liveBytes() <= Budget); }))
        LastUseful = Round;
    } catch (const std::bad_alloc &) { // the reserve is used up
    }
    Moving.erase(Reclaiming);
    RoundsEnded = Round;
    observeProgram();
    settle();
    Changed.notify_all();
    publish(Held);
  }
}

/// Evicts what no task uses until that is enough. False: there was nothing.
bool Core::evict(Lock &Held, const std::function<bool(std::uint64_t)> &IsEnough) {
  const InsideScope Now;
  std::set<ExecutorId> Refused; // the disk is full, for instance
  std::uint64_t Freed = Blocks.keptBytes();
  bool FreedObjects = false;
  Blocks.trim(0);
  while (!Stopping && !IsEnough(Freed)) {
    const std::shared_ptr<Stay> Next = evictable(Refused);
    if (!Next)
      break;
    const std::uint64_t Bytes = Next->Bytes;
    FreedObjects |= Executors[Next->Which].Type.has_value();
    if (Next->Leaving) // another thread is at it
      Changed.wait(Held, [&] { return !Next->Leaving || Stopping; });
    else
      evictNow(Held, Next);
    if (Next->Gone)
      Freed += Bytes;
    else
      Refused.insert(Next->Which);
    Blocks.trim(0);
  }
  if (FreedObjects)
    ::malloc_trim(0); // an object's memory may have come from the heap of another thread
  return Freed > 0;
}

/// First what is to leave anyway, then as the policy says, then what is leaving. Null: nothing.
std::shared_ptr<Core::Stay> Core::evictable(const std::set<ExecutorId> &Refused) const {
  const auto May = [&](ExecutorId Each) {
    const Stay *There = Executors[Each].Here.get();
    return There && There->Present && There->Users == 0 && !There->Leaving && !Refused.contains(Each);
  };
  std::shared_ptr<Stay> Leaves;
  for (ExecutorId Each = 0; Each < Executors.size(); ++Each) {
    const ExecutorState &Of = Executors[Each];
    if (Of.Now != Of.Here && May(Each))
      return Of.Here;
    if (Of.Here && Of.Here->Leaving && !Refused.contains(Each))
      Leaves = Of.Here;
  }
  const std::optional<ExecutorId> Found = Planner.first([&](ExecutorId Each) { return May(Each); });
  return Found ? Executors[*Found].Here : Leaves;
}

/// What cannot be written stays.
void Core::evictNow(Lock &Held, const std::shared_ptr<Stay> &Which) {
  ExecutorState &Of = Executors[Which->Which];
  const bool Expected = Of.Now == Which;
  if (Expected) {
    Of.Now = nullptr;
    Planner.setResident(Which->Which, false);
  }
  try {
    bringOut(Held, *Which);
  } catch (...) {
    if (!Held.owns_lock())
      Held.lock();
    if (Expected && !Collapsing)
      keep(Which);
    Changed.notify_all();
  }
}

/// It was to leave, and does not. Meanwhile a task may have been told to wait for its return.
void Core::keep(const std::shared_ptr<Stay> &Which) {
  ExecutorState &Of = Executors[Which->Which];
  if (Of.Last == Which) {
    Of.Now = Which;
    Planner.setResident(Which->Which, true);
    return;
  }
  std::shared_ptr<Stay> Next = Of.Last;
  while (Next->Before != Which)
    Next = Next->Before;
  Next->Before = nullptr;
  Next->Bytes = Which->Bytes;
  Next->Dirty = Which->Dirty;
  Next->Block = std::exchange(Which->Block, nullptr);
  Next->Made = std::move(Which->Made);
  Next->Present = true;
  Which->Present = false;
  Which->Gone = true;
  Of.Here = Next;
}

/// As long as anything can be evicted for it, or a task may end and leave something to evict.
BlockMemory::Taken Core::takeBlock(Lock &Held, std::uint64_t Bytes) {
  for (;;)
    try {
      return Blocks.take(Bytes);
    } catch (const std::bad_alloc &) {
      if (evict(Held, [&](std::uint64_t Freed) { return Freed >= Bytes; }))
        continue;
      if (isCalledOff() || (Executing == 0 && startable() == Active.end()))
        throw;
      Changed.wait(Held);
    }
}

} // namespace memshape::out_of_core::detail
