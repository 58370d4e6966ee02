// Standard scores along the time axis with xtensor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each channel of a recording minus its mean, over its standard deviation. Lazy expressions of the xtensor library are
// evaluated where a container is made of them: the mean, the deviation, and the scores.

#include "driver.h"

#include <memshape/operator.h>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

MEMSHAPE_OPERATOR
void xtensor_zscore(const float *recording, int channels, int samples, float *out) {
  const std::size_t rows = std::size_t(channels), columns = std::size_t(samples);
  const std::array<std::size_t, 2> shape = {rows, columns};
  const auto data = xt::adapt(recording, rows * columns, xt::no_ownership(), shape);
  const xt::xtensor<double, 1> mean = xt::sum(data, {1}) / double(samples);
  xt::xtensor<double, 2> scores = data - xt::view(mean, xt::all(), xt::newaxis());
  const xt::xtensor<double, 1> deviation = xt::sqrt(xt::sum(scores * scores, {1}) / double(samples));
  scores /= xt::view(deviation, xt::all(), xt::newaxis());
  for (std::size_t n = 0; n < rows * columns; ++n)
    out[n] = float(scores.data()[n]);
}

int main(int argc, char **argv) {
  int shape[2];
  driver_read_shape(argc, argv, "channels samples", 2, shape);
  const std::size_t count = std::size_t(shape[0]) * std::size_t(shape[1]);
  float *recording = driver_make_input(count), *out = driver_make(count);
  for (int call = 0; call < DriverCalls; ++call)
    xtensor_zscore(recording, shape[0], shape[1], out);
  printf("xtensor_zscore %.6e\n", driver_checksum(out, count));
  free(recording);
  free(out);
}
