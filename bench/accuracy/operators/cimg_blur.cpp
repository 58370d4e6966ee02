// Recursive Gaussian of an image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=CImg symbols=width,height smallest=800,600 flags=-Dcimg_display=0 link=-lpthread

#include "job.h"

#include <CImg.h>

ACCURACY_OPERATOR void cimg_blur(const float *In, int width, int height, float *Out) {
  using namespace cimg_library;
  const CImg<float> Image(const_cast<float *>(In), width, height, 1, 1, true);
  CImg<float> Smooth = Image.get_blur(2.0f);
  std::memcpy(Out, Smooth.data(), sizeof(float) * Smooth.size());
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int width = J.extent();
  int height = J.extent();
  float *In = J.input<float>(static_cast<long>(width) * height);
  float *Out = J.output<float>(static_cast<long>(width) * height);
  cimg_blur(In, width, height, Out);
  return J.finish();
}
