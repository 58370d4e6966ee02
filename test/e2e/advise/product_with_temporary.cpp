// PointCloudLibrary/pcl#6277: a matrix product goes through a temporary, because noalias() is missing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case.h"
#include <Eigen/Core>

OPERATOR double regressed(const double *in, long n, long m) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Constant(n, m, in[0]), b = Eigen::MatrixXd::Constant(m, n, in[1]), c(n, n);
  c = a * b; // advice: without
  return c(n - 1, 0);
}
OPERATOR double fixed(const double *in, long n, long m) {
  Eigen::MatrixXd a = Eigen::MatrixXd::Constant(n, m, in[0]), b = Eigen::MatrixXd::Constant(m, n, in[1]), c(n, n);
  c.noalias() = a * b;
  return c(n - 1, 0);
}
