// The caches of another machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product is blocked for the caches: the program that runs is told of small ones, and so is the prediction of one
// that asks the processor.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -I/usr/include/eigen3 -DNDEBUG -c %s -o %t.o
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -I/usr/include/eigen3 -DNDEBUG -DTOLD %s -o %t
// RUN: %compare %t --object %t.o --shape n=88 --machine l1d=4096,l2=8192,l3=524288 -- 88
// RUN: %predict --shape n=88 --machine l1d=4096,l2=8192,l3=524288 | %says "depends on the machine: l1d=4096, l2=8192, l3=524288"
// RUN: not %predict --shape n=88 --machine l4=1024 2>&1 | FileCheck %s --check-prefix=STRANGE
// STRANGE: memshape: --machine knows l1d, l2, l3, processors, page, gpu, gpus, sm, cc, ptx and pitch, not 'l4'

#define EIGEN_STACK_ALLOCATION_LIMIT 0
#include "../Inputs/twice.h"
#include <Eigen/Dense>

MEMSHAPE_OPERATOR
void product(const double *in, int n, double *out) {
  Eigen::Map<const Eigen::MatrixXd> a(in, n, n);
  Eigen::Map<Eigen::MatrixXd> c(out, n, n);
  c.noalias() = a * a.transpose();
}

#ifdef TOLD
TWICE((Eigen::setCpuCacheSizes(4096, 8192, 524288), product((double *)data, number(1), (double *)more)))
#else
TWICE(product((double *)data, number(1), (double *)more))
#endif
