// Edge strength of a volume with CImg.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blur, gradient along three axes, norm, and a scaling to [0, 1]: a few lines with the CImg library, whose functions
// return images by value. What that costs is not visible in the source; it is what memshape is for.

#include "driver.h"

#define cimg_display 0
#include <CImg.h>
#include <memshape/operator.h>

MEMSHAPE_OPERATOR
void cimg_edges(const float *voxels, int nx, int ny, int nz, float sigma, float *out) {
  using cimg_library::CImg;
  using cimg_library::CImgList;
  const CImg<float> volume(voxels, unsigned(nx), unsigned(ny), unsigned(nz), 1, /*is_shared=*/true);
  const CImg<float> smooth = volume.get_blur(sigma);
  const CImgList<float> gradient = smooth.get_gradient("xyz");
  CImg<float> strength = gradient[0].get_sqr();
  strength += gradient[1].get_sqr();
  strength += gradient[2].get_sqr();
  strength.sqrt().normalize(0, 1);
  CImg<float>(out, unsigned(nx), unsigned(ny), unsigned(nz), 1, true) = strength;
}

int main(int argc, char **argv) {
  int shape[3];
  driver_read_shape(argc, argv, "nx ny nz", 3, shape);
  const std::size_t count = std::size_t(shape[0]) * std::size_t(shape[1]) * std::size_t(shape[2]);
  float *voxels = driver_make_input(count), *out = driver_make(count);
  for (int call = 0; call < DriverCalls; ++call)
    cimg_edges(voxels, shape[0], shape[1], shape[2], 1.5f, out);
  printf("cimg_edges %.6e\n", driver_checksum(out, count));
  free(voxels);
  free(out);
}
