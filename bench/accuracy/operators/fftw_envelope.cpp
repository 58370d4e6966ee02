// Envelope of traces by a Fourier transform.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=FFTW smallest=300,512 link=-lfftw3f tensors=traces*samples,traces*samples

#include "job.h"

#include <cmath>
#include <fftw3.h>

ACCURACY_OPERATOR void fftw_envelope(const float *In, int traces, int samples, float *Out) {
  auto *Row = static_cast<fftwf_complex *>(fftwf_malloc(sizeof(fftwf_complex) * static_cast<std::size_t>(samples)));
  fftwf_plan There = fftwf_plan_dft_1d(samples, Row, Row, FFTW_FORWARD, FFTW_ESTIMATE);
  fftwf_plan Back = fftwf_plan_dft_1d(samples, Row, Row, FFTW_BACKWARD, FFTW_ESTIMATE);
  for (int T = 0; T < traces; ++T) {
    for (int S = 0; S < samples; ++S)
      Row[S][0] = In[static_cast<long>(T) * samples + S], Row[S][1] = 0;
    fftwf_execute(There);
    for (int S = samples / 2 + 1; S < samples; ++S)
      Row[S][0] = Row[S][1] = 0;
    fftwf_execute(Back);
    for (int S = 0; S < samples; ++S)
      Out[static_cast<long>(T) * samples + S] = std::hypot(Row[S][0], Row[S][1]) / static_cast<float>(samples);
  }
  fftwf_destroy_plan(There);
  fftwf_destroy_plan(Back);
  fftwf_free(Row);
}
