// Members of std::string that the library has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before C++20 the bodies of appending, assigning and reserving are in the library alone. A string of n characters takes
// less than twice 2 n bytes while it is copied to a larger block; 15 characters and fewer take none.
//
// RUN: %clangxx -std=c++17 -O2 %operatorxx
// RUN: %compare %t --shape n=1000 --bounds 0..3998 -- 1000 1
// RUN: %compare %t --shape n=1000 --bounds 0..3998 -- 1000 32
// RUN: %compare %t --shape n=962 --bounds 0..3846 -- 962 1
// RUN: %compare %t --shape n=15 --bounds 0..58 -- 15 1
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=1000 --bounds 0..3998 -- 1000 1

#include "../Inputs/twice.h"
#include <string>

MEMSHAPE_OPERATOR
long kept(const char *in, int n) {
  std::string all;
  for (int i = 0; i < n; ++i)
    if (in[i] != ' ')
      all += in[i];
  return long(all.size());
}

TWICE({
  for (int at = 0; at < 1000; ++at)
    reinterpret_cast<char *>(data)[at] = char(number(2));
  sink = kept(reinterpret_cast<char *>(data), int(number(1)));
})
