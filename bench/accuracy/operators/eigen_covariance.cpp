// Covariance of centred columns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=Eigen smallest=3000,80 flags=-I/usr/include/eigen3 tensors=rows*cols,cols*cols

#include "job.h"

#include <Eigen/Dense>

ACCURACY_OPERATOR void eigen_covariance(const double *In, int rows, int cols, double *Out) {
  Eigen::Map<const Eigen::MatrixXd> Data(In, rows, cols);
  Eigen::MatrixXd Centred = Data.rowwise() - Data.colwise().mean();
  Eigen::Map<Eigen::MatrixXd>(Out, cols, cols) = Centred.transpose() * Centred / (rows - 1);
}
