// Enlarged by linear interpolation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=CImg smallest=300,250 flags=-Dcimg_display=0 link=-lpthread tensors=width*height,1

#include "job.h"

#include <CImg.h>

ACCURACY_OPERATOR void cimg_resize(const float *In, int width, int height, float *Out) {
  using namespace cimg_library;
  const CImg<float> Image(const_cast<float *>(In), width, height, 1, 1, true);
  CImg<float> Large = Image.get_resize(2 * width, 2 * height, 1, 1, 3);
  *Out = Large[0];
}
