// A decision of the operator that stands behind two marks of the end of its arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constructor fills its block in a loop, and the operator begins by asking whether the block is empty: the compiler
// takes both ways apart where they are built. What the operator decides is no decision of its arguments on either way.
//
// RUN: %clangxx -std=c++17 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=Ring::close -c %s -o %t.o
// RUN: %predict --operator Ring::close --shape this.n=1000,this.stride=2 --set always=0 | FileCheck %s
// CHECK: peak heap {{.*}} 32,000 bytes at most
// CHECK: at least {{.*}} 0 bytes

#include <vector>

struct Point {
  double x = 0, y = 0;
};

class Ring {
public:
  Ring(unsigned long n, unsigned long stride) : values(n * stride), stride(stride) {
    const Point zero;
    for (unsigned long i = 0; i < values.size(); i += 2)
      reinterpret_cast<Point &>(values[i]) = zero;
  }
  void close(bool always);

private:
  const Point &at(unsigned long i) const { return reinterpret_cast<const Point &>(values[i * stride]); }

  std::vector<double> values;
  unsigned long stride;
};

void Ring::close(bool always) {
  if (!values.empty() && (always || at(0).x != at(values.size() / stride - 1).x))
    values.resize(values.size() + stride);
}
