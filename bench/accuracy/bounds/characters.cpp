// What the C library finds in a text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "samples.h"

#include <cstring>

BOUND_OPERATOR long duplicated(const char *X, int n) {
  char *Own = static_cast<char *>(std::malloc(std::size_t(n) + 1));
  std::memcpy(Own, X, std::size_t(n));
  Own[n] = 0;
  char *Text = strdup(Own);
  const long Length = long(std::strlen(Text));
  std::free(Text);
  std::free(Own);
  return Length;
}

BOUND_OPERATOR long up_to_line(const char *X, int n) {
  const void *End = std::memchr(X, '\n', std::size_t(n));
  const std::size_t Length = End ? std::size_t(static_cast<const char *>(End) - X) : std::size_t(n);
  char *Line = static_cast<char *>(std::malloc(Length + 1));
  std::memcpy(Line, X, Length);
  Line[Length] = 0;
  const long Result = Line[0];
  std::free(Line);
  return Result;
}

BOUND_OPERATOR long leading_spaces(const char *X, int n) {
  char *Copy = static_cast<char *>(std::malloc(std::size_t(n) + 1));
  std::memcpy(Copy, X, std::size_t(n));
  Copy[n] = 0;
  const std::size_t Length = std::strspn(Copy, " \t") + 1;
  char *Indent = static_cast<char *>(std::malloc(Length));
  const long Result = filled(Indent, Length, X) + Copy[n / 2];
  std::free(Indent);
  std::free(Copy);
  return Result;
}

BOUND_OPERATOR long tokens(const char *X, int n) {
  char *Copy = static_cast<char *>(std::malloc(std::size_t(n) + 1));
  std::memcpy(Copy, X, std::size_t(n));
  Copy[n] = 0;
  std::vector<char *> All;
  for (char *Word = std::strtok(Copy, " ,"); Word; Word = std::strtok(nullptr, " ,"))
    All.push_back(Word);
  const long Count = long(All.size());
  std::free(Copy);
  return Count;
}

BOUND_OPERATOR long tokens_apart(const char *X, int n) {
  char *Copy = static_cast<char *>(std::malloc(std::size_t(n) + 1));
  std::memcpy(Copy, X, std::size_t(n));
  Copy[n] = 0;
  char *Rest = nullptr;
  long Count = 0;
  for (char *Word = strtok_r(Copy, ";", &Rest); Word; Word = strtok_r(nullptr, ";", &Rest)) {
    char *Own = strdup(Word);
    Count += Own[0] != 0;
    std::free(Own);
  }
  std::free(Copy);
  return Count;
}

BOUND_OPERATOR long lines_counted(const char *X, int n) {
  long Lines = 1;
  for (int I = 0; I < n; ++I)
    Lines += X[I] == '\n';
  const char **Start = static_cast<const char **>(std::malloc(std::size_t(Lines) * sizeof(char *)));
  long At = 0;
  Start[At++] = X;
  for (int I = 0; I < n; ++I)
    if (X[I] == '\n')
      Start[At++] = X + I + 1;
  Lines += Start[Lines / 2] - X;
  std::free(Start);
  return Lines;
}

SAMPLES(char, duplicated, up_to_line, leading_spaces, tokens, tokens_apart, lines_counted)
