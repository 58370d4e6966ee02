// A product of Eigen matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The product's workspace, blocked for the caches of this machine.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -I/usr/include/eigen3 -DNDEBUG -c %s -o %t.o
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape n=80 -- 80
// RUN: %compare %t --shape n=5 -- 5

#include "../Inputs/twice.h"
#include <Eigen/Dense>

MEMSHAPE_OPERATOR
void product(const double *in, int n, double *out) {
  Eigen::Map<const Eigen::MatrixXd> a(in, n, n);
  Eigen::Map<Eigen::MatrixXd> c(out, n, n);
  c.noalias() = a * a.transpose();
}

TWICE(product((double *)data, number(1), (double *)more))
