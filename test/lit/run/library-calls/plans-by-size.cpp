// A transform that keeps its plans in a map.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a map lies in the object that has the map, beside its other members: what an iterator that may be the end
// refers to is not mixed up with them.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=96,m=60 %if clang-19 %{--bounds 0..none --because no_skeleton%} -- 96 60
// RUN: %compare %t --shape n=7,m=7 %if clang-19 %{--bounds 0..none --because no_skeleton%} -- 7 7

#include "../Inputs/twice.h"
#include <complex>
#include <map>
#include <vector>

struct Plan {
  std::vector<std::complex<float>> twiddles;
  std::vector<int> stages;
};

class Transform {
  std::map<int, Plan> plans;
  std::map<int, std::vector<std::complex<float>>> tables;
  std::vector<std::complex<float>> scratch;

  Plan &planFor(int n) {
    Plan &plan = plans[n];
    if (plan.twiddles.empty()) {
      plan.twiddles.resize(n);
      for (int rest = n, p = 2; rest > 1;) {
        while (rest % p)
          ++p;
        rest /= p;
        plan.stages.push_back(p);
      }
    }
    return plan;
  }

public:
  float forward(const float *in, int n) {
    Plan &plan = planFor(n);
    for (int p : plan.stages)
      if (p > 5)
        scratch.resize(p);
    std::vector<std::complex<float>> &table = tables[n / 2];
    if (table.size() != size_t(n / 2)) {
      table.resize(n / 2);
      for (int i = 0; i < n / 2; ++i)
        table[i] = plan.twiddles[i] * in[i];
    }
    std::complex<float> sum;
    for (int i = 0; i < n / 2; ++i)
      sum += plan.twiddles[i] * table[i] * in[i];
    return sum.real();
  }
};

MEMSHAPE_OPERATOR
float transform(const float *in, int n, int m) {
  Transform t;
  return t.forward(in, n) + t.forward(in, m) + t.forward(in, n);
}

TWICE(sink = transform(data, number(1), number(2)))
