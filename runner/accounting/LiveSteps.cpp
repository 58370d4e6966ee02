// What was live, step by step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runner/accounting/LiveSteps.h"

#include <algorithm>

using namespace memshape;

void LiveSteps::prepare(std::size_t Wanted, std::size_t SiteCount) {
  constexpr std::size_t MostNumbers = (std::size_t(64) << 20) / sizeof(std::int64_t);
  Sites = SiteCount;
  // An even number, because steps are joined in pairs.
  Most = std::min(Wanted, MostNumbers / std::max<std::size_t>(1, Sites)) / 2 * 2;
  Steps.clear();
  Steps.reserve(Most);
  Rows.assign(Most * Sites, 0);
  clear();
}

void LiveSteps::clear() {
  Steps.clear();
  Events = 0;
  Each = 1;
}

void LiveSteps::open() {
  if (Steps.size() == Most) {
    for (std::size_t I = 0; I < Most / 2; ++I) {
      const std::size_t Higher = Steps[2 * I + 1].Live > Steps[2 * I].Live ? 2 * I + 1 : 2 * I;
      Steps[I] = Steps[Higher];
      if (Higher != I)
        std::copy_n(rowOf(Higher), Sites, rowOf(I));
    }
    Steps.resize(Most / 2);
    Each *= 2;
  }
  Steps.emplace_back();
}
