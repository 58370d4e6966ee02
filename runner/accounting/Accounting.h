// Bytes and counts of one operator call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows live bytes, their peak, and what every site holds at that peak, in constant time per event. Does not know
// addresses of blocks. Sizes are the bytes requested.
//
// What a site holds at the peak is kept lazily. Each new maximum opens an epoch. A site saves its live bytes the first
// time it changes in an epoch; a site that has not changed since still holds what it held at the peak.
//
// Threads are executed one after the other, each on an account of its own (a task). The accounts are then combined as
// if the tasks ran at the same time: AccountingTasks.cpp.

#pragma once

#include "runner/accounting/LiveSteps.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace memshape {

/// Memory spaces in the order of `enum memshape_space` of <memshape/hooks.h>.
inline constexpr std::array<const char *, 5> SpaceNames = {"host", "device", "pinned", "managed", "stack"};

/// The site of allocations inside a library that is called for real.
inline constexpr std::int32_t LibrarySite = -1;

/// Bytes, and the blocks that they lie in.
struct Holding {
  std::int64_t Bytes = 0, Blocks = 0;
  Holding &operator+=(Holding More) { return Bytes += More.Bytes, Blocks += More.Blocks, *this; }
  friend Holding operator+(Holding A, Holding B) { return A += B; }
  friend Holding operator*(std::int64_t Times, Holding Of) { return {Times * Of.Bytes, Times * Of.Blocks}; }
  friend Holding operator-(Holding A, Holding B) { return A += -1 * B; }
  explicit operator bool() const { return Bytes || Blocks; }
};

struct TaskGroup;

/// What one task's part of shared work held at most, above what the task held before.
struct TaskShare {
  std::array<std::int64_t, SpaceNames.size()> Most = {};
  std::vector<Holding> MostSites; ///< what Most consists of, by site
  std::uint32_t Takers = 0;
};

class Accounting {
public:
  /// Sites 0 … SpaceOfSite.size() - 1, each with its space (an index of SpaceNames), and LibrarySite, which is host.
  void configure(const std::vector<std::uint8_t> &SpaceOfSite);

  /// Starts a call: all figures are zero from here. Blocks that already live count only when they are freed.
  void begin();

  /// Reports every event outside of tasks to Steps. A group of tasks is reported when it ends, as two steps: what it
  /// holds at most, and what it leaves. Null reports nothing.
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
    ++request(Site, Bytes).Reallocations;
    return grow(Site, Bytes);
  }
  void release(std::int32_t Site, std::uint64_t Bytes) { shrink(Site, Bytes); }

  struct SpaceFigures {
    std::int64_t Peak = 0;  ///< highest live bytes above those at entry, never below 0
    std::int64_t Live = 0;  ///< live now minus live at entry; an upper bound while tasks may still run
    std::int64_t Total = 0; ///< bytes requested in all
    std::uint64_t Allocations = 0;
    std::uint64_t Reallocations = 0;
    std::int64_t Slack = 0; ///< live may be lower than Live by this much, depending on how far tasks have come
    std::int64_t Sure = 0;  ///< as Peak, but reached in every order in which tasks may run
  };
  SpaceFigures figures(unsigned Space) const;

  struct SiteFigure {
    std::int32_t Site;
    std::int64_t Bytes; ///< negative where the call has freed what an earlier call left
    std::int64_t Blocks;
  };
  /// Begins a stretch of the call inside a library whose own figures are wanted. Spans do not nest.
  SpaceFigures openSpan();
  /// What happened since AtStart; its peak is above the bytes that were live there.
  SpaceFigures closeSpan(const SpaceFigures &AtStart) const;
  /// Counts a span with figures Did, which left nothing live, once more. False where a figure would leave 63 bits.
  [[nodiscard]] bool repeat(const SpaceFigures &Did);

  /// The state of the current task at one moment.
  struct Mark {
    std::array<SpaceFigures, SpaceNames.size()> Spaces;
    std::uint64_t LiveOfSites; ///< a hash of what each site holds
    std::size_t Depth;         ///< marks of enclosing loops
  };
  /// Marks of loops inside each other have different depths.
  Mark mark(std::size_t Depth = 0);
  /// Whether as much is live, at each site, as at Then.
  bool leftNothing(const Mark &Then) const;
  /// Counts what was requested since Then another Times times. False where a figure would leave 63 bits.
  [[nodiscard]] bool countAgain(const Mark &Then, std::uint64_t Times);

  /// What each site holds at the peak of its space, where that is not nothing.
  std::vector<SiteFigure> sitesAtPeak() const;

  /// What a site has requested in all, live or not. A realloc counts as a request.
  struct SiteRequests {
    std::uint64_t Bytes = 0, Times = 0;
    std::uint64_t Reallocations = 0; ///< among Times
  };
  /// Of all sites, LibrarySite first; empty where loops were nested too deeply to count.
  const std::vector<SiteRequests> &requests() const { return Deep ? Unknown : Requests; }
  /// Bytes that a site holds now; negative where the call has freed what an earlier call left.
  std::int64_t live(std::int32_t Site) const { return Now.Sites[std::size_t(std::int64_t(Site) + 1)].Live.Bytes; }

  /// Tasks: parts of the call that run at the same time, on threads. Each is executed by itself. All bytes and counts
  /// between beginTask and endTask belong to it, and endGroup combines the group's tasks. The group's peak is the
  /// greatest sum of what its tasks can hold at one time; Sure is what they hold at least in every order. In a group
  /// with a limit, no more than AtOnce tasks run at the same time. Groups nest.
  static constexpr std::uint32_t AllAtOnce = UINT32_MAX;
  void beginGroup(std::uint32_t AtOnce);
  void beginTask();
  /// The task waits for all others of its group: what they hold before and after is not held at the same time. A round
  /// ends when all tasks of the group have come to the same barrier.
  void barrier();
  void endRound();
  void endTask();
  [[nodiscard]] bool endGroup();

  /// Begins the current task's part of shared work that is dealt out while the team runs. Any of Takers tasks may get
  /// as much as any other, and the parts may leave less live.
  void beginShare();
  [[nodiscard]] bool endShare(std::uint32_t Takers);

  /// For groups whose tasks are executed in steps: the current task pauses and task Number of the group continues.
  /// Number equal to the count of tasks begun so far begins a new one.
  void rest();
  void goOn(std::uint32_t Task);

  /// Ends a group of beginGroup(AllAtOnce) whose task runs beside what follows until it is joined. Id: the number to
  /// join it with, never 0.
  [[nodiscard]] bool endGroupOpen(std::uint64_t &Id);
  /// As beginGroup, but with one group per task for all such tasks: each that follows joins it.
  void beginPooled(std::uint32_t AtOnce);
  [[nodiscard]] bool endPooled();
  /// The task has ended. Does nothing if the current task has not begun it.
  void join(std::uint64_t Id);
  void joinPool();
  /// Number of tasks that the current one has begun and not joined.
  std::size_t open() const { return Now.Beside.size(); }

  /// Whether other orders than this one may have other totals and counts.
  bool varies() const { return Varies; }
  void mayVary() { Varies = true; }

  /// What a run-time library may or may not hold for itself: so many bytes more (or less) from now on.
  [[nodiscard]] bool mayHold(std::int64_t Held);
  /// The requests behind mayHold.
  [[nodiscard]] bool mayRequest(std::uint64_t Bytes, std::uint64_t Times);

private:
  friend struct TaskGroup;
  struct DeleteGroup {
    void operator()(TaskGroup *Group) const;
  };
  using GroupPointer = std::unique_ptr<TaskGroup, DeleteGroup>;
  struct SiteState {
    Holding Live, AtPeak;
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

  SiteRequests &request(std::int32_t Site, std::uint64_t Bytes) {
    SiteRequests &Asked = Requests[std::size_t(std::int64_t(Site) + 1)];
    Asked.Bytes += Bytes;
    ++Asked.Times;
    return Asked;
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
  static Holding atPeak(const SiteState &Site, const SpaceState &Space) {
    return Site.Epoch == Space.Epoch ? Site.AtPeak : Site.Live;
  }

  bool grow(std::int32_t SiteId, std::uint64_t Bytes) {
    SiteState &Site = stateOf(SiteId);
    SpaceState &Space = Now.Spaces[Site.Space];
    // Live never exceeds Total, so that one check guards both.
    if (Bytes > std::uint64_t(INT64_MAX) || __builtin_add_overflow(Space.Total, std::int64_t(Bytes), &Space.Total))
      return false;
    remember(Site, Space);
    Site.Live += {std::int64_t(Bytes), 1};
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
    Site.Live += {-std::int64_t(Bytes), -1};
    Space.Live -= std::int64_t(Bytes);
    sink(Space);
    if (Follower) [[unlikely]]
      tell(SiteId, -std::int64_t(Bytes));
  }

  void tell(std::int32_t Site, std::int64_t Change);
  void tellOfTasks(const std::vector<Holding> &MostSites);
  Account freshAccount() const;
  void endPhase();
  void startStretch();
  bool absorb(const TaskGroup &Group);
  void change(const std::vector<Holding> &BySite, int Sign);
  bool putBeside(GroupPointer Group);
  void takeOut(const TaskGroup &Group);
  void joinAt(std::size_t Position);

  Account Now;
  std::vector<GroupPointer> Groups; ///< begun and not ended, outermost first
  LiveSteps *Follower = nullptr;
  std::uint64_t LastId = 0;
  bool Varies = false;

  /// Greatest nesting depth of loops whose iterations are counted without being run.
  static constexpr std::size_t MarkedDepth = 8;
  std::vector<SiteRequests> Requests;     ///< of all tasks
  std::vector<SiteRequests> RequestsThen; ///< at each mark
  const std::vector<SiteRequests> Unknown = {};
  bool Deep = false;
};

} // namespace memshape
