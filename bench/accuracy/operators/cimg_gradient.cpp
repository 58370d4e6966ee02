// Length of the gradient of a volume.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=CImg smallest=70,60,50 flags=-Dcimg_display=0 link=-lpthread
// tensors=width*height*depth,width*height*depth

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
