// Product of three matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=Eigen smallest=300,260,320 flags=-I/usr/include/eigen3 tensors=a*b,b*c,c*a,a*a

#include "job.h"

#include <Eigen/Dense>

ACCURACY_OPERATOR void eigen_product_chain(const double *A, const double *B, const double *C, int a, int b, int c,
                                           double *Out) {
  using Matrix = Eigen::MatrixXd;
  Eigen::Map<const Matrix> X(A, a, b), Y(B, b, c), Z(C, c, a);
  Matrix Left = X * Y;
  Eigen::Map<Matrix>(Out, a, a) = Left * Z;
}
