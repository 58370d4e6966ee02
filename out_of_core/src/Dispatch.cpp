// From the queue to the end of a task.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Core.h"

#include <algorithm>

namespace memshape::out_of_core::detail {

static bool conflict(const std::vector<Access> &A, const std::vector<Access> &B) {
  for (const Access &One : A)
    for (const Access &Other : B)
      if (One.id == Other.id && (One.writes || Other.writes))
        return true;
  return false;
}

/// Active tasks never wait for a handle: its thread may wait for them.
bool Core::mayAdmit(const Entry &First) {
  const std::uint64_t Needed = bytes(First);
  if (Needed > mostBytes()) {
    fail(std::make_exception_ptr(
        Error(ErrorCode::too_large, "a task uses " + std::to_string(Needed) +
                                        " bytes at once, more than the budget has become: " + std::to_string(Budget))));
    return false;
  }
  std::uint64_t Pinned = pinnedBytes();
  for (const Access &Each : First.Accesses)
    Pinned -= isPinned(Each.id) ? Executors[Each.id].Bytes : 0;
  if (Pinned + Needed <= mostBytes()) // less only while an automatic budget is below what one task needs
    Budget = std::max(Budget, Pinned + Needed);
  return Pinned + Needed <= Budget && std::none_of(Active.begin(), Active.end(), [&](const Entry &Each) {
           return Each.What == Kind::Handle && !Each.Failure && conflict(Each.Accesses, First.Accesses);
         });
}

/// The first of From becomes active. What is thrown is for fail(): half of it may have been decided.
void Core::admit(Entries &From) {
  Active.splice(Active.end(), From, From.begin());
  Entry &Now = Active.back();
  std::vector<ExecutorId> Which;
  for (const Access &Each : Now.Accesses)
    Which.push_back(Each.id);
  Now.Stays.reserve(Which.size());
  if (Now.Besides)
    Now.Reserved = std::make_shared<Share>(Share{.Bytes = Now.Besides});
  observeProgram();
  const std::uint64_t Limit = room(bytes(Now) + pinnedBytes());
  Now.Number = ++Entered; // nothing has been thrown: the planner counts the same
  const Replacement::Change Made =
      Planner.use(Which, Now.What != Kind::Handle, Limit, [&](ExecutorId Each) { return isPinned(Each); }, Now.Besides);
  std::vector<std::shared_ptr<Stay>> In;
  for (const ExecutorId Each : Made.In)
    In.push_back(arrive(Each));
  Counted.uses += Which.size();
  Counted.hits += Which.size() - Made.In.size();
  for (const Access &Each : Now.Accesses) {
    const std::shared_ptr<Stay> &There = Executors[Each.id].Now;
    ++There->Users;
    There->Ends = Each.ends;
    if (Each.ends)
      Planner.finish(Each.id);
    Now.Stays.push_back(There);
  }
  transfer(Made, std::move(In), Now.Reserved, Limit);
}

/// That is next in the queue.
void Core::evictInTurn(ExecutorId Which) {
  Replacement::Change Made;
  if (Budget != unlimited && Planner.isResident(Which) && !isPinned(Which)) {
    Planner.setResident(Which, false);
    Made.Out.push_back(Which);
  }
  transfer(Made, {}, nullptr, room(0));
}

void Core::advance() {
  try {
    while (Runs != 0 && !isCalledOff() && !Queue.empty()) {
      const Entry &Next = Queue.front();
      if (Next.What == Kind::Eviction) {
        evictInTurn(Next.Accesses[0].id);
        Queue.pop_front();
      } else if (activeTasks() < Window && mayAdmit(Next))
        admit(Queue);
      else
        break;
    }
  } catch (...) { // no memory
    fail(std::current_exception());
  }
  Changed.notify_all();
}

bool Core::canStart(Entries::const_iterator Which) const {
  if (Which->Running || Which->Failure)
    return false;
  for (const std::shared_ptr<Stay> &Each : Which->Stays)
    if (!Each->Present)
      return false;
  if (Which->Reserved && !Which->Reserved->Present)
    return false;
  for (Entries::const_iterator Earlier = Active.begin(); Earlier != Which; ++Earlier)
    if ((!Earlier->Failure && conflict(Earlier->Accesses, Which->Accesses)) ||
        (Which->What == Kind::Task && Earlier->What == Kind::Fence) ||
        (Which->What == Kind::Fence && Earlier->What != Kind::Handle))
      return false;
  return true;
}

Core::Entries::iterator Core::startable() {
  auto Each = Active.begin();
  while (Each != Active.end() && (isCalledOff() || Each->What == Kind::Handle || !canStart(Each)))
    ++Each;
  return Each;
}

/// A thread that runs tasks.
void Core::work() {
  Lock Held(Mutex);
  for (Entries::iterator Next;;) {
    Changed.wait(Held, [&] { return Stopping || (Next = startable()) != Active.end(); });
    if (Stopping)
      return;
    execute(Held, Next);
    if (Shown.isDue())
      publish(Held);
  }
}

void Core::execute(Lock &Held, Entries::iterator Which) {
  Which->Running = true;
  ++Executing;
  std::exception_ptr Thrown;
  try {
    std::vector<Place> Places;
    for (const std::shared_ptr<Stay> &Each : Which->Stays)
      Places.push_back({Each->Block ? Each->Block : Each->Made.get(), Executors[Each->Which].Asked});
    Held.unlock();
    Within = this;
    Which->Run(Places.data());
  } catch (...) {
    Thrown = std::current_exception();
  }
  if (Held.owns_lock())
    Held.unlock();
  Which->Run = nullptr; // what it has captured is freed here, not under the lock
  Within = nullptr;
  Held.lock();
  --Executing;
  if (const std::exception_ptr Other = leave(*Which); !Thrown)
    Thrown = Other;
  Active.erase(Which);
  if (Thrown)
    fail(Thrown);
  settle();
  advance();
}

/// A task has ended, or a handle is gone. What the first bytes() has thrown; then that size is as it was.
std::exception_ptr Core::leave(const Entry &Of) {
  std::exception_ptr Thrown;
  if (Of.Reserved) {
    const std::uint64_t Bytes = std::exchange(Of.Reserved->Present, false) ? Of.Reserved->Bytes : 0;
    Used -= Bytes;
    Filling -= Bytes;
    Of.Reserved->Gone = true;
    Planner.end(Of.Number);
  }
  for (std::size_t Each = 0; Each < Of.Stays.size(); ++Each) {
    Stay &There = *Of.Stays[Each];
    --There.Users;
    if (Of.Running && Of.Accesses[Each].writes) {
      There.Dirty = true;
      try {
        measure(There);
      } catch (...) {
        if (!Thrown)
          Thrown = std::current_exception();
      }
    }
  }
  return Thrown;
}

/// An object may have grown or shrunk.
void Core::measure(Stay &Of) {
  ExecutorState &Which = Executors[Of.Which];
  if (!Which.Type)
    return;
  const std::uint64_t Bytes = Which.Type->bytes(Of.Made.get());
  Used += Bytes - Of.Bytes;
  Counted.executor_bytes += Bytes - Which.Bytes;
  Of.Bytes = Which.Bytes = Bytes;
  Planner.resize(Of.Which, Bytes);
  Counted.peak_bytes = std::max(Counted.peak_bytes, Used + Blocks.keptBytes());
}

/// A task that is dropped.
void Core::unconsume(const Entry &Of) {
  for (const Access &Each : Of.Accesses)
    if (Each.ends)
      Executors[Each.id].Consumed = false;
  for (const std::shared_ptr<Stay> &Each : Of.Stays)
    Each->Ends = false;
}

/// Drops all that has not begun. Whoever waits is told once the rest has ended.
void Core::fail(std::exception_ptr With) {
  if (Collapsing)
    return;
  Collapsing = true;
  if (Runs != 0) {
    Failure = With;
    ++Failures;
  }
  for (const Entry &Each : Queue)
    unconsume(Each);
  Queue.clear();
  Returns.clear();
  Planner.forget();
  for (auto Each = Active.begin(); Each != Active.end();) {
    const auto Now = Each++;
    if (Now->Running)
      continue;
    unconsume(*Now);
    (void)leave(*Now); // measures nothing
    Now->Stays.clear();
    if (Now->What == Kind::Handle)
      Now->Failure = With;
    else
      Active.erase(Now);
  }
  for (const std::shared_ptr<Transfer> &Each : Transfers)
    Each->Ended = true, Each->Failure = With;
  Transfers.clear();
  settle();
  Changed.notify_all();
}

/// After a failure, once nothing runs or moves: what was decided is now what is.
void Core::settle() {
  if (!Collapsing || Executing != 0 || !Moving.empty())
    return;
  for (ExecutorId Each = 0; Each < Executors.size(); ++Each) {
    ExecutorState &Of = Executors[Each];
    Of.Now = Of.Last = Of.Here;
    Planner.setResident(Each, Of.Here != nullptr);
  }
  Collapsing = false;
  Changed.notify_all();
}

} // namespace memshape::out_of_core::detail
