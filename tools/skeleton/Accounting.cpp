//===- Accounting.cpp - Bytes and counts of one operator call ------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Start and end of a call; the events are in the header, because skeletons make millions of them.
//
//===----------------------------------------------------------------------===//

#include "Accounting.h"

using namespace memshape;

void Accounting::configure(const std::vector<std::uint8_t> &SpaceOfSite) {
  Sites.assign(SpaceOfSite.size() + 1, SiteState());
  for (std::size_t I = 0; I < SpaceOfSite.size(); ++I)
    Sites[I + 1].Space = SpaceOfSite[I];
  begin();
}

void Accounting::begin() {
  for (SiteState &Site : Sites)
    Site.Live = Site.AtPeak = 0, Site.Epoch = 0;
  Spaces.fill(SpaceState());
}

Accounting::SpaceFigures Accounting::figures(unsigned Space) const { return Spaces[Space]; }

std::vector<Accounting::SiteFigure> Accounting::sitesAtPeak() const {
  std::vector<SiteFigure> Result;
  for (std::size_t I = 0; I < Sites.size(); ++I) {
    const SiteState &Site = Sites[I];
    const std::int64_t Bytes = Site.Epoch == Spaces[Site.Space].Epoch ? Site.AtPeak : Site.Live;
    if (Bytes)
      Result.push_back({std::int32_t(std::int64_t(I) - 1), Bytes});
  }
  return Result;
}

Accounting::SpaceFigures Accounting::openSpan() {
  SpaceState &Host = Spaces[stateOf(LibrarySite).Space];
  Host.SpanPeak = Host.Live;
  return Host;
}

Accounting::SpaceFigures Accounting::closeSpan(const SpaceFigures &AtStart) const {
  const SpaceState &Host = Spaces[0];
  SpaceFigures Did;
  Did.Peak = Host.SpanPeak - AtStart.Live;
  Did.Live = Host.Live - AtStart.Live;
  Did.Total = Host.Total - AtStart.Total;
  Did.Allocations = Host.Allocations - AtStart.Allocations;
  Did.Reallocations = Host.Reallocations - AtStart.Reallocations;
  return Did;
}

bool Accounting::repeat(const SpaceFigures &Did) {
  SpaceState &Host = Spaces[0];
  // The span's peak as one block that comes and goes; the total is then corrected to what was really requested.
  if (!grow(LibrarySite, std::uint64_t(Did.Peak)))
    return false;
  shrink(LibrarySite, std::uint64_t(Did.Peak));
  Host.Allocations += Did.Allocations;
  Host.Reallocations += Did.Reallocations;
  Host.Total -= Did.Peak;
  return !__builtin_add_overflow(Host.Total, Did.Total, &Host.Total);
}
