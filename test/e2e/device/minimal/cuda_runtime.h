// As much of CUDA as the operators here use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For clang -x cuda -nocudainc: a launch needs the names that the compiler itself knows. With a toolkit its own header
// of this name is found instead.

#pragma once

#include <stdlib.h> // which the compiler's own <new> for CUDA takes for granted

#include "../cuda_names.h"
#include "../launch_names.h"

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
struct uint3 {
  unsigned x, y, z;
};
extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;

extern "C" {
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream);
}

template <class T> cudaError_t cudaMalloc(T **block, size_t bytes) { return cudaMalloc((void **)block, bytes); }
template <class T> cudaError_t cudaMallocHost(T **block, size_t bytes) { return cudaMallocHost((void **)block, bytes); }
template <class T> cudaError_t cudaMallocAsync(T **block, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync((void **)block, bytes, stream);
}
template <class T> cudaError_t cudaMallocManaged(T **block, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  return cudaMallocManaged((void **)block, bytes, flags);
}
template <class T> cudaError_t cudaMallocPitch(T **block, size_t *pitch, size_t width, size_t height) {
  return cudaMallocPitch((void **)block, pitch, width, height);
}
