// Bytes and counts of one operator call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Start and end of a call. Events are in the header for speed: skeletons make millions of them.

#include "runner/accounting/TaskGroup.h"
#include "runner/states/StateHash.h"

#include <algorithm>

using namespace memshape;

void Accounting::DeleteGroup::operator()(TaskGroup *Group) const { delete Group; }

void Accounting::configure(const std::vector<std::uint8_t> &SpaceOfSite) {
  Groups.clear();
  Now.Sites.assign(SpaceOfSite.size() + 1, SiteState());
  for (std::size_t I = 0; I < SpaceOfSite.size(); ++I)
    Now.Sites[I + 1].Space = SpaceOfSite[I];
  Requests.resize(Now.Sites.size());
  RequestsThen.resize(MarkedDepth * Now.Sites.size());
  begin();
}

void Accounting::begin() {
  // The call before may have been left in the middle of a task.
  if (!Groups.empty())
    Now = std::move(Groups.front()->Outer);
  Groups.clear();
  Now.Beside.clear();
  Now.Shares.clear();
  Varies = Deep = false;
  if (Follower)
    Follower->clear();
  std::fill(Requests.begin(), Requests.end(), SiteRequests());
  for (SiteState &Site : Now.Sites)
    Site.Live = Site.AtPeak = {}, Site.Epoch = 0;
  Now.Spaces.fill(SpaceState());
}

Accounting::SpaceFigures Accounting::figures(unsigned Space) const { return Now.Spaces[Space]; }

std::vector<Accounting::SiteFigure> Accounting::sitesAtPeak() const {
  std::vector<SiteFigure> Result;
  for (std::size_t I = 0; I < Now.Sites.size(); ++I) {
    const SiteState &Site = Now.Sites[I];
    if (const Holding Held = atPeak(Site, Now.Spaces[Site.Space]))
      Result.push_back({std::int32_t(std::int64_t(I) - 1), Held.Bytes, Held.Blocks});
  }
  return Result;
}

void Accounting::tell(std::int32_t Site, std::int64_t Change) {
  if (!Groups.empty())
    return;
  std::int64_t Live = 0;
  for (const SpaceState &Space : Now.Spaces)
    Live += Space.Live;
  Follower->add(Site, Change, Live, [&](std::size_t I) { return Now.Sites[I].Live.Bytes; });
}

void Accounting::tellOfTasks(const std::vector<Holding> &MostSites) {
  if (!Groups.empty())
    return;
  std::int64_t Live = 0, Change = 0;
  for (const SpaceState &Space : Now.Spaces)
    Live += Space.Live;
  for (const Holding &Held : MostSites)
    Change += Held.Bytes;
  const auto Largest = std::ranges::max_element(MostSites, {}, &Holding::Bytes);
  Follower->add(std::int32_t(Largest - MostSites.begin()) - 1, Change, Live + Change,
                [&](std::size_t I) { return (Now.Sites[I].Live + MostSites[I]).Bytes; });
}

Accounting::SpaceFigures Accounting::openSpan() {
  SpaceState &Host = Now.Spaces[stateOf(LibrarySite).Space];
  Host.SpanPeak = Host.Live;
  return Host;
}

Accounting::SpaceFigures Accounting::closeSpan(const SpaceFigures &AtStart) const {
  const SpaceState &Host = Now.Spaces[0];
  SpaceFigures Did;
  Did.Peak = Host.SpanPeak - AtStart.Live;
  Did.Live = Host.Live - AtStart.Live;
  Did.Total = Host.Total - AtStart.Total;
  Did.Allocations = Host.Allocations - AtStart.Allocations;
  Did.Reallocations = Host.Reallocations - AtStart.Reallocations;
  return Did;
}

bool Accounting::repeat(const SpaceFigures &Did) {
  SpaceState &Host = Now.Spaces[0];
  // Adds the span's peak as one block that is allocated and freed; then corrects the total to what was requested.
  if (!grow(LibrarySite, std::uint64_t(Did.Peak)))
    return false;
  shrink(LibrarySite, std::uint64_t(Did.Peak));
  Host.Allocations += Did.Allocations;
  Host.Reallocations += Did.Reallocations;
  Requests.front().Bytes += std::uint64_t(Did.Total);
  Requests.front().Times += Did.Allocations + Did.Reallocations;
  Requests.front().Reallocations += Did.Reallocations;
  Host.Total -= Did.Peak;
  return !__builtin_add_overflow(Host.Total, Did.Total, &Host.Total);
}

std::uint64_t Accounting::liveOfSites() const {
  std::uint64_t Sum = 0;
  for (std::size_t I = 0; I < Now.Sites.size(); ++I)
    Sum += std::uint64_t(Now.Sites[I].Live.Bytes) * mixed(I + 1) + std::uint64_t(Now.Sites[I].Live.Blocks) * mixed(~I);
  return Sum;
}

Accounting::Mark Accounting::mark(std::size_t Depth) {
  Mark Here = {};
  for (std::size_t I = 0; I < SpaceNames.size(); ++I)
    Here.Spaces[I] = Now.Spaces[I];
  Here.LiveOfSites = liveOfSites();
  Here.Depth = Depth;
  if (Depth < MarkedDepth)
    std::copy(Requests.begin(), Requests.end(), RequestsThen.begin() + std::ptrdiff_t(Depth * Requests.size()));
  return Here;
}

bool Accounting::leftNothing(const Mark &Then) const {
  for (std::size_t I = 0; I < SpaceNames.size(); ++I)
    if (Now.Spaces[I].Live != Then.Spaces[I].Live || Now.Spaces[I].Slack != Then.Spaces[I].Slack)
      return false;
  return liveOfSites() == Then.LiveOfSites;
}

bool Accounting::countAgain(const Mark &Then, std::uint64_t Times) {
  for (std::size_t I = 0; I < SpaceNames.size(); ++I) {
    SpaceState &Space = Now.Spaces[I];
    std::int64_t Bytes;
    std::uint64_t Allocations, Reallocations;
    if (__builtin_mul_overflow(Space.Total - Then.Spaces[I].Total, Times, &Bytes) ||
        __builtin_add_overflow(Space.Total, Bytes, &Space.Total) ||
        __builtin_mul_overflow(Space.Allocations - Then.Spaces[I].Allocations, Times, &Allocations) ||
        __builtin_mul_overflow(Space.Reallocations - Then.Spaces[I].Reallocations, Times, &Reallocations))
      return false;
    Space.Allocations += Allocations;
    Space.Reallocations += Reallocations;
    if (Space.Allocations > INT64_MAX || Space.Reallocations > INT64_MAX)
      return false;
  }
  if (Then.Depth >= MarkedDepth) {
    Deep = true;
    return true;
  }
  const SiteRequests *Before = &RequestsThen[Then.Depth * Requests.size()];
  for (SiteRequests &Asked : Requests) {
    Asked.Bytes += (Asked.Bytes - Before->Bytes) * Times;
    Asked.Times += (Asked.Times - Before->Times) * Times;
    Asked.Reallocations += (Asked.Reallocations - Before->Reallocations) * Times;
    ++Before;
  }
  return true;
}
