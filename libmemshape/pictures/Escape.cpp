// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/pictures/Escape.h"

#include "libmemshape/text/Escapes.h"

#include <algorithm>

namespace memshape {

std::string escaped(std::string_view Text) {
  std::string Safe;
  Safe.reserve(Text.size());
  while (!Text.empty()) {
    const char C = Text.front();
    const std::size_t Bytes = std::max<std::size_t>(characterAt(Text), 1); // one of what is no UTF-8
    const std::string_view Character = Text.substr(0, Bytes);
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
    else if (characterAt(Text) == 0 || controlAt(Text) || Character == "\xEF\xBF\xBE" || Character == "\xEF\xBF\xBF")
      Safe += "\xEF\xBF\xBD";
    else
      Safe += Character;
    Text.remove_prefix(Bytes);
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
