// Sorting that keeps the order of equals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ library's own stable sort asks for a temporary buffer in a way that is deprecated.

#pragma once

#include <map>
#include <utility>
#include <vector>

namespace memshape {

/// Sorts by what Key gives for an element; elements with equal keys stay in their order.
template <class T, class KeyOf> void orderBy(std::vector<T> &List, const KeyOf &Key) {
  std::multimap<decltype(Key(List.front())), T> Sorted; // equal keys are kept as they are inserted
  for (T &Element : List) {
    auto At = Key(Element);
    Sorted.emplace(std::move(At), std::move(Element));
  }
  List.clear();
  for (auto &[At, Element] : Sorted)
    List.push_back(std::move(Element));
}

} // namespace memshape
