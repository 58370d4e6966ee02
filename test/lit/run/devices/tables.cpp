// A profiler's table, and how many devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of NVTX call through a table of the unit that a profiler fills in: without one they do nothing. How many
// devices there are is a fact of the machine.
//
// RUN: %clangxx -O2 -fplugin=%plugin -fplugin-arg-memshape-operator='*' -I%S/../../../e2e/device -c %s -o %t.o
// RUN: %predict --operator marked --shape n=100 | %says "peak heap {{.*}} 0 bytes exact" "peak device {{.*}} 400 bytes exact"
// RUN: %predict --operator each --shape n=100 --machine gpus=4 | %says "peak device {{.*}} 1,600 bytes exact"
// RUN: %predict --operator each --shape n=100 | %says "peak device {{.*}} 400 bytes one run"

#include "cuda_names.h"

extern "C" {
int nvtxInitOnce();
int initPush(const char *text);
__attribute__((weak, visibility("hidden"))) struct {
  unsigned state = 0;
  int (*push)(const char *) = initPush;
  int (*pop)() = nullptr;
} nvtxGlobals_v3;
int initPush(const char *text) {
  nvtxInitOnce();
  return nvtxGlobals_v3.push ? nvtxGlobals_v3.push(text) : -1;
}
}

static int nvtxRangePush(const char *text) { return nvtxGlobals_v3.push ? nvtxGlobals_v3.push(text) : -1; }
static int nvtxRangePop() { return nvtxGlobals_v3.pop ? nvtxGlobals_v3.pop() : -1; }

void marked(const float *in, int n) {
  void *values;
  nvtxRangePush("marked");
  cudaMalloc(&values, 4l * n);
  cudaFree(values);
  nvtxRangePop();
}

void each(const float *in, int n) {
  int count;
  void *values[16];
  cudaGetDeviceCount(&count);
  if (count > 16)
    return;
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(i);
    cudaMalloc(&values[i], 4l * n);
  }
  for (int i = 0; i < count; ++i)
    cudaFree(values[i]);
}
