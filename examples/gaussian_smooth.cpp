// Separable Gaussian smoothing of a volume.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The recipe of image libraries: one pass per axis, each through a line buffer that is padded by mirroring. The radius
// follows from sigma, so that part of the memory depends on a setting and not on the shape.
//
// Memory: a working copy of the volume, and per pass one padded line.

#include "driver.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <memshape/operator.h>
#include <vector>

namespace {

class Kernel {
public:
  explicit Kernel(double sigma) : radius(std::max(1, int(std::lround(4 * sigma)))), weights(std::size_t(radius) + 1) {
    double sum = 0;
    for (int k = 0; k <= radius; ++k) {
      weights[std::size_t(k)] = std::exp(-k * k / (2 * sigma * sigma));
      sum += (k ? 2 : 1) * weights[std::size_t(k)];
    }
    for (double &weight : weights)
      weight /= sum;
  }

  int reach() const { return radius; }

  /// The weighted sum around *center, which has reach() samples on both sides.
  double operator()(const double *center) const {
    double sum = weights[0] * center[0];
    for (int k = 1; k <= radius; ++k)
      sum += weights[std::size_t(k)] * (center[k] + center[-k]);
    return sum;
  }

private:
  int radius;
  std::vector<double> weights;
};

/// Smooths every line of `length` samples, `stride` apart, that starts at volume[start(line)].
template <class Start>
void smoothLines(float *volume, std::size_t lines, int length, std::size_t stride, const Kernel &kernel, Start start) {
  const int reach = kernel.reach();
  const auto padded = std::make_unique<double[]>(std::size_t(length) + 2 * std::size_t(reach));
  for (std::size_t line = 0; line < lines; ++line) {
    float *first = volume + start(line);
    for (int p = -reach; p < length + reach; ++p) {
      const int mirrored = p < 0 ? -1 - p : p >= length ? 2 * length - 1 - p : p;
      padded[std::size_t(p + reach)] = first[std::size_t(std::clamp(mirrored, 0, length - 1)) * stride];
    }
    for (int p = 0; p < length; ++p)
      first[std::size_t(p) * stride] = float(kernel(padded.get() + p + reach));
  }
}

} // namespace

MEMSHAPE_OPERATOR
void gaussian_smooth(const float *volume, int nz, int ny, int nx, double sigma, float *out) {
  const std::size_t plane = std::size_t(ny) * std::size_t(nx), samples = std::size_t(nz) * plane;
  const Kernel kernel(sigma);
  std::vector<float> work(volume, volume + samples);
  smoothLines(work.data(), samples / std::size_t(nx), nx, 1, kernel,
              [&](std::size_t line) { return line * std::size_t(nx); });
  smoothLines(work.data(), samples / std::size_t(ny), ny, std::size_t(nx), kernel,
              [&](std::size_t line) { return line / std::size_t(nx) * plane + line % std::size_t(nx); });
  smoothLines(work.data(), plane, nz, plane, kernel, [](std::size_t line) { return line; });
  std::copy(work.begin(), work.end(), out);
}

int main(int argc, char **argv) {
  int shape[3];
  driver_read_shape(argc, argv, "nz ny nx", 3, shape);
  const std::size_t samples = std::size_t(shape[0]) * std::size_t(shape[1]) * std::size_t(shape[2]);
  float *volume = driver_make_input(samples), *out = driver_make(samples);
  for (int call = 0; call < DriverCalls; ++call)
    gaussian_smooth(volume, shape[0], shape[1], shape[2], 2.0, out);
  printf("gaussian_smooth %.6e\n", driver_checksum(out, samples));
  free(volume);
  free(out);
}
