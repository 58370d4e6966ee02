// Numbers and settings read from text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "samples.h"

#include <map>
#include <stdexcept>
#include <string>

BOUND_OPERATOR long parsed_or_zero(const char *X, int n) {
  const std::string Text(X, std::size_t(n < 8 ? n : 8));
  int Value = 0;
  try {
    Value = std::stoi(Text);
  } catch (const std::exception &) {
    Value = 0;
  }
  std::vector<char> Buffer(std::size_t(Value & 1023) + std::size_t(n));
  return long(Buffer.size());
}

BOUND_OPERATOR long strict_map(const char *X, int n) {
  std::map<int, int> Known;
  for (int I = 0; I < 10; ++I)
    Known[I] = I;
  long Missed = 0;
  for (int I = 0; I < n; ++I)
    try {
      Missed += Known.at(X[I] - '0');
    } catch (const std::out_of_range &) {
      ++Missed;
    }
  return Missed;
}

BOUND_OPERATOR long counted_words(const char *X, int n) {
  std::map<std::string, int> Count;
  std::string Word;
  for (int I = 0; I < n; ++I) {
    if (X[I] != ' ') {
      Word.push_back(X[I]);
      continue;
    }
    ++Count[Word];
    Word.clear();
  }
  return long(Count.size());
}

SAMPLES(char, parsed_or_zero, strict_map, counted_words)
