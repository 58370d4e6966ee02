// Pinned memory between pageable memory and the device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstring>
#include <cuda_runtime.h>

__global__ void negate(float *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = -values[i];
}

//@ n=1000, rows=7 | n=60000, rows=33
extern "C" void staging(const float *in, int n, int rows, float *out) {
  float *staged[2], *values;
  cudaMallocHost(&staged[0], sizeof(float) * n);
  cudaHostAlloc(&staged[1], sizeof(float) * n, cudaHostAllocWriteCombined);
  cudaMalloc(&values, sizeof(float) * n);
  for (int row = 0; row < rows; ++row) {
    float *now = staged[row % 2];
    std::memcpy(now, in + (size_t)row * n, sizeof(float) * n);
    cudaMemcpy(values, now, sizeof(float) * n, cudaMemcpyHostToDevice);
    negate<<<(n + 255) / 256, 256>>>(values, n);
    cudaMemcpy(now, values, sizeof(float) * n, cudaMemcpyDeviceToHost);
    std::memcpy(out + (size_t)row * n, now, sizeof(float) * n);
  }
  cudaFree(values);
  cudaFreeHost(staged[1]);
  cudaFreeHost(staged[0]);
}
