// Strings that grow, parts of strings, text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "samples.h"

#include <string>
#include <string_view>

BOUND_OPERATOR long kept_characters(const char *X, int n) {
  std::string Kept;
  for (int I = 0; I < n; ++I)
    if (X[I] != ' ')
      Kept += X[I];
  return long(Kept.size());
}

BOUND_OPERATOR long reserved_characters(const char *X, int n) {
  std::string Kept;
  Kept.reserve(std::size_t(n));
  for (int I = 0; I < n; ++I)
    if (X[I] >= '0' && X[I] <= '9')
      Kept.push_back(X[I]);
  return long(Kept.size());
}

BOUND_OPERATOR long first_line(const char *X, int n) {
  const std::string All(X, std::size_t(n));
  const std::string Line = All.substr(0, All.find('\n'));
  return long(Line.size());
}

BOUND_OPERATOR long words(const char *X, int n) {
  std::vector<std::string> All;
  std::string Word;
  for (int I = 0; I < n; ++I) {
    if (X[I] != ' ') {
      Word += X[I];
      continue;
    }
    All.push_back(Word);
    Word.clear();
  }
  return long(All.size());
}

BOUND_OPERATOR long escaped(const char *X, int n) {
  std::string Out;
  for (int I = 0; I < n; ++I) {
    if (X[I] == '"')
      Out += "&quot;";
    else
      Out += X[I];
  }
  return long(Out.size());
}

BOUND_OPERATOR long of_c_string(const char *X, int n) {
  char Own[256] = {};
  for (int I = 0; I < n && I < 255; ++I)
    Own[I] = X[I];
  std::string Text(Own);
  return long(Text.size());
}

BOUND_OPERATOR long joined(const char *X, int n) {
  std::string Out;
  for (int I = 0; I < n; ++I)
    Out += std::string(std::size_t(X[I] & 15), 'x') + ",";
  return long(Out.size());
}

BOUND_OPERATOR long fields(const char *X, int n) {
  const std::string_view Text(X, std::size_t(n));
  std::vector<std::string> All;
  std::size_t From = 0;
  while (From <= Text.size()) {
    std::size_t To = Text.find(',', From);
    if (To == Text.npos)
      To = Text.size();
    All.emplace_back(Text.substr(From, To - From));
    From = To + 1;
  }
  return long(All.size());
}

BOUND_OPERATOR long views(const char *X, int n) {
  const std::string_view Text(X, std::size_t(n));
  std::vector<std::string_view> All;
  std::size_t From = 0;
  while (From < Text.size()) {
    std::size_t To = Text.find(' ', From);
    if (To == Text.npos)
      To = Text.size();
    All.push_back(Text.substr(From, To - From));
    From = To + 1;
  }
  return long(All.size());
}

BOUND_OPERATOR long lower_case(const char *X, int n) {
  std::string Text(X, std::size_t(n));
  for (char &C : Text)
    C = char(C | 32);
  std::string Copy = Text;
  return long(Copy.size());
}

SAMPLES(char, kept_characters, reserved_characters, first_line, words, escaped, of_c_string, joined, fields, views,
        lower_case)
