// RUN: %clangxx -std=c++17 -O1 -isystem /usr/include/eigen3 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// Dynamic matrices by their rows and columns; a product inside a larger expression is a temporary, one that initialises an
// object is not.

#include <Eigen/Dense>

[[memshape::operator]] double covariance(const double *in, int n, int m) {
  Eigen::Map<const Eigen::MatrixXd> a(in, n, m);
  Eigen::MatrixXd c = a.transpose() * a;
  Eigen::VectorXd sums = c.rowwise().sum();
  Eigen::MatrixXd d(m, m);
  d = c * c + c;
  d.noalias() = c * c;
  Eigen::Matrix3d small = Eigen::Matrix3d::Zero();
  return d.sum() + sums.sum() + small.sum();
}

// CHECK: allocation function={covariance} name={c} kind={container} space={host} bytes={8*m*m} times={1} depends_on={shape}
// CHECK-NEXT: allocation function={covariance} name={sums} kind={container} space={host} bytes={8*m}
// CHECK-NEXT: allocation function={covariance} name={d} kind={container} space={host} bytes={8*m*m}
// CHECK-NEXT: allocation function={covariance} name={null} kind={temporary} space={host} bytes={8*m*m}
// CHECK-NOT: {{^}}allocation
