// What was live, step by step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The allocations and frees of a call in their order, with what every site holds after each. If a call has more events
// than there is room for, each step stands for several events and shows the one with the most live bytes, so that the
// peak is never lost. All memory is allocated at the start, because events are reported while malloc is redirected to
// the skeleton's heap.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace memshape {

class LiveSteps {
public:
  struct Step {
    std::uint64_t Event = 0;            ///< from 0; the number of all events for the step at the return
    std::int32_t Site = 0;              ///< that changed
    std::int64_t Change = 0;            ///< bytes; negative for a free
    std::int64_t Live = 0;              ///< bytes of all spaces
    const std::int64_t *Held = nullptr; ///< by position of the site
  };

  /// Room for Most steps of Sites sites each; fewer where that would be more than 64 MiB. 0 follows nothing.
  void prepare(std::size_t Most, std::size_t Sites);
  void clear();
  bool wanted() const { return Most; }

  /// HeldAt(I): bytes that the site at position I holds now.
  template <class HeldAt> void add(std::int32_t Site, std::int64_t Change, std::int64_t Live, HeldAt Held) {
    const bool Opens = Events++ % Each == 0;
    if (!Opens && Live <= Steps.back().Live)
      return;
    if (Opens)
      open();
    Steps.back() = {Events - 1, Site, Change, Live, nullptr};
    std::int64_t *Row = rowOf(Steps.size() - 1);
    for (std::size_t I = 0; I < Sites; ++I)
      Row[I] = Held(I);
  }

  std::uint64_t events() const { return Events; }
  std::uint64_t each() const { return Each; }
  std::size_t size() const { return Steps.size(); }
  Step operator[](std::size_t I) const {
    Step S = Steps[I];
    S.Held = Rows.data() + I * Sites;
    return S;
  }
  std::size_t sites() const { return Sites; }

private:
  std::int64_t *rowOf(std::size_t I) { return Rows.data() + I * Sites; }
  void open();

  std::size_t Most = 0, Sites = 0;
  std::uint64_t Events = 0;
  std::uint64_t Each = 1; ///< events that one step stands for
  std::vector<Step> Steps;
  std::vector<std::int64_t> Rows; ///< Sites numbers per step
};

} // namespace memshape
