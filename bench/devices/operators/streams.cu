// Two streams that take turns, and events.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_runtime.h>
#include <vector>

__global__ void square(float *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] *= values[i];
}

//@ n=1000, parts=3 | n=200001, parts=16
extern "C" void streams(const float *in, int n, int parts, float *out) {
  std::vector<cudaStream_t> stream(parts);
  std::vector<float *> part(parts);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreateWithFlags(&end, cudaEventDisableTiming);
  for (int i = 0; i < parts; ++i) {
    cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
    cudaMalloc(&part[i], sizeof(float) * n);
  }
  cudaEventRecord(begin, stream[0]);
  for (int i = 0; i < parts; ++i) {
    cudaStreamWaitEvent(stream[i], begin, 0);
    cudaMemcpyAsync(part[i], in, sizeof(float) * n, cudaMemcpyHostToDevice, stream[i]);
    square<<<(n + 127) / 128, 128, 0, stream[i]>>>(part[i], n);
    cudaMemcpyAsync(out, part[i], sizeof(float) * n, cudaMemcpyDeviceToHost, stream[i]);
  }
  cudaEventRecord(end, stream[parts - 1]);
  cudaEventSynchronize(end);
  for (int i = 0; i < parts; ++i) {
    cudaStreamSynchronize(stream[i]);
    cudaFree(part[i]);
    cudaStreamDestroy(stream[i]);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
}
