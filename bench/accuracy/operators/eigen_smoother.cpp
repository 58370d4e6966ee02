// Chained array expressions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=Eigen smallest=700,500 flags=-I/usr/include/eigen3 tensors=rows*cols,rows*cols

#include "job.h"

#include <Eigen/Dense>

ACCURACY_OPERATOR void eigen_smoother(const float *In, int rows, int cols, float *Out) {
  Eigen::Map<const Eigen::ArrayXXf> A(In, rows, cols);
  Eigen::ArrayXXf Low = A.square(), High = (A + 1).log();
  Eigen::ArrayXXf Both = Low * High;
  Eigen::Map<Eigen::ArrayXXf>(Out, rows, cols) = Both / (Low + High + 1);
}
