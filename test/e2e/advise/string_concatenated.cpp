// codereport/cl-cpp#1: a text grows by operator+, which makes a new string of each step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case.h"
#include <string>

OPERATOR long regressed(const char *in, long n, long m) {
  std::string text;
  const std::string word(m, in[0]);
  for (long i = 0; i < n; ++i)
    text = text + word; // advice: reserve
  return long(text.size()) + text[n];
}
OPERATOR long fixed(const char *in, long n, long m) {
  std::string text;
  const std::string word(m, in[0]);
  text.reserve(n * m);
  for (long i = 0; i < n; ++i)
    text += word;
  return long(text.size()) + text[n];
}
