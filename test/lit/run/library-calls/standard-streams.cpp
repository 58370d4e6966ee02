// What the standard streams tell.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is read or written while an answer is made. What a program would read, and what it asks a stream about, is
// data; what is written goes nowhere.
//
// RUN: %held -std=c++20 -O2
// HELD -DKIND=extracted n=100 --bounds 100..604
// HELD -O0 -DKIND=extracted n=100 --bounds 100..604
// HELD -DKIND=next n=100 --bounds 100..604
// HELD -O0 -DKIND=next n=100 --bounds 100..604
// HELD -DKIND=position n=100 --bounds 108..500
// HELD -DKIND=is_good n=100 --bounds 0..500
// HELD -O0 -DKIND=is_good n=100 --bounds 108..500
// HELD -O0 -DKIND=has_read n=100 --bounds 108..500
// HELD -DKIND=array n=100 --bounds 100..604
// HELD -DKIND=written n=100
// HELD -O0 -DKIND=written n=100

#include "../Inputs/twice.h"
#include <iostream>

enum { extracted, next, position, is_good, has_read, array, written };

static void *volatile used;

extern "C" MEMSHAPE_OPERATOR void sized(int n) {
  int more = 0;
  char text[16] = {};
  if (KIND == extracted) {
    std::cin >> more;
    more = (more & 63) * 8;
  }
  if (KIND == next)
    more = (std::cin.get() & 63) * 8;
  if (KIND == position)
    more = std::clog.tellp() < 0 ? 400 : 8;
  if (KIND == is_good)
    more = std::cout.good() ? 400 : 8;
  if (KIND == has_read)
    more = bool(std::cin >> more) ? 400 : 8;
  if (KIND == array) {
    std::cin.read(text, sizeof text);
    more = (text[3] & 63) * 8;
  }
  if (KIND == written)
    std::clog << "at " << n << '\n' << std::flush;
  void *block = malloc(more + n);
  used = block;
  free(block);
}

TWICE(sized((int)number(1)))
