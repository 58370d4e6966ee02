// File streams of the C++ library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No file is touched in a prediction. An open stream has a FILE of 472 bytes and a buffer of 8192; whether it opens is a
// decision. A number that is read from it is gathered in 57 bytes, and nobody knows that it is no longer.
//
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %clangxx -std=c++20 -O2 -DNAME='"%t.d/values"' %operatorxx
// RUN: %memshape predict %t --operator copied --shape n=1000 --json | FileCheck %s
// RUN: not test -e %t.d/values
// RUN: %compare %t --shape n=1000 --bounds 4472..12664 -- 1000
// RUN: %compare %t --shape n=3000 --bounds 12472..20664 -- 3000
// RUN: %clangxx -std=c++20 -O2 -DNUMBERS -DNAME='"%t.d/values"' %operatorxx
// RUN: %memshape predict %t --operator copied --shape n=1000 --json | FileCheck %s --check-prefix=NUMBERS
// RUN: %compare %t --shape n=1000 --bounds 4472..none --because left_out -- 1000
//
// CHECK: "peak_bytes": 12664,
// CHECK: "lower_bytes": 4472,
// CHECK: "upper_bytes": 12664,
// CHECK: "exact": false
// CHECK: "total_bytes": 21328,
// CHECK: "allocations": 5,
// CHECK-NOT: "treatment"
// CHECK: "machine"
//
// NUMBERS: "peak_bytes": 12721,
// NUMBERS: "upper_bytes": null,
// NUMBERS: a number of more than 56 characters, read from a stream

#include "../Inputs/twice.h"
#include <fstream>
#include <iostream>
#include <vector>

MEMSHAPE_OPERATOR
float copied(const float *in, int n) {
  std::vector<float> values(in, in + n);
  {
    std::ofstream out;
    out.open(NAME, std::ios::binary);
    if (!out.is_open())
      std::cerr << "cannot write\n";
#ifdef NUMBERS
    out << values[0] << ' ' << n << '\n';
#else
    out.write(reinterpret_cast<const char *>(values.data()), n * sizeof(float));
#endif
    if (out.fail())
      std::cerr << "not all was written" << std::endl;
  }
  std::ifstream back(NAME, std::ios::binary);
#ifdef NUMBERS
  back >> values[1];
#else
  back.seekg(0);
  back.read(reinterpret_cast<char *>(values.data()), n * sizeof(float));
#endif
  return back ? values[1] : values[0];
}

TWICE(sink = copied(data, number(1)))
