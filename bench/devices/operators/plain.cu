// A kernel between two copies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_runtime.h>

__global__ void scale(const float *in, float *out, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = by * in[i];
}

//@ n=1000 | n=1000003
extern "C" void plain(const float *in, int n, float *out) {
  float *from, *to;
  cudaMalloc(&from, sizeof(float) * n);
  cudaMalloc(&to, sizeof(float) * n);
  cudaMemcpy(from, in, sizeof(float) * n, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(from, to, n, 2);
  cudaMemcpy(out, to, sizeof(float) * n, cudaMemcpyDeviceToHost);
  cudaFree(to);
  cudaFree(from);
}
