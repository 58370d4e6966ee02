// An operator that throws at every shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every call throws, and catches what it threw: it returns, so no shape is refused; the answer is a replay's.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=10 %if clang-22 %{--bounds 0..136%} %else %{--bounds 0..176%} -- 10
// RUN: %predict --shape n=10 | %says "no skeleton answers here: {{.*}} it throws an exception and catches it, which is not followed"

#include "../Inputs/twice.h"
#include <string>
#include <vector>

static int level = 5;

MEMSHAPE_OPERATOR
float unwrap(const float *in, int n) {
  std::vector<float> kept;
  float *copy = (float *)malloc((size_t)n * sizeof(float));
  copy[0] = in[0];
  std::string label;
  label.append((size_t)(n & 7), 'x');
  long depth = 0;
  try {
    if (copy)
      throw (long)n;
    kept.push_back(1);
  } catch (long thrown) {
    depth = thrown;
  }
  for (int i = 0; i < (depth & 7); ++i)
    if (level == n + i)
      kept.clear();
  float result = copy[0] + (float)depth + (float)label.size();
  free(copy);
  return result;
}

TWICE(sink = unwrap(data, (int)number(1)))
