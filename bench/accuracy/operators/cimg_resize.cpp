// Enlarged by linear interpolation.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=CImg symbols=width,height smallest=300,250 flags=-Dcimg_display=0 link=-lpthread

#include "job.h"

#include <CImg.h>

ACCURACY_OPERATOR void cimg_resize(const float *In, int width, int height, float *Out) {
  using namespace cimg_library;
  const CImg<float> Image(const_cast<float *>(In), width, height, 1, 1, true);
  CImg<float> Large = Image.get_resize(2 * width, 2 * height, 1, 1, 3);
  *Out = Large[0];
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int width = J.extent();
  int height = J.extent();
  float *In = J.input<float>(static_cast<long>(width) * height);
  float *Out = J.output<float>(1);
  cimg_resize(In, width, height, Out);
  return J.finish();
}
