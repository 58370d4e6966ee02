// Which executors leave the memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides, and moves nothing. It sees tasks in the order of the queue, ahead of
// their execution, so what it decides follows from the queue alone and not from
// the time that tasks or disks take: the same queue is read and written the
// same way in every run.

#pragma once

#include <memshape/out_of_core.h>

#include <compare>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <vector>

namespace memshape::out_of_core {

using ExecutorId = std::uint32_t;

class Replacement {
public:
  /// Next-use evicts the executor whose next use is furthest away: nothing reads less (Belady 1966). In a cycle that is
  /// the executor that has just been used, and the disk would wait for its task. So next-use spares executors of the latest
  /// uses, Recent at most, as far as they take no more than 1/32 of the budget, and of what is beyond it. It never reads
  /// more than it would within a budget that is smaller by what it spares. Where nothing else may leave, they leave.
  ///
  /// Together: how many tasks run at a time. So many of the latest keep what they have reserved, and their executors,
  /// where that fits. What tasks before these have reserved is given back first of all: it costs no more than a wait.
  Replacement(Policy How, std::size_t Recent, std::size_t Together = 1);

  /// Executors are numbered from 0 on.
  void add(std::uint64_t Bytes);
  void resize(ExecutorId Which, std::uint64_t Bytes);

  /// A task at the end of the queue will use it.
  void expect(ExecutorId Which);
  /// Takes the latest expect() back.
  void unexpect(ExecutorId Which);
  /// The queue has been dropped.
  void forget();

  struct Change {
    std::vector<ExecutorId> Out, In;
    std::vector<std::uint64_t> Over; ///< uses, counted from 1, that have to give back what they have reserved
  };
  /// The first task of the queue uses all of Which, or a handle does, which is not in the queue. Pinned executors stay,
  /// and those in use. Out are chosen until the rest is within the budget; all that may go go where that cannot be.
  Change use(std::span<const ExecutorId> Which, bool InQueue, std::uint64_t Budget,
             const std::function<bool(ExecutorId)> &Pinned, std::uint64_t Besides = 0);
  /// The same without a use.
  Change shrink(std::uint64_t Budget, const std::function<bool(ExecutorId)> &Pinned);

  /// Nobody uses it any more: it leaves before all others.
  void finish(ExecutorId Which);

  /// A use has ended. When it is told changes no choice of executors.
  void end(std::uint64_t Use);
  /// Nothing is reserved any more.
  void release();

  /// The first to leave of those that may.
  std::optional<ExecutorId> first(const std::function<bool(ExecutorId)> &May) const;

  /// After an error, or out of turn: what is in memory in fact.
  void setResident(ExecutorId Which, bool IsResident);

  bool isResident(ExecutorId Which) const { return Known[Which].Resident; }
  bool isAwaited(ExecutorId Which) const { return !Known[Which].NextUses.empty(); }
  std::uint64_t residentBytes() const { return Held; }
  std::uint64_t reservedBytes() const { return Reserved; }
  /// Least recently used first.
  std::vector<ExecutorId> residents() const;
  /// Those that tasks of the queue will use, and that are not in memory: the first to be used first.
  std::vector<ExecutorId> awaited() const;

private:
  static constexpr std::uint64_t Never = ~std::uint64_t(0);

  struct State {
    std::uint64_t Bytes = 0;
    std::uint64_t LastUse = 0;
    std::deque<std::uint64_t> NextUses; ///< places in the queue
    bool Resident = false, Finished = false;
  };
  /// The first of Order leaves first. Those that are away are behind, so that no memory is needed to move one.
  struct Rank {
    bool Away;
    bool Wanted;
    std::uint64_t Sooner; ///< with next-use, Never less the place of the next use
    std::uint64_t LastUse;
    ExecutorId Which;
    auto operator<=>(const Rank &) const = default;
  };

  /// What a use has reserved.
  struct Room {
    std::uint64_t Use, Bytes;
    std::vector<ExecutorId> With; ///< its executors
    bool Ended = false;
  };

  Rank rank(ExecutorId Which) const;
  /// Changes an executor's state, and its place in Order with it. Throws what What throws, and then changes nothing.
  template <class Apply> void change(ExecutorId Which, Apply What);
  void evict(std::uint64_t Budget, const std::function<bool(ExecutorId)> &Stays, Change &Into,
             bool OnlyFinished = false);
  void giveBack(std::uint64_t Before, std::uint64_t Budget, Change &Into);
  std::uint64_t firstTogether(std::span<const ExecutorId> Which, std::uint64_t Budget,
                              std::set<ExecutorId> &Staying) const;
  std::uint64_t firstOfRecent(std::uint64_t Budget) const;

  Policy How;
  std::size_t Recent, Together;
  std::vector<State> Known;
  std::set<Rank> Order; ///< all executors
  std::deque<std::uint64_t> RecentBytes;
  std::deque<Room> Rooms; ///< by their uses
  std::uint64_t Held = 0, Reserved = 0;
  std::uint64_t Expected = 0; ///< uses so far, those in the queue included
  std::uint64_t Sizes = 0;    ///< bytes of all executors
  std::uint64_t Used = 0;     ///< tasks and handles so far
};

} // namespace memshape::out_of_core
