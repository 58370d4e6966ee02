// Several buffers, filled while others are worked on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_runtime.h>
#include <memory>
#include <vector>

__global__ void fold(float *values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = values[i] * values[i] + 1;
}

namespace {
struct DeviceBuffer {
  float *values = nullptr;
  cudaStream_t stream = nullptr;
  explicit DeviceBuffer(size_t n) {
    cudaMalloc(&values, sizeof(float) * n);
    cudaStreamCreate(&stream);
  }
  DeviceBuffer(const DeviceBuffer &) = delete;
  ~DeviceBuffer() {
    cudaStreamDestroy(stream);
    cudaFree(values);
  }
};
} // namespace

//@ n=1000, chunk=100, buffers=2 | n=100003, chunk=4096, buffers=3
extern "C" void pipeline(const float *in, int n, int chunk, int buffers, float *out) {
  std::vector<std::unique_ptr<DeviceBuffer>> ring;
  for (int i = 0; i < buffers; ++i)
    ring.push_back(std::make_unique<DeviceBuffer>(chunk));
  for (int begin = 0, turn = 0; begin < n; begin += chunk, ++turn) {
    DeviceBuffer &now = *ring[turn % buffers];
    const int part = n - begin < chunk ? n - begin : chunk;
    cudaStreamSynchronize(now.stream);
    cudaMemcpyAsync(now.values, in + begin, sizeof(float) * part, cudaMemcpyHostToDevice, now.stream);
    fold<<<(part + 255) / 256, 256, 0, now.stream>>>(now.values, part);
    cudaMemcpyAsync(out + begin, now.values, sizeof(float) * part, cudaMemcpyDeviceToHost, now.stream);
  }
  cudaDeviceSynchronize();
}
