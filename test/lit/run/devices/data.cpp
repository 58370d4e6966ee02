// What a kernel computes is data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number that comes back from the device, by a copy or in managed memory, is a size from data; so is whether a stream
// has come to its end. Bounds of one memory space say nothing about another one.
//
// DEFINE: %{cuda} = -x cuda --cuda-host-only -nocudainc -nocudalib -Wno-unknown-cuda-version -I%S/../../../e2e/device/minimal
// RUN: %clangxx %{cuda} -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=copied \
// RUN:   -fplugin-arg-memshape-operator=shared -fplugin-arg-memshape-operator=polled -c %s -o %t.o
// RUN: %predict --operator copied --shape n=1000 | %says "peak heap {{.*}} 0 bytes" "peak device {{.*}} {{at least|one run}}"
// RUN: %predict --operator copied --shape n=1000 --assume k=50 | %says "peak device {{.*}} 4,204 bytes at most"
// RUN: %predict --operator shared --shape n=1000 | %says "peak device {{.*}} {{at least|one run}}"
// RUN: %predict --operator polled --shape n=1000 | FileCheck --check-prefix=POLLED %s
//
// POLLED: peak device {{.*}} 12,000 bytes at most: data decides
// POLLED: at least {{.*}} 4,000 bytes

#include "cuda_runtime.h"

__global__ void countAbove(const float *values, int n, int *count) {
  for (int i = 0; i < n; ++i)
    *count += values[i] > 0;
}

void copied(const float *in, int n) {
  float *values, *picked;
  int *found, count;
  cudaMalloc(&values, 4l * n);
  cudaMalloc(&found, sizeof(int));
  cudaMemcpy(values, in, 4l * n, cudaMemcpyHostToDevice);
  countAbove<<<1, 1>>>(values, n, found);
  cudaMemcpy(&count, found, sizeof count, cudaMemcpyDeviceToHost);
  cudaMalloc(&picked, 4l * count);
  cudaFree(picked);
  cudaFree(found);
  cudaFree(values);
}

void shared(const float *in, int n) {
  float *picked;
  int *count;
  cudaMallocManaged(&count, sizeof(int));
  *count = 0;
  countAbove<<<1, 1>>>(in, n, count);
  cudaDeviceSynchronize();
  cudaMalloc(&picked, 4l * *count);
  cudaFree(picked);
  cudaFree(count);
}

void polled(const float *in, int n, cudaStream_t stream) {
  float *values, *more = nullptr;
  cudaMallocAsync(&values, 4l * n, stream);
  cudaMemcpyAsync(values, in, 4l * n, cudaMemcpyHostToDevice, stream);
  if (cudaStreamQuery(stream) == cudaErrorNotReady)
    cudaMallocAsync(&more, 8l * n, stream);
  cudaFreeAsync(more, stream);
  cudaFreeAsync(values, stream);
}
