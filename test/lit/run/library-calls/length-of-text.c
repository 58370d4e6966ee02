// Sizes that are lengths of text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search ends with the text that it was given, a string with its block.
//
// RUN: %clang -O2 %operator
// RUN: %compare %t --shape n=100 --bounds 103..403 --reached -- 100 49 50 51
// RUN: %compare %t --shape n=100 --bounds 103..403 -- 100 44 44 55
// RUN: %compare %t --shape n=9 --bounds 12..39 -- 9 49 44 49

#include "../Inputs/twice.h"
#include <string.h>

MEMSHAPE_OPERATOR
double field(const char *text, int n) {
  const char *comma = memchr(text, ',', n);
  size_t before = comma ? (size_t)(comma - text) : (size_t)n, digits, rest;
  char *copy = malloc(n + 1), *first = malloc(before + 1), *number, *word;
  double sum;
  memcpy(copy, text, n);
  copy[n] = 0;
  memset(first, 1, before + 1);
  digits = strspn(copy, "0123456789");
  rest = strnlen(text, n);
  number = malloc(digits + 1), word = malloc(rest);
  memset(number, 2, digits + 1);
  memset(word, 3, rest);
  sum = first[before / 2] + number[digits / 2] + (rest ? word[rest / 2] : 0);
  free(word);
  free(number);
  free(first);
  free(copy);
  return sum;
}

TWICE({
  memset(data, (int)number(2), DataBytes / 2);
  ((char *)data)[number(1) / 2] = (char)number(3);
  ((char *)data)[number(1) - 1] = (char)number(4);
  sink = field((char *)data, number(1));
})
