// What a store is made of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   submit()   -> queue of tasks
//   admission  -> the first tasks become active: Replacement says what has to
//                 leave and to come for them, which becomes a transfer
//   transfers  -> begun in their order by threads of their own: wait for the
//                 tasks on what leaves, write it if it is dirty, read the
//                 rest, and set aside what a task reserves
//   dispatch   -> active tasks whose executors are there run
//
// Admission is at most `Window` tasks ahead of the end of the earliest one.
// Nothing waits in a circle: a transfer waits for tasks that were admitted
// before it, these for transfers before them.

#pragma once

#include "BlockMemory.h"
#include "Publication.h"
#include "Replacement.h"
#include "SpillFiles.h"
#include "Trap.h"
#include "limits/BudgetRule.h"
#include "limits/BudgetWatch.h"

#include <condition_variable>
#include <exception>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace memshape::out_of_core::detail {

class Core {
public:
  /// Limits are read below KernelRoot, which tests may set.
  Core(const Options &Of, std::shared_ptr<FileLayer> Layer, std::string KernelRoot = "");
  ~Core();
  Core(const Core &) = delete;

  /// False in a process that was forked from the store's: threads and files are not here.
  bool isHere() const { return Here.isHere(); }

  ExecutorId add(std::uint64_t Bytes, std::optional<Object> Type);
  void submit(Body Run, std::vector<Access> Accesses, std::uint64_t Besides, bool IsFence);
  void submitEviction(ExecutorId Which);
  void run();
  std::pair<std::uint64_t, Place> pin(Access On);
  void release(std::uint64_t Number);
  void setBudget(std::uint64_t Bytes);
  Forecast forecast(std::uint64_t With) const;
  Statistics statistics() const;
  std::vector<ExecutorId> resident() const;

  // Reclaim.cpp: an allocation of the program asks for memory. See Trap.h
  void beginTrap();
  /// Refused: bytes that malloc could not give; 0: the budget is exceeded.
  bool makeRoom(std::uint64_t Refused);
  void endTrap();

private:
  using Lock = std::unique_lock<StoreMutex>;

  /// One time of an executor in memory, from the decision that it comes to the end of its eviction.
  struct Stay {
    ExecutorId Which = 0;
    std::uint64_t Bytes = 0;      ///< that it takes in memory, once it is here
    std::shared_ptr<Stay> Before; ///< has to be gone first
    unsigned Users = 0;           ///< active entries
    bool Present = false, Gone = false, Dirty = false;
    bool Leaving = false; ///< a thread is evicting it
    bool Ends = false;    ///< with the task that uses it last
    void *Block = nullptr;
    bool IsZero = false;        ///< the block, as it was taken
    std::shared_ptr<void> Made; ///< the object
  };

  struct ExecutorState {
    std::uint64_t Asked = 0, Bytes = 0;
    std::optional<Object> Type; ///< absent: a block
    std::shared_ptr<Stay> Now;  ///< as decided; null: it is, or will be, away
    std::shared_ptr<Stay> Last; ///< decided last, whether or not it is to leave
    std::shared_ptr<Stay> Here; ///< in fact
    Spill OnDisk;
    std::uint64_t Written = 0; ///< times
    bool Consumed = false;     ///< by a task that has been submitted
  };

  /// What a task has reserved, from its admission on.
  struct Share {
    std::uint64_t Bytes = 0;
    bool Present = false, Gone = false;
  };

  enum class Kind { Task, Fence, Handle, Eviction };
  struct Entry {
    Kind What = Kind::Task;
    std::vector<Access> Accesses;
    std::uint64_t Besides = 0; ///< that it reserves
    Body Run;
    std::uint64_t Number = 0;
    std::vector<std::shared_ptr<Stay>> Stays;
    std::shared_ptr<Share> Reserved; ///< null: nothing
    bool Running = false;
    std::thread::id Owner;      ///< of a handle
    std::exception_ptr Failure; ///< of a handle that waits
  };
  using Entries = std::list<Entry>;

  struct Transfer {
    std::uint64_t Number = 0, Limit = 0;
    std::vector<std::shared_ptr<Stay>> Out, In;
    std::vector<std::shared_ptr<Share>> Over; ///< have to be gone first
    std::shared_ptr<Share> Reserved;
    bool Ended = false;
    std::exception_ptr Failure;
  };

  // Core.cpp: what calls do
  void stop();
  void makeFiles();
  void changeBudget(std::uint64_t To);
  std::uint64_t bytes(const Entry &Of) const;
  std::uint64_t pinnedBytes() const;
  bool isPinned(ExecutorId Which) const;
  bool holdsHandle(std::thread::id Thread) const;
  std::size_t activeTasks() const;
  Statistics figures() const;
  void publish(Lock &Held);

  // Automatic.cpp: the budget follows the limits
  Holding holding() const;
  void follow();
  void look(bool IsPressed, Pressure::Time Now);
  void change(std::uint64_t To);
  std::uint64_t mostBytes() const;
  void bringBack();

  // Dispatch.cpp: from the queue to the end of a task
  bool mayAdmit(const Entry &First);
  void admit(Entries &From);
  void evictInTurn(ExecutorId Which);
  void advance();
  bool canStart(Entries::const_iterator Which) const;
  Entries::iterator startable();
  void work();
  void execute(Lock &Held, Entries::iterator Which);
  [[nodiscard]] std::exception_ptr leave(const Entry &Of);
  void unconsume(const Entry &Of);
  void measure(Stay &Of);
  void fail(std::exception_ptr With);
  void settle();

  // Transfers.cpp: memory to disk, and back
  std::shared_ptr<Stay> arrive(ExecutorId Which);
  std::shared_ptr<Transfer> transfer(const Replacement::Change &Of, std::vector<std::shared_ptr<Stay>> In,
                                     std::shared_ptr<Share> Reserved, std::uint64_t Limit);
  void move();
  void carryOut(Lock &Held, const Transfer &What);
  bool waitFor(Lock &Held, const std::function<bool()> &Ready);
  std::int64_t toCome(const Transfer &Of) const;
  bool hasRoom(const Transfer &For, std::uint64_t Bytes) const;
  void bringOut(Lock &Held, Stay &Which);
  void bringIn(Lock &Held, const std::shared_ptr<Stay> &Which, std::uint64_t Limit);
  void fill(Stay &Which, const ExecutorState &Of) const;
  void discard(Stay &Which);
  bool isCalledOff() const { return Collapsing || Stopping; }

  // Reclaim.cpp: memory for the program, out of turn
  void watch(std::uint64_t Limit);
  /// Memory has just been freed for the program, which has not taken it yet.
  bool isAwaited() const { return Trapped != 0 && LastUseful == RoundsEnded && RoundsEnded != 0; }
  void observeProgram();
  std::uint64_t room(std::uint64_t Least) const;
  void reclaim();
  bool evict(Lock &Held, const std::function<bool(std::uint64_t)> &IsEnough);
  std::shared_ptr<Stay> evictable(const std::set<ExecutorId> &Refused) const;
  void evictNow(Lock &Held, const std::shared_ptr<Stay> &Which);
  void keep(const std::shared_ptr<Stay> &Which);
  BlockMemory::Taken takeBlock(Lock &Held, std::uint64_t Bytes);

  /// The store of the task that this thread runs now; null outside of tasks.
  static inline thread_local const Core *Within = nullptr;

  mutable StoreMutex Mutex;
  std::condition_variable_any Changed;

  std::uint64_t Budget;
  std::filesystem::path Parent;
  const std::shared_ptr<FileLayer> Layer;
  std::unique_ptr<SpillFiles> Files; ///< absent as long as the budget was never limited
  const std::string KernelRoot;
  std::unique_ptr<BudgetWatch> Watch; ///< absent as long as the budget was never automatic
  BudgetRule Rule;
  bool IsAutomatic = false, HasShrunk = false;
  Replacement Planner;
  std::size_t Window;
  const unsigned WritingThreads; ///< 0: allocations of the program are not to be watched
  const Origin Here;

  std::deque<ExecutorState> Executors; ///< references to one stay valid when others are added
  Entries Queue, Active;
  std::deque<std::shared_ptr<Transfer>> Transfers;
  std::map<std::uint64_t, const Transfer *> Moving; ///< that have begun, by their numbers
  std::deque<ExecutorId> Returns;                   ///< come back without a task that asks for them, first ones first
  BlockMemory Blocks;

  std::uint64_t Used = 0;    ///< bytes of stays that are here, of those being filled, and of reservations
  std::uint64_t Filling = 0; ///< of those, in new pages that may not be touched yet, reservations included
  std::uint64_t Entered = 0, Planned = 0;
  std::size_t Executing = 0;
  unsigned Runs = 0; ///< calls of run() that have not returned: tasks run
  bool Collapsing = false, Stopping = false;
  std::uint64_t Failures = 0; ///< while tasks ran
  std::exception_ptr Failure; ///< the latest of these, for each run() that it happened in
  std::exception_ptr Owed;    ///< thrown by a handle that went; for the next run()
  Statistics Counted;
  Publication Shown;

  bool Reclaims = false;  ///< a thread for that runs
  bool Watched = false;   ///< allocations of the program ask this store
  std::uint64_t Lent = 0; ///< bytes of the program itself
  std::uint64_t Wanted = 0;
  std::uint64_t RoundsAsked = 0, RoundsBegun = 0, RoundsEnded = 0, LastUseful = 0;
  unsigned Trapped = 0; ///< allocations that ask at this moment

  std::vector<std::thread> Threads;
};

} // namespace memshape::out_of_core::detail
