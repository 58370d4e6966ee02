// Unsharp masking of an image with CImg.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds to an image what a blur takes from it. Takes and returns images of CImg, so that its shape symbols are
// image.width, image.height, image.depth and image.spectrum.
//
// Memory: the blurred image, the mask and the result, as far as CImg makes copies of them.

#include "driver.h"

#define cimg_display 0
#include <CImg.h>
#include <memshape/operator.h>

using Image = cimg_library::CImg<float>;

MEMSHAPE_OPERATOR
Image unsharp(const Image &image, float sigma) {
  const Image mask = image - image.get_blur(sigma);
  return (image + mask).cut(-1, 1);
}

int main(int argc, char **argv) {
  int shape[4];
  driver_read_shape(argc, argv, "image.width image.height image.depth image.spectrum", 4, shape);
  float *input = driver_make_input(size_t(shape[0]) * size_t(shape[1]) * size_t(shape[2]) * size_t(shape[3]));
  const Image image(input, shape[0], shape[1], shape[2], shape[3]);
  for (int call = 0; call < DriverCalls; ++call) {
    const Image out = unsharp(image, 1.5f);
    printf("unsharp %.6e\n", driver_checksum(out.data(), out.size()));
  }
  free(input);
}
