// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/pictures/Escape.h"

#include "libmemshape/text/Escapes.h"

namespace memshape {

std::string escaped(std::string_view Text) {
  constexpr std::string_view Replacement = "\xEF\xBF\xBD";
  std::string Safe;
  Safe.reserve(Text.size());
  for (std::size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    const std::string_view Three = Text.substr(I, 3);
    if (C == '<')
      Safe += "&lt;";
    else if (C == '>')
      Safe += "&gt;";
    else if (C == '&')
      Safe += "&amp;";
    else if (C == '"')
      Safe += "&quot;";
    else if (C == '\'')
      Safe += "&#39;";
    else if (C == '\t' || C == '\n' || C == '\r') // attributes would turn them into blanks
      Safe += "&#" + std::to_string(int(C)) + ";";
    else if (const std::size_t Control = controlAt(Text.substr(I))) {
      Safe += Replacement;
      I += Control - 1;
    } else if (Three == "\xEF\xBF\xBE" || Three == "\xEF\xBF\xBF") {
      Safe += Replacement;
      I += 2;
    } else
      Safe += C;
  }
  return Safe;
}

std::string shortened(const std::string &Text, std::size_t Most) {
  if (Text.size() <= Most)
    return Text;
  std::size_t End = Most - 3;
  while (End > 0 && (static_cast<unsigned char>(Text[End]) & 0xC0) == 0x80) // none of a character's bytes are left over
    --End;
  return Text.substr(0, End) + "...";
}

} // namespace memshape
