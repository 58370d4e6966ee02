// Rows that the device pads, and a 3-D array.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_runtime.h>

__global__ void blur(const char *in, size_t inPitch, char *out, size_t outPitch, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x && x < w && y < h)
    ((float *)(out + y * outPitch))[x] = (((float *)(in + y * inPitch))[x - 1] + ((float *)(in + y * inPitch))[x]) / 2;
}

//@ w=100, h=30 | w=1921, h=1080
extern "C" void pitched(const float *in, int w, int h, float *out) {
  char *from, *to;
  size_t fromPitch, toPitch;
  cudaMallocPitch((void **)&from, &fromPitch, sizeof(float) * w, h);
  cudaMallocPitch((void **)&to, &toPitch, sizeof(float) * w, h);
  cudaMemcpy2D(from, fromPitch, in, sizeof(float) * w, sizeof(float) * w, h, cudaMemcpyHostToDevice);
  blur<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(from, fromPitch, to, toPitch, w, h);
  cudaMemcpy2D(out, sizeof(float) * w, to, toPitch, sizeof(float) * w, h, cudaMemcpyDeviceToHost);
  cudaFree(to);
  cudaFree(from);
}

//@ w=10, h=20, d=30 | w=101, h=200, d=37
extern "C" void pitched_3d(const float *in, int w, int h, int d, float *out) {
  cudaPitchedPtr cube;
  cudaMalloc3D(&cube, make_cudaExtent(sizeof(float) * w, h, d));
  cudaMemset2D(cube.ptr, cube.pitch, 0, sizeof(float) * w, (size_t)h * d);
  cudaMemcpy2D(cube.ptr, cube.pitch, in, sizeof(float) * w, sizeof(float) * w, (size_t)h * d, cudaMemcpyHostToDevice);
  cudaFree(cube.ptr);
}

//@ w=100, h=30 | w=1921, h=1080
extern "C" void array(const float *in, int w, int h, float *out) {
  cudaArray_t texels;
  const cudaChannelFormatDesc kind = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  cudaMallocArray(&texels, &kind, w, h);
  cudaMemcpy2DToArray(texels, 0, 0, in, sizeof(float) * w, sizeof(float) * w, h, cudaMemcpyHostToDevice);
  cudaFreeArray(texels);
}
