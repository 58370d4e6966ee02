// Gradient structure tensor of a seismic cube.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds reflectors: the tensor of the smoothed products of the gradient's components has one large eigenvalue where the
// cube looks like a stack of planes. The answer is the share of that eigenvalue, between 0 and 1, per sample.
//
// Memory: three gradients, six smoothed products, and the temporaries of a separable smoothing. The gradients go before
// the eigenvalues are computed, but the peak is earlier, while the last product is being smoothed.

#include "driver.h"

#include <array>
#include <cmath>
#include <memshape/operator.h>
#include <vector>

namespace {

using Volume = std::vector<float>;

struct Grid {
  int ni, nx, ns;
  std::size_t samples() const { return std::size_t(ni) * std::size_t(nx) * std::size_t(ns); }
  std::size_t stride(int axis) const {
    return axis == 0 ? std::size_t(nx) * std::size_t(ns) : axis == 1 ? std::size_t(ns) : 1;
  }
  int length(int axis) const { return axis == 0 ? ni : axis == 1 ? nx : ns; }
};

/// Position of sample n on an axis.
int coordinate(const Grid &grid, std::size_t n, int axis) {
  return int(n / grid.stride(axis) % std::size_t(grid.length(axis)));
}

/// Central differences, one-sided at the faces.
Volume gradient(const float *cube, const Grid &grid, int axis) {
  Volume result(grid.samples());
  const std::size_t stride = grid.stride(axis);
  for (std::size_t n = 0; n < result.size(); ++n) {
    const int at = coordinate(grid, n, axis);
    const std::size_t low = at > 0 ? n - stride : n;
    const std::size_t high = at + 1 < grid.length(axis) ? n + stride : n;
    result[n] = (cube[high] - cube[low]) * (high - low == 2 * stride ? 0.5f : 1.0f);
  }
  return result;
}

std::vector<float> gaussian(float sigma) {
  const int radius = int(std::ceil(3 * sigma));
  std::vector<float> kernel(std::size_t(2 * radius + 1));
  float sum = 0;
  for (int k = -radius; k <= radius; ++k)
    sum += kernel[std::size_t(k + radius)] = std::exp(-0.5f * float(k * k) / (sigma * sigma));
  for (float &weight : kernel)
    weight /= sum;
  return kernel;
}

/// Convolution along one axis; the faces repeat their sample.
Volume convolve(const Volume &in, const Grid &grid, const std::vector<float> &kernel, int axis) {
  Volume out(in.size());
  const int radius = int(kernel.size() / 2), length = grid.length(axis);
  const std::size_t stride = grid.stride(axis);
  for (std::size_t n = 0; n < in.size(); ++n) {
    const int at = coordinate(grid, n, axis);
    const std::size_t start = n - std::size_t(at) * stride;
    float sum = 0;
    for (int k = -radius; k <= radius; ++k) {
      const int from = at + k < 0 ? 0 : at + k >= length ? length - 1 : at + k;
      sum += kernel[std::size_t(k + radius)] * in[start + std::size_t(from) * stride];
    }
    out[n] = sum;
  }
  return out;
}

Volume smoothedProduct(const Volume &a, const Volume &b, const Grid &grid, const std::vector<float> &kernel) {
  Volume product(a.size());
  for (std::size_t n = 0; n < a.size(); ++n)
    product[n] = a[n] * b[n];
  for (int axis = 0; axis < 3; ++axis)
    product = convolve(product, grid, kernel, axis);
  return product;
}

/// Largest eigenvalue of a symmetric 3 x 3 matrix over its trace, by power iteration.
float planarity(const std::array<float, 6> &t) {
  const float trace = t[0] + t[3] + t[5];
  if (!(trace > 0))
    return 0;
  std::array<float, 3> v = {1, 1, 1};
  float value = 0;
  for (int step = 0; step < 20; ++step) {
    const std::array<float, 3> w = {t[0] * v[0] + t[1] * v[1] + t[2] * v[2], t[1] * v[0] + t[3] * v[1] + t[4] * v[2],
                                    t[2] * v[0] + t[4] * v[1] + t[5] * v[2]};
    const float length = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    if (!(length > 0) || std::fabs(length - value) < 1e-6f * length)
      break;
    value = length;
    v = {w[0] / length, w[1] / length, w[2] / length};
  }
  return value / trace;
}

} // namespace

MEMSHAPE_OPERATOR
void gst3d(const float *cube, int ni, int nx, int ns, float sigma, float *out) {
  const Grid grid = {ni, nx, ns};
  const std::vector<float> kernel = gaussian(sigma);
  std::array<Volume, 6> tensor;
  {
    const Volume gi = gradient(cube, grid, 0), gx = gradient(cube, grid, 1), gs = gradient(cube, grid, 2);
    tensor[0] = smoothedProduct(gi, gi, grid, kernel);
    tensor[1] = smoothedProduct(gi, gx, grid, kernel);
    tensor[2] = smoothedProduct(gi, gs, grid, kernel);
    tensor[3] = smoothedProduct(gx, gx, grid, kernel);
    tensor[4] = smoothedProduct(gx, gs, grid, kernel);
    tensor[5] = smoothedProduct(gs, gs, grid, kernel);
  }
  for (std::size_t n = 0; n < grid.samples(); ++n)
    out[n] = planarity({tensor[0][n], tensor[1][n], tensor[2][n], tensor[3][n], tensor[4][n], tensor[5][n]});
}

int main(int argc, char **argv) {
  int shape[3];
  driver_read_shape(argc, argv, "ni nx ns", 3, shape);
  const std::size_t samples = std::size_t(shape[0]) * std::size_t(shape[1]) * std::size_t(shape[2]);
  float *cube = driver_make_input(samples), *out = driver_make(samples);
  for (int call = 0; call < DriverCalls; ++call)
    gst3d(cube, shape[0], shape[1], shape[2], 1.5f, out);
  printf("gst3d %.6e\n", driver_checksum(out, samples));
  free(cube);
  free(out);
}
