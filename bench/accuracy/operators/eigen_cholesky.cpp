// Normal equations by Cholesky.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=Eigen smallest=600,200 flags=-I/usr/include/eigen3 tensors=rows*cols,rows,cols

#include "job.h"

#include <Eigen/Dense>

ACCURACY_OPERATOR void eigen_cholesky(const double *In, const double *Right, int rows, int cols, double *Out) {
  Eigen::Map<const Eigen::MatrixXd> A(In, rows, cols);
  Eigen::Map<const Eigen::VectorXd> B(Right, rows);
  Eigen::MatrixXd Normal = A.transpose() * A;
  Normal.diagonal().array() += 1e6;
  Eigen::Map<Eigen::VectorXd>(Out, cols) = Normal.llt().solve(A.transpose() * B);
}
