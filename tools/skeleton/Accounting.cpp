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
