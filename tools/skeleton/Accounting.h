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
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SKELETON_ACCOUNTING_H
#define MEMSHAPE_SKELETON_ACCOUNTING_H

#include <array>
#include <cstdint>
#include <vector>

namespace memshape {

/// Memory spaces in the order of `enum memshape_space` of <memshape/hooks.h>.
inline constexpr std::array<const char *, 5> SpaceNames = {"host", "device", "pinned", "managed", "stack"};

/// The site of an allocation made inside a library that is called for real.
inline constexpr std::int32_t LibrarySite = -1;

class Accounting {
public:
  /// Sites 0 … SpaceOfSite.size() - 1, each with its space (an index of SpaceNames), and LibrarySite, which is host.
  void configure(const std::vector<std::uint8_t> &SpaceOfSite);

  /// The entry of a call: all figures are zero from here, blocks that live already count only when they are freed.
  void begin();

  bool knows(std::int32_t Site) const { return std::uint64_t(std::int64_t(Site) + 1) < Sites.size(); }

  /// One event at a known site. False where a figure would leave 63 bits; the figures are then meaningless.
  [[nodiscard]] bool allocate(std::int32_t Site, std::uint64_t Bytes) {
    SpaceState &Space = Spaces[stateOf(Site).Space];
    ++Space.Allocations;
    return grow(Site, Bytes);
  }
  [[nodiscard]] bool reallocate(std::int32_t OldSite, std::uint64_t OldBytes, std::int32_t Site, std::uint64_t Bytes) {
    shrink(OldSite, OldBytes);
    ++Spaces[stateOf(Site).Space].Reallocations;
    return grow(Site, Bytes);
  }
  void release(std::int32_t Site, std::uint64_t Bytes) { shrink(Site, Bytes); }

  struct SpaceFigures {
    std::int64_t Peak = 0;  ///< highest live bytes above those at entry, never below 0
    std::int64_t Live = 0;  ///< live now minus live at entry
    std::int64_t Total = 0; ///< bytes requested in all
    std::uint64_t Allocations = 0;
    std::uint64_t Reallocations = 0;
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

  /// Non-zero bytes per site at the peak of the site's space.
  std::vector<SiteFigure> sitesAtPeak() const;

private:
  struct SiteState {
    std::int64_t Live = 0;
    std::int64_t AtPeak = 0;
    std::uint64_t Epoch = 0; ///< AtPeak belongs to this epoch of the space
    std::uint32_t Space = 0;
  };
  struct SpaceState : SpaceFigures {
    std::uint64_t Epoch = 0;   ///< counts the maxima so far
    std::int64_t SpanPeak = 0; ///< highest Live since openSpan
  };

  SiteState &stateOf(std::int32_t Site) { return Sites[std::size_t(std::int64_t(Site) + 1)]; }

  static void remember(SiteState &Site, const SpaceState &Space) {
    if (Site.Epoch == Space.Epoch)
      return;
    Site.AtPeak = Site.Live;
    Site.Epoch = Space.Epoch;
  }

  bool grow(std::int32_t SiteId, std::uint64_t Bytes) {
    SiteState &Site = stateOf(SiteId);
    SpaceState &Space = Spaces[Site.Space];
    // Live never exceeds Total, so that one check guards both.
    if (Bytes > std::uint64_t(INT64_MAX) || __builtin_add_overflow(Space.Total, std::int64_t(Bytes), &Space.Total))
      return false;
    remember(Site, Space);
    Site.Live += std::int64_t(Bytes);
    Space.Live += std::int64_t(Bytes);
    if (Space.Live > Space.SpanPeak)
      Space.SpanPeak = Space.Live;
    if (Space.Live > Space.Peak) {
      Space.Peak = Space.Live;
      ++Space.Epoch;
    }
    return true;
  }

  void shrink(std::int32_t SiteId, std::uint64_t Bytes) {
    SiteState &Site = stateOf(SiteId);
    SpaceState &Space = Spaces[Site.Space];
    remember(Site, Space);
    Site.Live -= std::int64_t(Bytes);
    Space.Live -= std::int64_t(Bytes);
  }

  std::vector<SiteState> Sites; ///< LibrarySite first
  std::array<SpaceState, SpaceNames.size()> Spaces;
};

} // namespace memshape

#endif // MEMSHAPE_SKELETON_ACCOUNTING_H
