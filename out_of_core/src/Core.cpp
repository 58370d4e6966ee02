// Calls of a store.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Core.h"

#include <algorithm>

namespace memshape::out_of_core::detail {

constexpr std::uint64_t MostReserved = std::uint64_t(1) << 56; // so that the sum over active tasks does not overflow

[[noreturn]] static void misused(const char *What) { throw Error(ErrorCode::usage, What); }

Core::Core(const Options &Of, std::shared_ptr<FileLayer> TheLayer, std::string TheKernelRoot)
    : Budget(Of.budget_bytes), Parent(Of.folder), Layer(std::move(TheLayer)), KernelRoot(std::move(TheKernelRoot)),
      Planner(Of.policy, Of.threads + 2 * Of.prefetch_threads, Of.threads),
      Window(Of.threads + 2 * Of.prefetch_threads), WritingThreads(Of.trap ? Of.prefetch_threads + 1 : 0) {
  if (Of.threads == 0 || Of.prefetch_threads == 0)
    misused("a store needs a thread that runs tasks, and one that reads");
  if (Budget != unlimited)
    makeFiles();
  Shown.write(Shown.record(Counted, Budget, false));
  try {
    for (unsigned Each = 0; Each < Of.threads; ++Each)
      Threads.emplace_back([this] { work(); });
    for (unsigned Each = 0; Each < Of.prefetch_threads; ++Each)
      Threads.emplace_back([this] { move(); });
    if (Budget == automatic)
      follow();
    watch(Of.budget_bytes);
  } catch (...) {
    liftTrap(*this);
    stop();
    throw;
  }
}

Core::~Core() {
  liftTrap(*this);
  stop();
  Shown.write(Shown.record(figures(), Budget, true));
  for (ExecutorState &Each : Executors)
    if (Each.Here)
      discard(*Each.Here);
}

void Core::stop() {
  {
    const std::lock_guard Held(Mutex);
    Stopping = true;
    Queue.clear();
  }
  Changed.notify_all();
  Watch.reset();
  for (std::thread &Each : Threads)
    Each.join();
}

/// Where executors go. If that throws, the next call tries again.
void Core::makeFiles() {
  if (Files)
    return;
  Files = std::make_unique<SpillFiles>(Parent, Layer);
  Shown.addTo(Files->folder());
}

ExecutorId Core::add(std::uint64_t Bytes, std::optional<Object> Type) {
  const std::lock_guard Held(Mutex);
  ExecutorState &Made = Executors.emplace_back();
  Made.Asked = Bytes;
  Made.Bytes = Type ? Bytes : std::max(aligned(Bytes), Alignment);
  Made.Type = std::move(Type);
  try {
    Planner.add(Made.Bytes);
  } catch (...) {
    Executors.pop_back();
    throw;
  }
  ++Counted.executors;
  Counted.executor_bytes += Made.Bytes;
  return static_cast<ExecutorId>(Executors.size() - 1);
}

/// That a task needs at once.
std::uint64_t Core::bytes(const Entry &Of) const {
  std::uint64_t Sum = Of.Besides;
  for (const Access &Each : Of.Accesses) // no sum is small because it is too large
    Sum += std::min(Executors[Each.id].Bytes, unlimited - Sum);
  return Sum;
}

bool Core::isPinned(ExecutorId Which) const {
  return std::any_of(Active.begin(), Active.end(), [&](const Entry &Each) {
    return Each.What == Kind::Handle && !Each.Failure && Each.Accesses[0].id == Which;
  });
}

std::uint64_t Core::pinnedBytes() const {
  std::set<ExecutorId> Pinned;
  for (const Entry &Each : Active)
    if (Each.What == Kind::Handle && !Each.Failure)
      Pinned.insert(Each.Accesses[0].id);
  std::uint64_t Sum = 0;
  for (const ExecutorId Each : Pinned)
    Sum += Executors[Each].Bytes;
  return Sum;
}

bool Core::holdsHandle(std::thread::id Thread) const {
  return std::any_of(Active.begin(), Active.end(),
                     [&](const Entry &Each) { return Each.What == Kind::Handle && Each.Owner == Thread; });
}

std::size_t Core::activeTasks() const {
  return static_cast<std::size_t>(
      std::count_if(Active.begin(), Active.end(), [](const Entry &Each) { return Each.What != Kind::Handle; }));
}

void Core::submit(Body Run, std::vector<Access> Accesses, std::uint64_t Besides, bool IsFence) {
  Entries One(1);
  Entry &Made = One.front();
  Made.What = IsFence ? Kind::Fence : Kind::Task;
  Made.Accesses = std::move(Accesses);
  Made.Besides = Besides;
  Made.Run = std::move(Run);
  const std::lock_guard Held(Mutex);
  std::set<ExecutorId> Named;
  for (const Access &Each : Made.Accesses)
    if (Each.id >= Executors.size() || !Named.insert(Each.id).second)
      misused("a task names an executor twice, or one of another store");
    else if (Executors[Each.id].Consumed)
      misused("a task uses an executor that an earlier one consumes");
  if (Besides > MostReserved)
    throw Error(ErrorCode::too_large, "a task reserves " + std::to_string(Besides) + " bytes, more than there can be");
  if (const std::uint64_t Needed = bytes(Made); Needed > mostBytes())
    throw Error(ErrorCode::too_large, "a task uses " + std::to_string(Needed) +
                                          " bytes at once, more than the budget of " + std::to_string(Budget));
  if (Stopping || Collapsing)
    return; // the queue has been dropped, and this task, which one of its tasks submits, with it
  std::size_t Expected = 0;
  try {
    for (const Access &Each : Made.Accesses)
      Planner.expect(Each.id), ++Expected;
  } catch (...) {
    while (Expected-- != 0)
      Planner.unexpect(Made.Accesses[Expected].id);
    throw;
  }
  for (const Access &Each : Made.Accesses)
    Executors[Each.id].Consumed = Each.ends;
  Queue.splice(Queue.end(), One);
  advance();
}

void Core::submitEviction(ExecutorId Which) {
  Entries One(1);
  One.front().What = Kind::Eviction;
  One.front().Accesses = {Access{.id = Which}};
  const std::lock_guard Held(Mutex);
  if (Which >= Executors.size())
    misused("an executor of another store");
  if (Stopping || Collapsing)
    return;
  Queue.splice(Queue.end(), One);
  advance();
}

void Core::run() {
  Lock Held(Mutex);
  if (Within == this || holdsHandle(std::this_thread::get_id()))
    misused("run() within a task, or by a thread that holds a handle, would wait for itself");
  ++Runs;
  const std::uint64_t Before = Failures;
  if (activeTasks() == 0)
    Planner.release(); // nothing runs
  advance();
  Changed.wait(
      Held, [&] { return Queue.empty() && activeTasks() == 0 && Transfers.empty() && Moving.empty() && !Collapsing; });
  const std::exception_ptr Thrown = Failures != Before ? Failure : std::exchange(Owed, nullptr);
  if (--Runs == 0)
    Failure = nullptr;
  publish(Held);
  if (Thrown)
    std::rethrow_exception(Thrown);
}

std::pair<std::uint64_t, Place> Core::pin(Access On) {
  Lock Held(Mutex);
  if (Within == this)
    misused("a task cannot pin: name all executors that it uses when it is submitted");
  if (On.id >= Executors.size())
    misused("an executor of another store");
  if (On.ends || Executors[On.id].Consumed)
    misused("a handle consumes nothing, and holds nothing that a task consumes");
  Changed.wait(Held, [&] { return !Collapsing; });
  for (const Entry &Each : Active)
    if (Each.What == Kind::Handle && Each.Owner == std::this_thread::get_id() && Each.Accesses[0].id == On.id &&
        (Each.Accesses[0].writes || On.writes))
      misused("this thread holds a handle to the same executor");
  const std::uint64_t Needed = pinnedBytes() + (isPinned(On.id) ? 0 : Executors[On.id].Bytes);
  if (Needed > mostBytes())
    throw Error(ErrorCode::too_large, "handles would hold " + std::to_string(Needed) +
                                          " bytes at once, more than the budget of " + std::to_string(Budget));
  Budget = std::max(Budget, Needed);
  Entries Made(1);
  Made.front().What = Kind::Handle;
  Made.front().Accesses = {On};
  Made.front().Owner = std::this_thread::get_id();
  const Entries::iterator At = Made.begin();
  try {
    admit(Made);
  } catch (...) {
    fail(std::current_exception());
  }
  Changed.wait(Held, [&] { return At->Failure ? !Collapsing : !Collapsing && canStart(At); });
  if (const std::exception_ptr Failed = At->Failure) {
    Active.erase(At);
    advance();
    std::rethrow_exception(Failed);
  }
  At->Running = true;
  const Stay &There = *At->Stays[0];
  return {At->Number, {There.Block ? There.Block : There.Made.get(), Executors[On.id].Asked}};
}

void Core::release(std::uint64_t Number) {
  {
    const std::lock_guard Held(Mutex);
    const auto At =
        std::find_if(Active.begin(), Active.end(), [&](const Entry &Each) { return Each.Number == Number; });
    const std::exception_ptr Thrown = leave(*At);
    Active.erase(At);
    if (Thrown) {
      if (Runs == 0) // nobody to be told but the next run()
        Owed = Thrown;
      fail(Thrown);
    }
    advance();
  }
  Changed.notify_all();
}

void Core::setBudget(std::uint64_t Bytes) {
  if (Bytes == automatic) {
    follow();
    watch(Bytes);
    Lock Held(Mutex);
    return publish(Held);
  }
  changeBudget(Bytes);
  watch(Bytes);
  Lock Held(Mutex);
  std::shared_ptr<Transfer> Made;
  try {
    Made = transfer(Planner.shrink(room(0), [&](ExecutorId Each) { return isPinned(Each); }), {}, nullptr, room(0));
  } catch (...) {
    fail(std::current_exception());
    throw;
  }
  advance();
  publish(Held);
  if (!Made || Within == this)
    return;
  Changed.wait(Held, [&] { return Made->Ended && !Collapsing; });
  if (Made->Failure)
    std::rethrow_exception(Made->Failure);
}

void Core::changeBudget(std::uint64_t To) {
  const std::lock_guard Held(Mutex);
  if (pinnedBytes() > To)
    throw Error(ErrorCode::too_large, "handles hold " + std::to_string(pinnedBytes()) +
                                          " bytes, more than a budget of " + std::to_string(To));
  if (To != unlimited)
    makeFiles();
  Budget = To;
  IsAutomatic = false;
}

Statistics Core::statistics() const {
  const std::lock_guard Held(Mutex);
  return figures();
}

Statistics Core::figures() const {
  Statistics Now = Counted;
  Now.resident_bytes = Used;
  Now.budget_bytes = Budget;
  return Now;
}

/// Writes them for others to see, without the lock.
void Core::publish(Lock &Held) {
  if (!Shown.isOpen())
    return;
  const StoreRecord Now = Shown.record(figures(), Budget, false);
  Held.unlock();
  Shown.write(Now);
  Held.lock();
}

std::vector<ExecutorId> Core::resident() const {
  const std::lock_guard Held(Mutex);
  return Planner.residents();
}

} // namespace memshape::out_of_core::detail
