// Whitening by the covariance of channels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recordings of many channels: their covariance, regularised, is factorised once and solved for the recordings
// themselves. The factorisation looks at its pivots and stops at the first that is not positive: the one place where
// memory could depend on the data, which memshape finds and names as a decision.
//
// Memory: the centred recordings, the covariance, its factor, the solution, and the workspaces of Eigen's products,
// which follow the processor's cache sizes.

#include "driver.h"

#include <Eigen/Dense>
#include <memshape/operator.h>

MEMSHAPE_OPERATOR
void covariance_solve(const float *recordings, int channels, int samples, float damping, float *out) {
  using Matrix = Eigen::MatrixXf;
  const Eigen::Map<const Matrix> data(recordings, channels, samples);
  const Matrix centred = data.colwise() - data.rowwise().mean();
  Matrix covariance = centred * centred.transpose() / float(samples);
  covariance.diagonal().array() += damping * covariance.trace() / float(channels);
  const Eigen::LLT<Matrix> factor(covariance);
  Eigen::Map<Matrix>(out, channels, samples) = factor.solve(centred);
}

int main(int argc, char **argv) {
  int shape[2];
  driver_read_shape(argc, argv, "channels samples", 2, shape);
  const std::size_t count = std::size_t(shape[0]) * std::size_t(shape[1]);
  float *recordings = driver_make_input(count), *out = driver_make(count);
  for (int call = 0; call < DriverCalls; ++call)
    covariance_solve(recordings, shape[0], shape[1], 0.01f, out);
  printf("covariance_solve %.4e\n", driver_checksum(out, count));
  free(recordings);
  free(out);
}
