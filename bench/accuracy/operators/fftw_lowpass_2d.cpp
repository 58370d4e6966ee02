// Image filtered in the frequency plane.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=FFTW smallest=360,320 link=-lfftw3f tensors=rows*cols,rows*cols

#include "job.h"

#include <fftw3.h>

ACCURACY_OPERATOR void fftw_lowpass_2d(const float *In, int rows, int cols, float *Out) {
  std::size_t Count = static_cast<std::size_t>(rows) * cols, Half = static_cast<std::size_t>(cols) / 2 + 1;
  auto *Image = static_cast<float *>(fftwf_malloc(sizeof(float) * Count));
  auto *Plane = static_cast<fftwf_complex *>(fftwf_malloc(sizeof(fftwf_complex) * rows * Half));
  fftwf_plan There = fftwf_plan_dft_r2c_2d(rows, cols, Image, Plane, FFTW_ESTIMATE);
  fftwf_plan Back = fftwf_plan_dft_c2r_2d(rows, cols, Plane, Image, FFTW_ESTIMATE);
  std::memcpy(Image, In, sizeof(float) * Count);
  fftwf_execute(There);
  for (std::size_t At = rows * Half / 8; At < rows * Half; ++At)
    Plane[At][0] = Plane[At][1] = 0;
  fftwf_execute(Back);
  std::memcpy(Out, Image, sizeof(float) * Count);
  fftwf_destroy_plan(There);
  fftwf_destroy_plan(Back);
  fftwf_free(Plane);
  fftwf_free(Image);
}
