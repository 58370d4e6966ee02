// Symbols that have to agree for the call to return are one in formulas; --shape gives one as another.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang++ -std=c++20 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --operator multiply --shape a.r=30,a.c=20,b.r=a.c,b.c=10 | FileCheck %s --check-prefix=AT
// AT: multiply at a.r=30, a.c=20, b.r=20, b.c=10
// AT: peak heap {{.*}} 7,200 bytes exact
// AT: formula 8*a.r*a.c + 8*a.r*b.c
// AT: for 1 <= a.r, a.c, b.c <= 2000; b.r = a.c
// One that nobody gives is filled in, and the answer says so.
// RUN: %predict --operator multiply --shape a.r=30,a.c=20,b.c=10 | FileCheck %s --check-prefix=FILLED
// FILLED: multiply at a.r=30, a.c=20, b.r=20, b.c=10
// FILLED: peak heap {{.*}} 7,200 bytes exact
// FILLED: - 'b.r' is taken to be 'a.c', which it has to equal for the call to return
// RUN: not %predict --operator multiply --shape a.r=30,b.r=20 2>&1 | %says "shape symbol missing for operator 'multiply': b.c ("
// RUN: not %predict --operator within --shape k=9 2>&1 | %says "shape symbol missing for operator 'within': n"
// RUN: %memshape report %t.o --operator multiply | %says "peak heap 8*a.r*a.c + 8*a.r*b.c"
// RUN: %predict --operator multiply --shape a.r=1,a.c=2,b.r=2,b.c=1 --json | FileCheck %s --check-prefix=JSON
// JSON: "equal": {
// JSON-NEXT: "b.r": "a.c"
// RUN: %memshape emit %t.o --operator multiply -o %t.h
// RUN: FileCheck %s --check-prefix=EMIT < %t.h
// EMIT: for 1 <= a.r, a.c, b.c <= 2000; b.r = a.c
// EMIT: static inline int multiply_in_domain(
// EMIT: b_r == a_c
// Three at a time, beside one that is equal by chance.
// RUN: %predict --operator added --shape a=8,b=8,c=8,k=8 | %says "formula 12*a + 4*k" "for 1 <= a, k <= 2000; b = a; c = a"
// One that is only bounded by another is not tied to it.
// RUN: %predict --operator within --shape n=9,k=9 | FileCheck %s --check-prefix=WITHIN
// WITHIN: formula 4*n{{$}}
// WITHIN-NOT: k = n
// RUN: not %predict --operator added --shape a=8,b=a,c=d,k=8 2>&1 | %says "shape value c=d is not an integer"

#include <cstdlib>
#include <memshape/operator.h>
#include <stdexcept>
#include <vector>

struct Matrix {
  int rows, cols;
  std::vector<double> data;
  Matrix(int r, int c) : rows(r), cols(c), data(long(r) * c) {}
};

MEMSHAPE_OPERATOR Matrix multiply(const Matrix &a, const Matrix &b) {
  if (a.cols != b.rows)
    throw std::invalid_argument("shapes");
  Matrix copy(a), product(a.rows, b.cols);
  for (int i = 0; i < a.rows; i++)
    for (int k = 0; k < a.cols; k++)
      for (int j = 0; j < b.cols; j++)
        product.data[i * product.cols + j] += copy.data[i * copy.cols + k] * b.data[k * b.cols + j];
  return product;
}

MEMSHAPE_OPERATOR void added(int a, int b, int c, int k, float *out) {
  if (a != b || b != c)
    abort();
  std::vector<float> sums(a + b + c + k);
  for (std::size_t i = 0; i < sums.size(); ++i)
    out[i] = sums[i] += out[i];
}

MEMSHAPE_OPERATOR void within(int n, int k, float *out) {
  if (k > n)
    throw std::out_of_range("k");
  std::vector<float> sums(n);
  for (int i = 0; i < n; ++i)
    out[i] = sums[i] += out[k];
}
