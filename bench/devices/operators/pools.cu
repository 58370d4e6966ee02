// Memory in the order of a stream.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_runtime.h>

__global__ void add(const float *a, const float *b, float *sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sum[i] = a[i] + b[i];
}

//@ n=1000, steps=5 | n=300007, steps=40
extern "C" void pools(const float *in, int n, int steps, float *out) {
  cudaStream_t stream;
  cudaMemPool_t pool;
  cudaStreamCreate(&stream);
  cudaDeviceGetDefaultMemPool(&pool, 0);
  unsigned long long keep = 1ull << 30;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
  float *sum;
  cudaMallocAsync((void **)&sum, sizeof(float) * n, stream);
  cudaMemsetAsync(sum, 0, sizeof(float) * n, stream);
  for (int i = 1; i <= steps; ++i) {
    float *next, *part;
    cudaMallocFromPoolAsync((void **)&next, sizeof(float) * n, pool, stream);
    cudaMallocAsync((void **)&part, sizeof(float) * (n / i), stream);
    cudaMemcpyAsync(part, in, sizeof(float) * (n / i), cudaMemcpyHostToDevice, stream);
    add<<<(n / i + 255) / 256, 256, 0, stream>>>(sum, part, next, n / i);
    cudaFreeAsync(part, stream);
    cudaFreeAsync(sum, stream);
    sum = next;
  }
  cudaMemcpyAsync(out, sum, sizeof(float) * n, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(sum, stream);
  cudaStreamSynchronize(stream);
  cudaMemPoolTrimTo(pool, 0);
  cudaStreamDestroy(stream);
}
