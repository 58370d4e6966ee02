//===- Accounting.h - Bytes and counts of one operator call --------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows live bytes, their peak, and what every site holds at that peak, in constant time per event. Knows nothing of
// where blocks lie. Sizes are the bytes requested.
//
// What a site holds at the peak is kept lazily: each new maximum opens a new epoch; a site remembers its live bytes the
// first time it changes in an epoch, and a site that has not changed since still holds what it held at the peak.
//
// Threads are executed one after the other, each on an account of its own (a task), and the accounts are then laid
// beside each other: AccountingTasks.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_ACCOUNTING_H
#define MEMSHAPE_SKELETON_ACCOUNTING_H

#include "runner/accounting/LiveSteps.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace memshape {

/// Memory spaces in the order of `enum memshape_space` of <memshape/hooks.h>.
inline constexpr std::array<const char *, 5> SpaceNames = {"host", "device", "pinned", "managed", "stack"};

/// The site of an allocation made inside a library that is called for real.
inline constexpr std::int32_t LibrarySite = -1;

struct TaskGroup;

/// What one task's share of dealt work held at most above what the task held before.
struct TaskShare {
  std::array<std::int64_t, SpaceNames.size()> Most = {};
  std::vector<std::int64_t> MostSites; ///< what makes up Most
  std::uint32_t Takers = 0;
};

class Accounting {
public:
  /// Sites 0 … SpaceOfSite.size() - 1, each with its space (an index of SpaceNames), and LibrarySite, which is host.
  void configure(const std::vector<std::uint8_t> &SpaceOfSite);

  /// The entry of a call: all figures are zero from here, blocks that live already count only when they are freed.
  void begin();

  /// Has Steps told of every event outside of tasks, which are laid beside each other only where they end: what they
  /// hold at most is one step, what they leave another. Null follows nothing.
  void follow(LiveSteps *Steps) { Follower = Steps; }

  bool knows(std::int32_t Site) const { return std::uint64_t(std::int64_t(Site) + 1) < Now.Sites.size(); }

  /// Of a known site: an index of SpaceNames.
  std::uint32_t spaceOf(std::int32_t Site) const { return Now.Sites[std::size_t(std::int64_t(Site) + 1)].Space; }

  /// One event at a known site. False where a figure would leave 63 bits; the figures are then meaningless.
  [[nodiscard]] bool allocate(std::int32_t Site, std::uint64_t Bytes) {
    SpaceState &Space = Now.Spaces[stateOf(Site).Space];
    ++Space.Allocations;
    request(Site, Bytes);
    return grow(Site, Bytes);
  }
  [[nodiscard]] bool reallocate(std::int32_t OldSite, std::uint64_t OldBytes, std::int32_t Site, std::uint64_t Bytes) {
    shrink(OldSite, OldBytes);
    ++Now.Spaces[stateOf(Site).Space].Reallocations;
    request(Site, Bytes);
    return grow(Site, Bytes);
  }
  void release(std::int32_t Site, std::uint64_t Bytes) { shrink(Site, Bytes); }

  struct SpaceFigures {
    std::int64_t Peak = 0;  ///< highest live bytes above those at entry, never below 0
    std::int64_t Live = 0;  ///< live now minus live at entry; with tasks that may still run, at most
    std::int64_t Total = 0; ///< bytes requested in all
    std::uint64_t Allocations = 0;
    std::uint64_t Reallocations = 0;
    std::int64_t Slack = 0; ///< so much less than Live may be live, depending on how far tasks have come
    std::int64_t Sure = 0;  ///< as Peak, but reached in whatever order tasks run
  };
  SpaceFigures figures(unsigned Space) const;

  struct SiteFigure {
    std::int32_t Site;
    std::int64_t Bytes; ///< negative where the call has freed what an earlier call left
  };
  /// A stretch of the call inside the library, whose own figures are to be known. Spans do not nest.
  SpaceFigures openSpan();
  /// What happened since AtStart: the peak is above the live bytes there.
  SpaceFigures closeSpan(const SpaceFigures &AtStart) const;
  /// Counts a span that did Did, and left nothing live, once more. False where a figure would leave 63 bits.
  [[nodiscard]] bool repeat(const SpaceFigures &Did);

  /// A moment of the current task.
  struct Mark {
    std::array<SpaceFigures, SpaceNames.size()> Spaces;
    std::uint64_t LiveOfSites; ///< a sum that tells which site holds what
    std::size_t Depth;         ///< marks that wait around this one
  };
  /// Marks of loops inside each other have different depths.
  Mark mark(std::size_t Depth = 0);
  /// As much is live, at each site, as at Then.
  bool leftNothing(const Mark &Then) const;
  /// What was requested since Then is requested Times more. False where a figure would leave 63 bits.
  [[nodiscard]] bool countAgain(const Mark &Then, std::uint64_t Times);

  /// Non-zero bytes per site at the peak of the site's space.
  std::vector<SiteFigure> sitesAtPeak() const;

  /// What a site has requested in all, live or not. Blocks that realloc makes count as requests.
  struct SiteRequests {
    std::uint64_t Bytes = 0, Times = 0;
  };
  /// Of all sites, LibrarySite first; empty where loops inside loops were too deep to tell.
  const std::vector<SiteRequests> &requests() const { return Deep ? Unknown : Requests; }
  /// Bytes that a site holds now; negative where the call has freed what an earlier call left.
  std::int64_t live(std::int32_t Site) const { return Now.Sites[std::size_t(std::int64_t(Site) + 1)].Live; }

  /// Tasks: stretches of the call that run beside each other, on threads. Each is executed by itself; all bytes and
  /// counts between beginTask and endTask are its own, and endGroup lays the group's tasks beside each other. Its peak
  /// is then the greatest sum of what the tasks can hold at a time, and Sure what they hold at least in every order. Of
  /// a group with a limit no more than AtOnce tasks run at the same time. Groups nest.
  static constexpr std::uint32_t AllAtOnce = UINT32_MAX;
  void beginGroup(std::uint32_t AtOnce);
  void beginTask();
  /// The task waits for all others of its group: what they hold before and after is not held at the same time. A round
  /// ends when all tasks of the group have come to the same barrier.
  void barrier();
  void endRound();
  void endTask();
  [[nodiscard]] bool endGroup();

  /// A stretch of the current task that is its share of work which is dealt out while the team runs: any of Takers
  /// tasks may get as much as any other, and what the shares leave live may be less.
  void beginShare();
  [[nodiscard]] bool endShare(std::uint32_t Takers);

  /// Of a group whose tasks are executed in iterations: the current task rests, number Task of the group goes on (or,
  /// with the number of tasks begun so far, begins).
  void rest();
  void goOn(std::uint32_t Task);

  /// A task that runs beside what follows, until it is joined: the group of beginGroup(AllAtOnce) ends open. The number
  /// to join it with, never 0.
  [[nodiscard]] bool endGroupOpen(std::uint64_t &Id);
  /// As beginGroup, but the group is the current task's one pool of such tasks: each that follows joins it.
  void beginPooled(std::uint32_t AtOnce);
  [[nodiscard]] bool endPooled();
  /// The task has ended. Nothing happens where the current task has not begun it.
  void join(std::uint64_t Id);
  void joinPool();
  /// Tasks that the current one has begun and not joined.
  std::size_t open() const { return Now.Beside.size(); }

  /// Other orders than this one may request other totals and counts.
  bool varies() const { return Varies; }
  void mayVary() { Varies = true; }

  /// What a run-time library may hold for itself, or do without: so many bytes more (or less) from now on.
  [[nodiscard]] bool mayHold(std::int64_t Held);
  /// The requests behind that.
  [[nodiscard]] bool mayRequest(std::uint64_t Bytes, std::uint64_t Times);

private:
  friend struct TaskGroup;
  struct DeleteGroup {
    void operator()(TaskGroup *Group) const;
  };
  using GroupPointer = std::unique_ptr<TaskGroup, DeleteGroup>;
  struct SiteState {
    std::int64_t Live = 0;
    std::int64_t AtPeak = 0;
    std::uint64_t Epoch = 0; ///< AtPeak belongs to this epoch of the space
    std::uint32_t Space = 0;
  };
  struct SpaceState : SpaceFigures {
    std::uint64_t Epoch = 0;      ///< counts the maxima so far
    std::int64_t SpanPeak = 0;    ///< highest Live since openSpan
    std::int64_t Least = 0;       ///< lowest Live - Slack since a task was last begun or joined
    std::int64_t LeastBefore = 0; ///< the same from the last barrier until then
  };
  /// The account of one task, or of the operator itself.
  struct Account {
    std::vector<SiteState> Sites; ///< LibrarySite first
    std::array<SpaceState, SpaceNames.size()> Spaces;
    std::vector<GroupPointer> Beside;
    std::vector<TaskShare> Shares; ///< since the last barrier
  };

  SiteState &stateOf(std::int32_t Site) { return Now.Sites[std::size_t(std::int64_t(Site) + 1)]; }

  void request(std::int32_t Site, std::uint64_t Bytes) {
    SiteRequests &Asked = Requests[std::size_t(std::int64_t(Site) + 1)];
    Asked.Bytes += Bytes;
    ++Asked.Times;
  }
  std::uint64_t liveOfSites() const;

  static void remember(SiteState &Site, const SpaceState &Space) {
    if (Site.Epoch == Space.Epoch)
      return;
    Site.AtPeak = Site.Live;
    Site.Epoch = Space.Epoch;
  }
  static void raise(SpaceState &Space) {
    if (Space.Live > Space.SpanPeak)
      Space.SpanPeak = Space.Live;
    if (Space.Live - Space.Slack > Space.Sure)
      Space.Sure = Space.Live - Space.Slack;
    if (Space.Live > Space.Peak) {
      Space.Peak = Space.Live;
      ++Space.Epoch;
    }
  }
  static void sink(SpaceState &Space) {
    if (Space.Live - Space.Slack < Space.Least)
      Space.Least = Space.Live - Space.Slack;
  }
  static std::int64_t atPeak(const SiteState &Site, const SpaceState &Space) {
    return Site.Epoch == Space.Epoch ? Site.AtPeak : Site.Live;
  }

  bool grow(std::int32_t SiteId, std::uint64_t Bytes) {
    SiteState &Site = stateOf(SiteId);
    SpaceState &Space = Now.Spaces[Site.Space];
    // Live never exceeds Total, so that one check guards both.
    if (Bytes > std::uint64_t(INT64_MAX) || __builtin_add_overflow(Space.Total, std::int64_t(Bytes), &Space.Total))
      return false;
    remember(Site, Space);
    Site.Live += std::int64_t(Bytes);
    Space.Live += std::int64_t(Bytes);
    raise(Space);
    if (Follower) [[unlikely]]
      tell(SiteId, std::int64_t(Bytes));
    return true;
  }

  void shrink(std::int32_t SiteId, std::uint64_t Bytes) {
    SiteState &Site = stateOf(SiteId);
    SpaceState &Space = Now.Spaces[Site.Space];
    remember(Site, Space);
    Site.Live -= std::int64_t(Bytes);
    Space.Live -= std::int64_t(Bytes);
    sink(Space);
    if (Follower) [[unlikely]]
      tell(SiteId, -std::int64_t(Bytes));
  }

  void tell(std::int32_t Site, std::int64_t Change);
  void tellOfTasks(const std::vector<std::int64_t> &MostSites);
  Account freshAccount() const;
  void endPhase();
  void startStretch();
  bool absorb(const TaskGroup &Group);
  void change(const std::vector<std::int64_t> &BySite, int Sign);
  bool putBeside(GroupPointer Group);
  void takeOut(const TaskGroup &Group);
  void joinAt(std::size_t Position);

  Account Now;
  std::vector<GroupPointer> Groups; ///< begun and not ended, outermost first
  LiveSteps *Follower = nullptr;
  std::uint64_t LastId = 0;
  bool Varies = false;

  /// Loops whose iterations are counted again stand in each other so deep at most.
  static constexpr std::size_t MarkedDepth = 8;
  std::vector<SiteRequests> Requests;     ///< of all tasks
  std::vector<SiteRequests> RequestsThen; ///< at each mark
  const std::vector<SiteRequests> Unknown = {};
  bool Deep = false;
};

} // namespace memshape

#endif // MEMSHAPE_SKELETON_ACCOUNTING_H
