// The condition on a line of source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass reads it while the unit is compiled, memshape when it slices later: docs/formats.md, section 3.

#pragma once

#include <array>
#include <cctype>
#include <string_view>

namespace memshape {

/// The text in the parentheses after the line's if, while, for or switch; the whole line where there is none.
inline std::string_view conditionOn(std::string_view Line) {
  constexpr std::string_view Blanks = " \t\r";
  const auto Trimmed = [&](std::string_view Text) {
    const auto First = Text.find_first_not_of(Blanks);
    return First == Text.npos ? std::string_view() : Text.substr(First, Text.find_last_not_of(Blanks) - First + 1);
  };
  const auto IsInWord = [](char C) { return std::isalnum(static_cast<unsigned char>(C)) || C == '_'; };
  const std::string_view Text = Trimmed(Line);
  for (const std::string_view Keyword : std::array<std::string_view, 4>{"if", "while", "for", "switch"}) {
    const auto At = Text.find(Keyword);
    if (At == Text.npos || (At && IsInWord(Text[At - 1])))
      continue;
    const auto Open = Text.find_first_not_of(Blanks, At + Keyword.size());
    if (Open == Text.npos || Text[Open] != '(')
      continue;
    int Depth = 0;
    for (auto I = Open; I < Text.size(); ++I) {
      Depth += Text[I] == '(' ? 1 : Text[I] == ')' ? -1 : 0;
      if (Depth == 0)
        return Trimmed(Text.substr(Open + 1, I - Open - 1));
    }
  }
  return Text;
}

} // namespace memshape
