// A list that is too long.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace memshape {

/// Of List only the Most elements with the largest SizeOf are kept, in their order; of equal ones the first. Returns how
/// many are gone.
template <class Element> std::size_t keepLargest(std::vector<Element> &List, std::size_t Most, auto SizeOf) {
  if (List.size() <= Most)
    return 0;
  std::vector<std::int64_t> Sizes;
  for (const Element &Each : List)
    Sizes.push_back(SizeOf(Each));
  const auto Last = Sizes.begin() + static_cast<std::ptrdiff_t>(Most - 1);
  std::nth_element(Sizes.begin(), Last, Sizes.end(), std::greater<>());
  const std::int64_t Least = *Last;
  std::ptrdiff_t Equal = std::count(Sizes.begin(), Last + 1, Least); // of those that are kept
  return std::erase_if(List, [&](const Element &Each) {
    const std::int64_t Size = SizeOf(Each);
    return Size < Least || (Size == Least && Equal-- <= 0);
  });
}

} // namespace memshape
