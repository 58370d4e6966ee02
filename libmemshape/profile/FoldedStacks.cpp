// Stacks as lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/profile/Profile.h"
#include "libmemshape/text/Split.h"

#include <algorithm>

namespace memshape {

std::string foldedName(const Stack &Of) {
  return joined(Of, ";", [](const StackFrame &Frame) {
    std::string Name = frameName(Frame);
    std::replace(Name.begin(), Name.end(), ';', ':');
    return Name;
  });
}

std::string foldedStacks(const Profile &P, v1::Sample What) {
  std::map<std::string, std::int64_t> Lines;
  for (const auto &[Where, Figures] : P.Stacks)
    Lines[foldedName(Where)] += Figures.of(What);
  std::string Text;
  for (const auto &[Line, Value] : Lines)
    if (Value)
      Text += Line + " " + std::to_string(Value) + "\n";
  return Text;
}

} // namespace memshape
