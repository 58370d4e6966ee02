// Memory that moves between host and device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_runtime.h>

__global__ void histogram(const int *keys, int n, int *counts, int bins) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&counts[(unsigned)keys[i] % bins], 1);
}

//@ n=1000, bins=16 | n=500009, bins=4096
extern "C" void managed(const int *in, int n, int bins, int *out) {
  int *keys, *counts;
  cudaMallocManaged(&keys, sizeof(int) * n);
  cudaMallocManaged(&counts, sizeof(int) * bins);
  for (int i = 0; i < n; ++i)
    keys[i] = in[i];
  for (int i = 0; i < bins; ++i)
    counts[i] = 0;
  histogram<<<64, 256>>>(keys, n, counts, bins);
  cudaDeviceSynchronize();
  for (int i = 0; i < bins; ++i)
    out[i] = counts[i];
  cudaFree(counts);
  cudaFree(keys);
}
