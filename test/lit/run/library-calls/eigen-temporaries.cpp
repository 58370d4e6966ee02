// Temporaries of an Eigen expression.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the expression's evaluation allocates, alias copies included.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -I/usr/include/eigen3 -DNDEBUG -c %s -o %t.o
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape n=64 -- 64
// RUN: %compare %t --shape n=5 -- 5

#include "../Inputs/twice.h"
#include <Eigen/Dense>

MEMSHAPE_OPERATOR
void update(const double *in, int n, double *out) {
  Eigen::Map<const Eigen::MatrixXd> a(in, n, n);
  Eigen::Map<Eigen::MatrixXd> c(out, n, n);
  Eigen::MatrixXd b = a + a;
  c = a * b + b * a;
  c += b * c;
}

TWICE(update((double *)data, number(1), (double *)more))
