// Memory to disk, and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Core.h"

#include <algorithm>
#include <cstring>

namespace memshape::out_of_core::detail {

namespace {

/// While a thread evicts. At its end the lock is held.
template <class Lock> class Leaves {
public:
  Leaves(Lock &With, bool &Mark) : Held(With), Marked(Mark) { Marked = true; }
  ~Leaves() {
    if (!Held.owns_lock())
      Held.lock();
    Marked = false;
  }
  Leaves(const Leaves &) = delete;

private:
  Lock &Held;
  bool &Marked;
};

} // namespace

/// What has to be in memory, from now on.
std::shared_ptr<Core::Stay> Core::arrive(ExecutorId Which) {
  ExecutorState &Of = Executors[Which];
  Of.Now = std::make_shared<Stay>();
  Of.Now->Which = Which;
  Of.Now->Before = std::exchange(Of.Last, Of.Now);
  return Of.Now;
}

/// Null where nothing moves.
std::shared_ptr<Core::Transfer> Core::transfer(const Replacement::Change &Of, std::vector<std::shared_ptr<Stay>> In,
                                               std::shared_ptr<Share> Reserved, std::uint64_t Limit) {
  if (Of.Out.empty() && Of.Over.empty() && In.empty() && !Reserved)
    return nullptr;
  const auto Made = std::make_shared<Transfer>();
  Made->Number = ++Planned;
  Made->Limit = Limit;
  for (const ExecutorId Each : Of.Out)
    Made->Out.push_back(std::exchange(Executors[Each].Now, nullptr));
  for (const Entry &Each : Active)
    if (Each.Reserved && std::find(Of.Over.begin(), Of.Over.end(), Each.Number) != Of.Over.end())
      Made->Over.push_back(Each.Reserved);
  Made->In = std::move(In);
  Made->Reserved = std::move(Reserved);
  Transfers.push_back(Made);
  Changed.notify_all();
  return Made;
}

/// A thread that writes and reads.
void Core::move() {
  Lock Held(Mutex);
  for (;;) {
    bringBack();
    Changed.wait(Held, [&] { return Stopping || !Transfers.empty(); });
    if (Stopping)
      return;
    std::shared_ptr<Transfer> Next = Transfers.front();
    Transfers.pop_front();
    std::exception_ptr Thrown;
    try {
      Moving.emplace(Next->Number, Next.get());
      bringBack();
      carryOut(Held, *Next);
    } catch (...) {
      Thrown = std::current_exception();
      if (!Held.owns_lock())
        Held.lock();
    }
    Moving.erase(Next->Number);
    Next->Ended = true;
    Next->Failure = Thrown;
    if (Thrown)
      fail(std::exchange(Thrown, nullptr));
    settle();
    Next.reset(); // while nobody looks at what was thrown
    Changed.notify_all();
    if (Transfers.empty() || Shown.isDue())
      publish(Held);
  }
}

void Core::carryOut(Lock &Held, const Transfer &What) {
  for (const std::shared_ptr<Stay> &Each : What.Out) {
    if (!waitFor(Held, [&] { return Each->Gone || (Each->Users == 0 && Each->Present && !Each->Leaving); }))
      return;
    if (Each->Gone) // for the program, before its turn
      continue;
    bringOut(Held, *Each);
    Blocks.trim(room(0) > Used ? room(0) - Used : 0);
  }
  for (const std::shared_ptr<Share> &Each : What.Over)
    if (!waitFor(Held, [&] { return Each->Gone; }))
      return;
  for (const std::shared_ptr<Stay> &Each : What.In) {
    if (!waitFor(Held, [&] {
          return Each->Present ||
                 ((!Each->Before || Each->Before->Gone) && hasRoom(What, Executors[Each->Which].Bytes));
        }))
      return;
    if (!Each->Present) // it has not left after all
      bringIn(Held, Each, What.Limit);
  }
  if (!What.Reserved || !waitFor(Held, [&] { return hasRoom(What, What.Reserved->Bytes); }))
    return;
  Used += What.Reserved->Bytes;
  Filling += What.Reserved->Bytes;
  What.Reserved->Present = true;
  Blocks.trim(What.Limit > Used ? What.Limit - Used : 0);
  Counted.peak_bytes = std::max(Counted.peak_bytes, Used + Blocks.keptBytes());
  Changed.notify_all();
}

/// False where all has been called off meanwhile.
bool Core::waitFor(Lock &Held, const std::function<bool()> &Ready) {
  Changed.wait(Held, [&] { return isCalledOff() || Ready(); });
  return !isCalledOff();
}

/// By how much it will change the bytes in memory once all transfers before it have ended.
std::int64_t Core::toCome(const Transfer &Of) const {
  std::uint64_t In = Of.Reserved && !Of.Reserved->Present && !Of.Reserved->Gone ? Of.Reserved->Bytes : 0, Out = 0;
  for (const std::shared_ptr<Share> &Each : Of.Over)
    Out += Each->Gone ? 0 : Each->Bytes;
  for (const std::shared_ptr<Stay> &Each : Of.Out)
    Out += Each->Gone ? 0 : Each->Bytes ? Each->Bytes : Executors[Each->Which].Bytes;
  for (const std::shared_ptr<Stay> &Each : Of.In)
    In += Each->Gone || Each->Bytes ? 0 : Executors[Each->Which].Bytes;
  return static_cast<std::int64_t>(In - Out);
}

/// None takes what those before it will need: each of these counts on what has left before it, and not on what those
/// after it wait for. Objects that have grown since may leave too little: then one transfer after the other goes on.
bool Core::hasRoom(const Transfer &For, std::uint64_t Bytes) const {
  if (isAwaited())
    return false;
  if (Moving.begin()->first == For.Number)
    return true;
  const auto Most = static_cast<std::int64_t>(std::min({For.Limit, room(0), unlimited / 2}));
  auto Then = static_cast<std::int64_t>(Used + Bytes);
  for (auto Earlier = Moving.begin(); Then <= Most && Earlier->first != For.Number; ++Earlier)
    Then += toCome(*Earlier->second);
  return Then <= Most;
}

void Core::bringOut(Lock &Held, Stay &Which) {
  const InsideScope Now;
  ExecutorState &Of = Executors[Which.Which];
  const Leaves Marked(Held, Which.Leaving);
  if (Which.Ends) {
    const Spill Old = std::exchange(Of.OnDisk, {});
    Held.unlock();
    Files->remove(Old);
    Held.lock();
  } else if (Which.Dirty) {
    const std::string Name = std::to_string(Which.Which) + "-" + std::to_string(++Of.Written);
    const Spill Old = std::exchange(Of.OnDisk, {});
    Held.unlock();
    Files->remove(Old);
    Spill New = Of.Type ? Files->writeObject(Name, Which.Made.get(), *Of.Type)
                        : Files->writeBlock(Name, Which.Block, Which.Bytes);
    Held.lock();
    Of.OnDisk = std::move(New);
    Which.Dirty = false;
    ++Counted.writes;
    Counted.written_bytes += Of.OnDisk.Bytes;
  }
  std::shared_ptr<void> Object = std::move(Which.Made);
  Held.unlock();
  Object.reset(); // which may take long
  Held.lock();
  discard(Which);
  Of.Here = nullptr;
  --Counted.resident;
  Counted.evictions += !Which.Ends;
  Changed.notify_all();
}

void Core::discard(Stay &Which) {
  if (Which.Block)
    Blocks.give(std::exchange(Which.Block, nullptr), Which.Bytes);
  Which.Made = nullptr;
  Used -= Which.Bytes;
  Which.Gone = true;
  Which.Present = false;
}

void Core::bringIn(Lock &Held, const std::shared_ptr<Stay> &Which, std::uint64_t Limit) {
  ExecutorState &Of = Executors[Which->Which];
  Which->Before = nullptr;
  Which->Bytes = Of.Bytes;
  Used += Which->Bytes;
  std::uint64_t Fresh = Which->Bytes;
  Filling += Fresh;
  try {
    if (!Of.Type) {
      const auto [At, IsZero] = takeBlock(Held, Which->Bytes);
      Which->Block = At;
      Which->IsZero = IsZero && !IsAutomatic; // whose rule counts pages that are touched
      if (!IsZero) {                          // pages that were touched before
        Filling -= Fresh;
        Fresh = 0;
      }
    }
    Blocks.trim(Limit > Used ? Limit - Used : 0);
    Counted.peak_bytes = std::max(Counted.peak_bytes, Used + Blocks.keptBytes());
    Held.unlock();
    fill(*Which, Of);
    Held.lock();
    Filling -= Fresh;
  } catch (...) {
    if (!Held.owns_lock())
      Held.lock();
    Filling -= Fresh;
    discard(*Which);
    throw;
  }
  if (!Of.OnDisk.Name.empty()) {
    ++Counted.reads;
    Counted.read_bytes += Of.OnDisk.Bytes;
  }
  Of.Here = Which;
  ++Counted.resident;
  Which->Present = true;
  measure(*Which);
  Changed.notify_all();
}

/// What was written; or else zeros, or an object as it is made.
void Core::fill(Stay &Which, const ExecutorState &Of) const {
  const bool IsOnDisk = !Of.OnDisk.Name.empty();
  if (!Of.Type && IsOnDisk) {
    Files->readBlock(Of.OnDisk, Which.Block);
  } else if (!Of.Type && !Which.IsZero) {
    std::memset(Which.Block, 0, Which.Bytes);
  } else if (Of.Type) {
    Which.Made = IsOnDisk ? Files->readObject(Of.OnDisk, *Of.Type) : Of.Type->make();
    Which.Dirty = !IsOnDisk;
  }
}

} // namespace memshape::out_of_core::detail
