// Calls that are checked, and what is freed when one fails.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <stdexcept>

#define CHECK(call)                                                                                                    \
  do {                                                                                                                 \
    const cudaError_t status = (call);                                                                                 \
    if (status != cudaSuccess) {                                                                                       \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));                             \
      throw std::runtime_error(cudaGetErrorString(status));                                                            \
    }                                                                                                                  \
  } while (0)

__global__ void clamp(float *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = values[i] < 0 ? 0 : values[i];
}

//@ n=1000 | n=700001
extern "C" int errors(const float *in, int n, float *out) {
  float *values = nullptr, *copy = nullptr, *pinned = nullptr;
  int status = 1;
  CHECK(cudaMalloc(&values, sizeof(float) * n));
  if (cudaMallocHost(&pinned, sizeof(float) * n) != cudaSuccess)
    goto done;
  if (cudaMalloc(&copy, 2 * sizeof(float) * n) != cudaSuccess)
    goto done;
  if (cudaMemcpy(values, in, sizeof(float) * n, cudaMemcpyHostToDevice) != cudaSuccess)
    goto done;
  clamp<<<(n + 255) / 256, 256>>>(values, n);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
    goto done;
  CHECK(cudaMemcpy(out, values, sizeof(float) * n, cudaMemcpyDeviceToHost));
  status = 0;
done:
  cudaFree(copy);
  cudaFreeHost(pinned);
  cudaFree(values);
  return status;
}

//@ n=1000 | n=700001
extern "C" int free_memory(const float *in, int n, float *out) {
  size_t free = 0, total = 0;
  float *values;
  cudaMemGetInfo(&free, &total);
  const size_t part = sizeof(float) * n < free / 2 ? sizeof(float) * n : free / 2;
  cudaMalloc(&values, part);
  cudaMemcpy(values, in, part, cudaMemcpyHostToDevice);
  cudaFree(values);
  return 0;
}
