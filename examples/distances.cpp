// Distances of points to centres.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The squared distance of each point to each centre, as |p|^2 - 2 p'c + |c|^2: the inner loop of k-means and of nearest
// neighbours. Takes and returns matrices of Eigen, so that its shape symbols are points.rows, points.cols,
// centres.rows and centres.cols.
//
// Memory: the result, the lengths, and the workspaces of Eigen's product, which follow the processor's cache sizes.

#include "driver.h"

#include <Eigen/Dense>
#include <memshape/operator.h>

MEMSHAPE_OPERATOR
Eigen::MatrixXf distances(const Eigen::MatrixXf &points, const Eigen::MatrixXf &centres) {
  const Eigen::VectorXf of_points = points.colwise().squaredNorm();
  const Eigen::RowVectorXf of_centres = centres.colwise().squaredNorm();
  Eigen::MatrixXf all = -2.0f * points.transpose() * centres;
  all.colwise() += of_points;
  all.rowwise() += of_centres;
  return all;
}

int main(int argc, char **argv) {
  int shape[4];
  driver_read_shape(argc, argv, "points.rows points.cols centres.rows centres.cols", 4, shape);
  float *input = driver_make_input(size_t(shape[0]) * size_t(shape[1]) + size_t(shape[2]) * size_t(shape[3]));
  const Eigen::MatrixXf points = Eigen::Map<Eigen::MatrixXf>(input, shape[0], shape[1]);
  const Eigen::MatrixXf centres = Eigen::Map<Eigen::MatrixXf>(input + points.size(), shape[2], shape[3]);
  for (int call = 0; call < DriverCalls; ++call) {
    const Eigen::MatrixXf out = distances(points, centres);
    printf("distances %.4e\n", driver_checksum(out.data(), size_t(out.size())));
  }
  free(input);
}
