// The greatest of values of which ranges change.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"

#include <algorithm>
#include <bit>

namespace memshape::scheduling {

using graph::Bytes;

constexpr Bytes Beyond = Bytes(1) << 120; ///< of any sum

/// The greatest of many values, of which ranges rise and fall.
class Ranges {
public:
  explicit Ranges(const std::vector<Bytes> &Values)
      : Leaves(std::bit_ceil(std::max<std::size_t>(Values.size(), 1))), Most(2 * Leaves, -Beyond),
        Added(2 * Leaves, 0) {
    std::copy(Values.begin(), Values.end(), Most.begin() + static_cast<std::ptrdiff_t>(Leaves));
    for (std::size_t I = Leaves; I-- > 1;)
      Most[I] = std::max(Most[2 * I], Most[2 * I + 1]);
  }

  /// To the values from Begin, below End.
  void add(std::size_t Begin, std::size_t End, Bytes More) {
    if (Begin >= End || More == 0)
      return;
    std::size_t Left = Begin + Leaves, Right = End + Leaves;
    for (; Left < Right; Left /= 2, Right /= 2) {
      if (Left % 2)
        addTo(Left++, More);
      if (Right % 2)
        addTo(--Right, More);
    }
    pull(Begin + Leaves);
    pull(End - 1 + Leaves);
  }

  Bytes most() const { return Most[1]; }

private:
  void addTo(std::size_t At, Bytes More) {
    Most[At] += More;
    Added[At] += More;
  }
  void pull(std::size_t At) {
    for (At /= 2; At > 0; At /= 2)
      Most[At] = std::max(Most[2 * At], Most[2 * At + 1]) + Added[At];
  }

  std::size_t Leaves;
  std::vector<Bytes> Most, Added;
};

} // namespace memshape::scheduling
