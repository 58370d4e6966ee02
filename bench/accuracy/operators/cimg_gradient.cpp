// Length of the gradient of a volume.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=CImg symbols=width,height,depth smallest=70,60,50 flags=-Dcimg_display=0 link=-lpthread

#include "job.h"

#include <CImg.h>

ACCURACY_OPERATOR void cimg_gradient(const float *In, int width, int height, int depth, float *Out) {
  using namespace cimg_library;
  const CImg<float> Image(const_cast<float *>(In), width, height, depth, 1, true);
  CImgList<float> Gradient = Image.get_gradient("xyz", 0);
  CImg<float> Length = Gradient[0].get_sqr();
  Length += Gradient[1].get_sqr();
  Length += Gradient[2].get_sqr();
  Length.sqrt();
  std::memcpy(Out, Length.data(), sizeof(float) * Length.size());
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int width = J.extent();
  int height = J.extent();
  int depth = J.extent();
  float *In = J.input<float>(static_cast<long>(width) * height * depth);
  float *Out = J.output<float>(static_cast<long>(width) * height * depth);
  cimg_gradient(In, width, height, depth, Out);
  return J.finish();
}
