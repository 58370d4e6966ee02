// Envelope of traces by the analytic signal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instantaneous amplitude of each trace: forward transform, double the positive frequencies and drop the negative
// ones, back, modulus. All traces of a section go through FFTW in one batch, as one does when memory is there.
//
// Memory: two complex sections in single precision, and what FFTW's planner needs, which depends on the factors of nt
// and is found by asking the planner itself.

#include "driver.h"

#include <cmath>
#include <fftw3.h>
#include <memshape/operator.h>

MEMSHAPE_OPERATOR
void envelope(const float *section, int ntraces, int nt, float *out) {
  const std::size_t samples = std::size_t(ntraces) * std::size_t(nt);
  fftwf_complex *time = fftwf_alloc_complex(samples);
  fftwf_complex *frequency = fftwf_alloc_complex(samples);
  const fftwf_plan forward = fftwf_plan_many_dft(1, &nt, ntraces, time, nullptr, 1, nt, frequency, nullptr, 1, nt,
                                                 FFTW_FORWARD, FFTW_ESTIMATE);
  const fftwf_plan backward = fftwf_plan_many_dft(1, &nt, ntraces, frequency, nullptr, 1, nt, time, nullptr, 1, nt,
                                                  FFTW_BACKWARD, FFTW_ESTIMATE);

  for (std::size_t n = 0; n < samples; ++n) {
    time[n][0] = section[n];
    time[n][1] = 0;
  }
  fftwf_execute(forward);
  for (int trace = 0; trace < ntraces; ++trace) {
    fftwf_complex *spectrum = frequency + std::size_t(trace) * std::size_t(nt);
    for (int k = 0; k < nt; ++k) {
      const bool edge = k == 0 || 2 * k == nt;
      const float weight = (edge ? 1.0f : 2 * k < nt ? 2.0f : 0.0f) / float(nt);
      spectrum[k][0] *= weight;
      spectrum[k][1] *= weight;
    }
  }
  fftwf_execute(backward);
  for (std::size_t n = 0; n < samples; ++n)
    out[n] = std::sqrt(time[n][0] * time[n][0] + time[n][1] * time[n][1]);

  fftwf_destroy_plan(backward);
  fftwf_destroy_plan(forward);
  fftwf_free(frequency);
  fftwf_free(time);
}

int main(int argc, char **argv) {
  int shape[2];
  driver_read_shape(argc, argv, "ntraces nt", 2, shape);
  const std::size_t samples = std::size_t(shape[0]) * std::size_t(shape[1]);
  float *section = driver_make_input(samples), *out = driver_make(samples);
  for (int call = 0; call < DriverCalls; ++call)
    envelope(section, shape[0], shape[1], out);
  printf("envelope %.6e\n", driver_checksum(out, samples));
  free(section);
  free(out);
}
