// A convolution layer on Eigen tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two-dimensional convolution of an image with a bank of filters, then a rectifier and the mean over the image: the
// usual small network head, written with Eigen's unsupported Tensor module.
//
// Memory: one response per filter at a time, the bank of filters, and the stack of responses.

#include "driver.h"

#include <memshape/operator.h>
#include <unsupported/Eigen/CXX11/Tensor>

namespace {

/// Oriented edge filters of width x width; computed, not learnt.
Eigen::Tensor<float, 3> edgeFilters(int filters, int width) {
  Eigen::Tensor<float, 3> bank(width, width, filters);
  for (int f = 0; f < filters; ++f) {
    const float angle = 3.14159265f * float(f) / float(filters);
    for (int y = 0; y < width; ++y)
      for (int x = 0; x < width; ++x)
        bank(y, x, f) = std::cos(angle) * float(x - width / 2) + std::sin(angle) * float(y - width / 2);
  }
  return bank;
}

} // namespace

MEMSHAPE_OPERATOR
void tensor_convolution(const float *pixels, int height, int width, int filters, float *out) {
  constexpr int size = 5;
  const Eigen::TensorMap<const Eigen::Tensor<float, 2>> image(pixels, height, width);
  const Eigen::Tensor<float, 3> bank = edgeFilters(filters, size);
  const Eigen::array<Eigen::Index, 2> axes = {0, 1};
  Eigen::Tensor<float, 3> responses(height - size + 1, width - size + 1, filters);
  for (int f = 0; f < filters; ++f) {
    const Eigen::Tensor<float, 2> filter = bank.chip(f, 2);
    const Eigen::Tensor<float, 2> response = image.convolve(filter, axes);
    responses.chip(f, 2) = response.cwiseMax(0.0f);
  }
  const Eigen::Tensor<float, 1> means = responses.mean(axes);
  Eigen::TensorMap<Eigen::Tensor<float, 1>>(out, filters) = means;
}

int main(int argc, char **argv) {
  int shape[3];
  driver_read_shape(argc, argv, "height width filters", 3, shape);
  if (shape[0] < 5 || shape[1] < 5) {
    fprintf(stderr, "the image must be at least 5 x 5\n");
    return 2;
  }
  float *pixels = driver_make_input(std::size_t(shape[0]) * std::size_t(shape[1])),
        *out = driver_make(std::size_t(shape[2]));
  for (int call = 0; call < DriverCalls; ++call)
    tensor_convolution(pixels, shape[0], shape[1], shape[2], out);
  printf("tensor_convolution %.6e\n", driver_checksum(out, std::size_t(shape[2])));
  free(pixels);
  free(out);
}
