// The parts of a text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace memshape {

/// The parts between separators: one more than there are separators, each may be empty.
inline std::vector<std::string> split(const std::string &Text, char Separator) {
  std::vector<std::string> Parts;
  for (std::size_t Begin = 0; Begin <= Text.size();) {
    const std::size_t End = std::min(Text.find(Separator, Begin), Text.size());
    Parts.push_back(Text.substr(Begin, End - Begin));
    Begin = End + 1;
  }
  return Parts;
}

} // namespace memshape
