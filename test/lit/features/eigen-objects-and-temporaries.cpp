// RUN: %clangxx -std=c++17 -O1 -isystem /usr/include/eigen3 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// What assigning to a matrix that has a size allocates depends on the other size. A product inside a larger expression is a temporary, one that initialises an
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

// CHECK: allocation function={covariance} name={c} kind={container} space={host} size_written={null} depends_on={shape}
// CHECK-NEXT: allocation function={covariance} name={sums} kind={container} space={host} size_written={null}
// CHECK-NEXT: allocation function={covariance} name={d} kind={container} space={host} size_written={m, m} depends_on={shape}
// CHECK-NEXT: allocation function={covariance} name={d} kind={container} {{.*}} conditional={yes}
// CHECK-NEXT: allocation function={covariance} name={null} kind={temporary} space={host} size_written={null}
// CHECK-NOT: {{^}}allocation
