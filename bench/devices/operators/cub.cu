// Temporary storage that CUB is asked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cub/cub.cuh>
#include <cuda_runtime.h>

//@ n=1000 | n=2000003
extern "C" void cub_sort(const unsigned *in, int n, unsigned *out) {
  unsigned *from, *to;
  void *storage = nullptr;
  size_t bytes = 0;
  cudaMalloc(&from, sizeof(unsigned) * n);
  cudaMalloc(&to, sizeof(unsigned) * n);
  cudaMemcpy(from, in, sizeof(unsigned) * n, cudaMemcpyHostToDevice);
  cub::DeviceRadixSort::SortKeys(storage, bytes, from, to, n);
  cudaMalloc(&storage, bytes);
  cub::DeviceRadixSort::SortKeys(storage, bytes, from, to, n);
  cudaMemcpy(out, to, sizeof(unsigned) * n, cudaMemcpyDeviceToHost);
  cudaFree(storage);
  cudaFree(to);
  cudaFree(from);
}
