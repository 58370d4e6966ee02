// Numbers written into a string stream.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream into memory allocates as it is written to; what goes to std::cerr leaves the process, and is never written.
//
// RUN: %held -std=c++20 -O2
// HELD n=100 n=700 n=7
//
// How many digits an address has is chance.
// HELD -DADDRESS n=7 --bounds 0..none --because on_zeros

#include "../Inputs/twice.h"
#include <iostream>
#include <sstream>
#include <string>

MEMSHAPE_OPERATOR
int header(const float *in, int n) {
  std::ostringstream text;
  for (int i = 0; i < n; ++i)
    text << i << ' ';
#ifdef ADDRESS
  text << static_cast<const void *>(in);
#endif
  std::string line = text.str();
  std::cerr << "header of " << n << " columns: " << line << std::endl;
  return line[n] + (in[0] > 0);
}

TWICE(sink = header(data, number(1)))
