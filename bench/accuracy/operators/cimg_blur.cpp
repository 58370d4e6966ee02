// Recursive Gaussian of an image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=CImg smallest=800,600 flags=-Dcimg_display=0 link=-lpthread tensors=width*height,width*height

#include "job.h"

#include <CImg.h>

ACCURACY_OPERATOR void cimg_blur(const float *In, int width, int height, float *Out) {
  using namespace cimg_library;
  const CImg<float> Image(const_cast<float *>(In), width, height, 1, 1, true);
  CImg<float> Smooth = Image.get_blur(2.0f);
  std::memcpy(Out, Smooth.data(), sizeof(float) * Smooth.size());
}
