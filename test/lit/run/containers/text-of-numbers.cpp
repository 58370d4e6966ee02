// As many characters as a number has digits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::to_string counts digits by dividing: a number of 64 bits is not divided by 10,000 more than four times. Texts of
// 32 bits fit into the string itself, so that only the array of strings counts.
//
// RUN: %held -O2
// HELD -DNUMBER=long n=100 --bounds 0..15000 -- 100 -1
// HELD -DNUMBER=long n=100 --bounds 0..15000 -- 100 1000000007000
// HELD -DNUMBER=long n=100 --bounds 0..15000 -- 100 -9223372036854775807
// HELD -DNUMBER=int n=100 --bounds 0..12800 -- 100 -2147483648

#include "../Inputs/twice.h"
#include <string>
#include <vector>

MEMSHAPE_OPERATOR
long texts(const long *in, int n) {
  std::vector<std::string> all;
  for (int i = 0; i < n; ++i)
    if (in[i])
      all.push_back(std::to_string(NUMBER(in[i])));
  return long(all.size());
}

TWICE({
  for (int at = 0; at < 1000; ++at)
    reinterpret_cast<long *>(data)[at] = number(2);
  sink = texts(reinterpret_cast<long *>(data), int(number(1)));
})
