// Transforms of whole sections.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan for many transforms takes its extents behind pointers, and fills the arrays that it is given. The extents stay
// what they were: the second plan has those of the shape, too. What the planner keeps follows no law; the operator's
// own arrays do, so the peak is a formula and a term that is bounded.
//
// RUN: %clangxx -std=c++17 -O2 %operatorxx -lfftw3f
// RUN: %compare %t --shape traces=10,samples=100 -- 10 100
// RUN: %compare %t --shape traces=31,samples=997 -- 31 997
// RUN: %compare %t --shape traces=480,samples=500 -- 480 500
// RUN: %compare %t --shape traces=1,samples=1 -- 1 1
// RUN: %memshape predict %t --shape traces=31,samples=997 | FileCheck %s
// RUN: %memshape predict %t --shape traces=31,samples=997 --json | FileCheck %s --check-prefix=JSON
//
// CHECK:      peak heap {{.*}} exact
// CHECK:      formula   16*traces*samples + libraries
// CHECK-NEXT: verified at {{[0-9]+}} other shapes, for 1 <= traces, samples <= 256, and at this one
// CHECK-NEXT: libraries: held inside libraries that are called for real;
// CHECK-NEXT: {{[0-9,]+}} bytes here, at most {{.*}} bytes at the {{[0-9]+}} shapes that were tried
// CHECK-DAG:  plans-with-extents-in-memory.cpp:[[#@LINE+22]] {{.*}} 8*traces*samples
// CHECK-DAG:  plans-with-extents-in-memory.cpp:[[#@LINE+22]] {{.*}} 8*traces*samples
// CHECK-DAG:  inside libraries
//
// JSON:       "peak": "16*traces*samples + libraries"
// JSON:       "terms": [
// JSON-NEXT:  {
// JSON-NEXT:  "name": "libraries",
// JSON-NEXT:  "what": "held inside libraries that are called for real",
// JSON-NEXT:  "bytes": {{[0-9]+}},
// JSON-NEXT:  "upper": "{{.+}}",
// JSON-NEXT:  "least_bytes": {{[0-9]+}},
// JSON-NEXT:  "greatest_bytes": {{[0-9]+}},
// JSON-NEXT:  "shapes": {{[0-9]+}}

#include "../Inputs/twice.h"
#include <cstddef>
#include <fftw3.h>

MEMSHAPE_OPERATOR
void envelope(const float *in, int traces, int samples, float *out) {
  const std::size_t all = std::size_t(traces) * std::size_t(samples);
  fftwf_complex *time = fftwf_alloc_complex(all);
  fftwf_complex *frequency = fftwf_alloc_complex(all);
  const fftwf_plan forward = fftwf_plan_many_dft(1, &samples, traces, time, nullptr, 1, samples, frequency, nullptr, 1,
                                                 samples, FFTW_FORWARD, FFTW_ESTIMATE);
  const fftwf_plan backward = fftwf_plan_many_dft(1, &samples, traces, frequency, nullptr, 1, samples, time, nullptr, 1,
                                                  samples, FFTW_BACKWARD, FFTW_ESTIMATE);
  for (std::size_t n = 0; n < all; ++n) {
    time[n][0] = in[n % 1000];
    time[n][1] = 0;
  }
  fftwf_execute(forward);
  for (std::size_t n = 0; n < all; ++n)
    frequency[n][0] *= 2;
  fftwf_execute(backward);
  out[0] = time[0][0];
  fftwf_destroy_plan(backward);
  fftwf_destroy_plan(forward);
  fftwf_free(frequency);
  fftwf_free(time);
}

TWICE(envelope(data, number(1), number(2), more))
