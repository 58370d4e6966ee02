// Product of three matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=Eigen symbols=a,b,c smallest=300,260,320 flags=-I/usr/include/eigen3

#include "job.h"

#include <Eigen/Dense>

ACCURACY_OPERATOR void eigen_product_chain(const double *A, const double *B, const double *C, int a, int b, int c,
                                           double *Out) {
  using Matrix = Eigen::MatrixXd;
  Eigen::Map<const Matrix> X(A, a, b), Y(B, b, c), Z(C, c, a);
  Matrix Left = X * Y;
  Eigen::Map<Matrix>(Out, a, a) = Left * Z;
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int a = J.extent();
  int b = J.extent();
  int c = J.extent();
  double *A = J.input<double>(static_cast<long>(a) * b);
  double *B = J.input<double>(static_cast<long>(b) * c);
  double *C = J.input<double>(static_cast<long>(c) * a);
  double *Out = J.output<double>(static_cast<long>(a) * a);
  eigen_product_chain(A, B, C, a, b, c, Out);
  return J.finish();
}
