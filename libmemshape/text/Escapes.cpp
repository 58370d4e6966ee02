// Foreign text that is shown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/text/Escapes.h"

namespace memshape {

namespace {

/// A character of UTF-8 and the bytes that it takes.
struct Character {
  char32_t Code;
  std::size_t Bytes; ///< 0: what stands there is none
};

Character firstOf(std::string_view Text) {
  if (Text.empty())
    return {0, 0};
  const auto Byte = [&](std::size_t I) { return static_cast<unsigned char>(Text[I]); };
  const unsigned First = Byte(0);
  if (First < 0x80)
    return {First, 1};
  const std::size_t Count = First >= 0xF0 && First < 0xF5   ? 4
                            : First >= 0xE0 && First < 0xF0 ? 3
                            : First >= 0xC2 && First < 0xE0 ? 2
                                                            : 0;
  if (Count == 0 || Count > Text.size())
    return {0, 0};
  char32_t Code = First & (0x7Fu >> Count);
  for (std::size_t I = 1; I < Count; ++I) {
    if ((Byte(I) & 0xC0) != 0x80)
      return {0, 0};
    Code = Code << 6 | (Byte(I) & 0x3Fu);
  }
  // Longer than it need be, half of a pair of UTF-16, or beyond the last one.
  if ((Count == 3 && Code < 0x800) || (Count == 4 && Code < 0x10000) || (Code >= 0xD800 && Code < 0xE000) ||
      Code > 0x10FFFF)
    return {0, 0};
  return {Code, Count};
}

/// Controls of terminals (C0, DEL, C1), ends of lines, and what turns the direction of the text after it.
bool controls(char32_t Code) {
  return Code < 0x20 || (Code >= 0x7F && Code < 0xA0) || Code == 0x2028 || Code == 0x2029 ||
         (Code >= 0x202A && Code <= 0x202E) || (Code >= 0x2066 && Code <= 0x2069);
}

} // namespace

std::size_t characterAt(std::string_view Text) { return firstOf(Text).Bytes; }

std::size_t controlAt(std::string_view Text) {
  const Character Next = firstOf(Text);
  return controls(Next.Code) ? Next.Bytes : 0;
}

std::string oneLine(std::string_view Text) {
  std::string Line;
  while (!Text.empty()) {
    const Character Next = firstOf(Text);
    if (Next.Bytes == 0)
      Line.push_back('?');
    else if (controls(Next.Code))
      Line.push_back(' ');
    else
      Line.append(Text.substr(0, Next.Bytes));
    Text.remove_prefix(Next.Bytes ? Next.Bytes : 1);
  }
  return Line;
}

std::string escapedJson(std::string_view Text) {
  constexpr char Digits[] = "0123456789abcdef";
  std::string Escaped;
  Escaped.reserve(Text.size());
  while (!Text.empty()) {
    const Character Next = firstOf(Text);
    // C0 within a string is escaped already; outside it is the document's own.
    if (Next.Bytes != 0 && Next.Code >= 0x7F && controls(Next.Code)) {
      Escaped += "\\u";
      for (int Shift = 12; Shift >= 0; Shift -= 4)
        Escaped += Digits[Next.Code >> Shift & 15];
    } else {
      Escaped.append(Text.substr(0, Next.Bytes ? Next.Bytes : 1));
    }
    Text.remove_prefix(Next.Bytes ? Next.Bytes : 1);
  }
  return Escaped;
}

} // namespace memshape
