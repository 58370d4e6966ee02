// Combines accounts of threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time per task: linear in the number of sites.

#include "runner/accounting/TaskGroup.h"

#include <algorithm>
#include <utility>

using namespace memshape;

static constexpr unsigned SpaceCount = SpaceNames.size();

TaskGroup::TaskGroup(std::size_t Sites, std::uint32_t AtOnce) : AtOnce(AtOnce) {
  for (BySite *List : {&Now.PeakSites, &Now.KeptSites, &Now.OverSites, &Ended.MostSites, &LeftSites})
    List->assign(Sites, {});
}

std::int64_t TaskGroup::uneven(unsigned Space) const {
  std::int64_t More = 0;
  for (const Round::Deal &D : Now.Deals)
    More += std::max<std::int64_t>(0, D.Takers * D.Greatest[Space] - D.Sum[Space]);
  return More;
}

Holding TaskGroup::unevenAt(std::size_t Site) const {
  const std::uint32_t Space = SpaceOfSite[Site];
  Holding More;
  for (const Round::Deal &D : Now.Deals)
    if (D.Takers * D.Greatest[Space] > D.Sum[Space])
      More += D.Takers * D.GreatestSites[Site] - D.SumSites[Site];
  return More;
}

void TaskGroup::Round::add(const TaskShare &Share, std::size_t Number, const std::vector<std::uint32_t> &Spaces) {
  if (Deals.size() <= Number)
    Deals.resize(Number + 1);
  Deal &D = Deals[Number];
  D.SumSites.resize(Spaces.size());
  D.GreatestSites.resize(Spaces.size());
  D.Takers = std::max(D.Takers, Share.Takers);
  std::array<bool, SpaceNames.size()> Greater = {};
  for (unsigned S = 0; S < SpaceCount; ++S) {
    D.Sum[S] += Share.Most[S];
    Greater[S] = Share.Most[S] > D.Greatest[S];
    D.Greatest[S] = std::max(D.Greatest[S], Share.Most[S]);
  }
  for (std::size_t I = 0; I < Spaces.size(); ++I) {
    D.SumSites[I] += Share.MostSites[I];
    if (Greater[Spaces[I]])
      D.GreatestSites[I] = Share.MostSites[I];
  }
}

void TaskGroup::widen(Extremes &Known) const {
  if (!Now.Tasks)
    return;
  const std::int64_t Running = std::min(AtOnce, Now.Tasks);
  for (unsigned S = 0; S < SpaceCount; ++S) {
    const std::int64_t Limited = Now.Kept[S] + Running * Now.Over[S];
    const std::int64_t Sum = Now.Peaks[S] + uneven(S);
    const bool BySum = AtOnce >= Now.Tasks || Sum <= Limited;
    const std::int64_t Most = BySum ? Sum : Limited;
    Known.Sure[S] = std::max({Known.Sure[S], Now.Ends[S], Now.Least[S] + Now.Excess[S]});
    Known.Least[S] = std::min(Known.Least[S], Now.Least[S]);
    if (Most <= Known.Most[S])
      continue;
    Known.Most[S] = Most;
    for (std::size_t I = 0; I < SpaceOfSite.size(); ++I)
      if (SpaceOfSite[I] == S)
        Known.MostSites[I] = BySum ? Now.PeakSites[I] + unevenAt(I) : Now.KeptSites[I] + Running * Now.OverSites[I];
  }
}

Accounting::Account Accounting::freshAccount() const {
  Account Fresh;
  Fresh.Sites.resize(Now.Sites.size());
  for (std::size_t I = 0; I < Now.Sites.size(); ++I)
    Fresh.Sites[I].Space = Now.Sites[I].Space;
  return Fresh;
}

void Accounting::beginGroup(std::uint32_t AtOnce) {
  GroupPointer Group(new TaskGroup(Now.Sites.size(), AtOnce));
  for (const SiteState &Site : Now.Sites)
    Group->SpaceOfSite.push_back(Site.Space);
  Account Fresh = freshAccount();
  Group->Outer = std::exchange(Now, std::move(Fresh));
  Groups.push_back(std::move(Group));
}

void Accounting::beginTask() { Now = freshAccount(); }

/// Updates the open groups of the current task with the least that it held beside them since the last call of this.
void Accounting::startStretch() {
  for (unsigned S = 0; S < SpaceCount; ++S) {
    SpaceState &Space = Now.Spaces[S];
    for (const GroupPointer &Open : Now.Beside)
      Open->Since[S] = std::min(Open->Since[S], Space.Least - Open->Beside.Least[S]);
    Space.LeastBefore = std::min(Space.LeastBefore, Space.Least);
    Space.Least = Space.Live - Space.Slack;
  }
}

/// Adds the current task's figures since its last barrier to its group.
void Accounting::endPhase() {
  startStretch();
  TaskGroup::Round &Round = Groups.back()->Now;
  ++Round.Tasks;
  for (std::size_t I = 0; I < Now.Shares.size(); ++I)
    Round.add(Now.Shares[I], I, Groups.back()->SpaceOfSite);
  Now.Shares.clear();
  std::array<bool, SpaceNames.size()> Greatest = {};
  for (unsigned S = 0; S < SpaceCount; ++S) {
    const SpaceState &Space = Now.Spaces[S];
    const std::int64_t Kept = std::max<std::int64_t>(0, Space.Live);
    Round.Peaks[S] += Space.Peak;
    Round.Ends[S] += Space.Live - Space.Slack;
    Round.Least[S] += Space.LeastBefore;
    Round.Excess[S] = std::max(Round.Excess[S], Space.Sure - Space.LeastBefore);
    Round.Kept[S] += Kept;
    Greatest[S] = Space.Peak - Kept > Round.Over[S];
    Round.Over[S] = std::max(Round.Over[S], Space.Peak - Kept);
  }
  for (std::size_t I = 0; I < Now.Sites.size(); ++I) {
    const SiteState &Site = Now.Sites[I];
    const SpaceState &Space = Now.Spaces[Site.Space];
    const Holding AtPeak = atPeak(Site, Space), Kept = Space.Live > 0 ? Site.Live : Holding();
    Round.PeakSites[I] += AtPeak;
    Round.KeptSites[I] += Kept;
    if (Greatest[Site.Space])
      Round.OverSites[I] = AtPeak - Kept;
  }
}

void Accounting::barrier() {
  joinPool();
  endPhase();
  for (SpaceState &Space : Now.Spaces) {
    Space.Peak = Space.Live;
    Space.Sure = Space.LeastBefore = Space.Live - Space.Slack;
    ++Space.Epoch;
  }
}

void Accounting::endRound() {
  TaskGroup &Group = *Groups.back();
  Group.widen(Group.Ended);
  TaskGroup::Round Next;
  for (TaskGroup::BySite *List : {&Next.PeakSites, &Next.KeptSites, &Next.OverSites})
    List->assign(Group.SpaceOfSite.size(), {});
  Group.Now = std::move(Next);
}

void Accounting::endTask() {
  joinPool();
  endPhase();
  TaskGroup &Group = *Groups.back();
  for (unsigned S = 0; S < SpaceCount; ++S) {
    const SpaceState &Space = Now.Spaces[S];
    SpaceFigures &Sum = Group.Sums[S];
    Group.Left[S] += Space.Live;
    Group.SureLeft[S] += Space.Live - Space.Slack;
    // A sum beyond 63 bits stays at the greatest number, so that absorb sees it.
    if (__builtin_add_overflow(Sum.Total, Space.Total, &Sum.Total))
      Sum.Total = INT64_MAX;
    Sum.Allocations += Space.Allocations;
    Sum.Reallocations += Space.Reallocations;
  }
  for (std::size_t I = 0; I < Now.Sites.size(); ++I)
    Group.LeftSites[I] += Now.Sites[I].Live;
}

void Accounting::rest() {
  TaskGroup &Group = *Groups.back();
  Group.Resting[Group.Current] = std::move(Now);
}

void Accounting::goOn(std::uint32_t Task) {
  TaskGroup &Group = *Groups.back();
  Group.Current = Task;
  if (Task < Group.Resting.size()) {
    Now = std::move(Group.Resting[Task]);
    return;
  }
  Group.Resting.emplace_back();
  Now = Account();
  for (std::uint32_t Space : Group.SpaceOfSite)
    Now.Sites.emplace_back().Space = Space;
}

/// Totals and counts of Group's tasks. False where one leaves 63 bits.
bool Accounting::absorb(const TaskGroup &Group) {
  for (unsigned S = 0; S < SpaceCount; ++S) {
    SpaceState &Space = Now.Spaces[S];
    const SpaceFigures &Sum = Group.Sums[S];
    Space.Allocations += Sum.Allocations;
    Space.Reallocations += Sum.Reallocations;
    if (Sum.Total == INT64_MAX || __builtin_add_overflow(Space.Total, Sum.Total, &Space.Total))
      return false;
  }
  return true;
}

/// Adds to, or takes from, the live bytes of the sites. The caller changes those of the spaces.
void Accounting::change(const std::vector<Holding> &BySite, int Sign) {
  for (std::size_t I = 0; I < BySite.size(); ++I)
    if (BySite[I]) {
      SiteState &Site = Now.Sites[I];
      remember(Site, Now.Spaces[Site.Space]);
      Site.Live += Sign * BySite[I];
    }
}

bool Accounting::endGroup() {
  GroupPointer Group = std::move(Groups.back());
  Groups.pop_back();
  Now = std::move(Group->Outer);
  if (!absorb(*Group))
    return false;
  Group->widen(Group->Ended);
  const TaskGroup::Extremes &All = Group->Ended;
  for (unsigned S = 0; S < SpaceCount; ++S) {
    SpaceState &Space = Now.Spaces[S];
    const std::int64_t Certain = Space.Live - Space.Slack, Most = Space.Live + All.Most[S];
    Space.SpanPeak = std::max(Space.SpanPeak, Most);
    Space.Sure = std::max(Space.Sure, Certain + All.Sure[S]);
    Space.Least = std::min(Space.Least, Certain + All.Least[S]);
    if (Most <= Space.Peak)
      continue;
    Space.Peak = Most;
    ++Space.Epoch;
    for (std::size_t I = 0; I < Now.Sites.size(); ++I)
      if (SiteState &Site = Now.Sites[I]; Site.Space == S) {
        Site.AtPeak = Site.Live + All.MostSites[I];
        Site.Epoch = Space.Epoch;
      }
  }
  if (Follower)
    tellOfTasks(All.MostSites);
  change(Group->LeftSites, 1);
  for (unsigned S = 0; S < SpaceCount; ++S) {
    SpaceState &Space = Now.Spaces[S];
    Space.Live += Group->Left[S];
    Space.Slack += Group->Left[S] - Group->SureLeft[S];
    raise(Space);
    sink(Space);
  }
  if (Follower)
    tell(LibrarySite, 0);
  return true;
}

void Accounting::beginShare() {
  beginGroup(AllAtOnce);
  beginTask();
}

bool Accounting::endShare(std::uint32_t Takers) {
  endTask();
  Groups.back()->widen(Groups.back()->Ended);
  TaskShare Share;
  Share.Most = Groups.back()->Ended.Most;
  Share.MostSites = Groups.back()->Ended.MostSites;
  Share.Takers = Takers;
  const TaskGroup::BySpace Left = Groups.back()->Left;
  if (!endGroup())
    return false;
  if (Takers < 2)
    return true;
  Now.Shares.push_back(std::move(Share));
  for (unsigned S = 0; S < SpaceCount; ++S)
    if (Left[S]) {
      // Work that leaves something live may find it there the next time, so it matters which task gets it.
      Varies = true;
      Now.Spaces[S].Slack += std::max<std::int64_t>(0, Left[S]);
    }
  return true;
}

/// Adds what Group can hold to the current task's figures.
bool Accounting::putBeside(GroupPointer Group) {
  const bool Fits = absorb(*Group);
  Group->Sums = {};
  const bool IsNew = !Group->IsBeside;
  Group->IsBeside = true;
  startStretch();
  Group->Beside = Group->Ended;
  Group->widen(Group->Beside);
  change(Group->Beside.MostSites, 1);
  for (unsigned S = 0; S < SpaceCount; ++S) {
    SpaceState &Space = Now.Spaces[S];
    const std::int64_t Certain = Space.Live - Space.Slack;
    Group->Since[S] = IsNew ? Certain : std::min(Group->Since[S], Certain);
    Space.Live += Group->Beside.Most[S];
    Space.Slack += Group->Beside.Most[S] - Group->Beside.Least[S];
    raise(Space);
    sink(Space);
  }
  Now.Beside.push_back(std::move(Group));
  return Fits;
}

void Accounting::takeOut(const TaskGroup &Group) {
  change(Group.Beside.MostSites, -1);
  for (unsigned S = 0; S < SpaceCount; ++S) {
    Now.Spaces[S].Live -= Group.Beside.Most[S];
    Now.Spaces[S].Slack -= Group.Beside.Most[S] - Group.Beside.Least[S];
  }
}

bool Accounting::endGroupOpen(std::uint64_t &Id) {
  GroupPointer Group = std::move(Groups.back());
  Groups.pop_back();
  Now = std::move(Group->Outer);
  Id = Group->Id = ++LastId;
  return putBeside(std::move(Group));
}

void Accounting::beginPooled(std::uint32_t AtOnce) {
  const auto Pool = std::find_if(Now.Beside.begin(), Now.Beside.end(), [](const auto &Group) { return !Group->Id; });
  if (Pool == Now.Beside.end()) {
    beginGroup(AtOnce);
    return;
  }
  startStretch();
  GroupPointer Group = std::move(*Pool);
  Now.Beside.erase(Pool);
  takeOut(*Group);
  Account Fresh = freshAccount();
  Group->Outer = std::exchange(Now, std::move(Fresh));
  Groups.push_back(std::move(Group));
}

bool Accounting::endPooled() {
  GroupPointer Group = std::move(Groups.back());
  Groups.pop_back();
  Now = std::move(Group->Outer);
  return putBeside(std::move(Group));
}

void Accounting::joinAt(std::size_t Position) {
  startStretch();
  GroupPointer Group = std::move(Now.Beside[Position]);
  Now.Beside.erase(Now.Beside.begin() + std::ptrdiff_t(Position));
  takeOut(*Group);
  change(Group->LeftSites, 1);
  for (unsigned S = 0; S < SpaceCount; ++S) {
    SpaceState &Space = Now.Spaces[S];
    Space.Sure = std::max(Space.Sure, Group->Since[S] + Group->Beside.Sure[S]);
    Space.Live += Group->Left[S];
    Space.Slack += Group->Left[S] - Group->SureLeft[S];
    raise(Space);
    sink(Space);
  }
}

void Accounting::join(std::uint64_t Id) {
  for (std::size_t I = 0; I < Now.Beside.size(); ++I)
    if (Id && Now.Beside[I]->Id == Id)
      return joinAt(I);
}

void Accounting::joinPool() {
  for (std::size_t I = 0; I < Now.Beside.size(); ++I)
    if (!Now.Beside[I]->Id)
      return joinAt(I);
}

bool Accounting::mayHold(std::int64_t Held) {
  // With slack of the same size, the least that is held does not change.
  SpaceState &Space = Now.Spaces[stateOf(LibrarySite).Space];
  Space.Slack += Held;
  if (Held < 0)
    shrink(LibrarySite, std::uint64_t(-Held));
  else if (!grow(LibrarySite, std::uint64_t(Held)))
    return false;
  if (Held > 0)
    Space.Total -= Held;
  return true;
}

bool Accounting::mayRequest(std::uint64_t Bytes, std::uint64_t Times) {
  SpaceState &Space = Now.Spaces[stateOf(LibrarySite).Space];
  Space.Allocations += Times;
  Requests.front().Bytes += Bytes * Times;
  Requests.front().Times += Times;
  std::uint64_t All;
  return !__builtin_mul_overflow(Bytes, Times, &All) && All <= std::uint64_t(INT64_MAX) &&
         !__builtin_add_overflow(Space.Total, std::int64_t(All), &Space.Total);
}
