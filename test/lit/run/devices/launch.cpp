// A kernel and what it works on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's side of a unit of CUDA: launches, copies and streams allocate nothing, and are taken to succeed. Each
// memory space has a peak, bounds and a formula of its own.
//
// DEFINE: %{cuda} = -x cuda --cuda-host-only -nocudainc -nocudalib -Wno-unknown-cuda-version -I%S/../../../e2e/device/minimal
// RUN: %clangxx %{cuda} -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=scale -c %s -o %t.o
// RUN: %predict --shape n=1000,m=10 | FileCheck %s
// RUN: %predict --shape n=1000,m=10 --json | FileCheck --check-prefix=JSON %s
// RUN: %clangxx %{cuda} -O0 -fplugin=%plugin -fplugin-arg-memshape-operator=scale -c %s -o %t.o
// RUN: %predict --shape n=1000,m=10 | FileCheck %s
//
// CHECK: peak heap {{.*}} 40 bytes exact
// CHECK: peak device {{.*}} 4,080 bytes exact
// CHECK: left at return {{.*}} 80 bytes
// CHECK: peak pinned {{.*}} 8,000 bytes exact
// CHECK: formula 4*m
// CHECK: device 4*n + 8*m
// CHECK: pinned 8*n
// CHECK: 100.0 % {{.*}} 8*n
// CHECK-NOT: depends on data
//
// JSON: "spaces": {
// JSON: "host": {
// JSON-NEXT: "peak_bytes": 40,
// JSON: "device": {
// JSON-NEXT: "peak_bytes": 4080,
// JSON-NEXT: "lower_bytes": 4080,
// JSON-NEXT: "upper_bytes": 4080,
// JSON-NEXT: "exact": true,
// JSON: "output_bytes": 80,
// JSON-NEXT: "formula": "4*n + 8*m"
// JSON: "pinned": {
// JSON-NEXT: "peak_bytes": 8000,
// JSON: "sites": [
// JSON: "space": "pinned",
// JSON: "bytes_at_peak": 8000,
// JSON-NEXT: "formula": "8*n"

#include "cuda_runtime.h"

#include <stdexcept>
#include <vector>

__global__ void multiply(float *values, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] *= by;
}

static void must(cudaError_t status) {
  if (status != cudaSuccess)
    throw std::runtime_error(cudaGetErrorString(status));
}

double *scale(const float *in, int n, int m, float *out) {
  cudaStream_t stream;
  must(cudaStreamCreate(&stream));
  std::vector<int> marks(m);
  float *values;
  double *sums, *staged;
  must(cudaMallocHost(&staged, sizeof(double) * n));
  must(cudaMalloc(&sums, sizeof(double) * m));
  must(cudaMalloc(&values, sizeof(float) * n));
  must(cudaMemcpyAsync(values, in, sizeof(float) * n, cudaMemcpyHostToDevice, stream));
  multiply<<<(n + 255) / 256, 256, 0, stream>>>(values, n, 2);
  must(cudaGetLastError());
  must(cudaMemcpyAsync(out, values, sizeof(float) * n, cudaMemcpyDeviceToHost, stream));
  if (cudaStreamSynchronize(stream) != cudaSuccess) {
    cudaFree(values);
    return nullptr;
  }
  cudaFree(values);
  cudaFreeHost(staged);
  cudaStreamDestroy(stream);
  return sums;
}
