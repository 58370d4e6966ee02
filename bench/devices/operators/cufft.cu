// 3-D transforms, whose work areas cuFFT decides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_runtime.h>
#include <cufft.h>

//@ nx=16, ny=20, nz=24 | nx=101, ny=64, nz=200
extern "C" void cufft_3d(const float *in, int nx, int ny, int nz, float *out) {
  const size_t bytes = sizeof(cufftComplex) * nx * ny * nz;
  cufftComplex *values;
  cufftHandle plan;
  cudaMalloc(&values, bytes);
  cudaMemcpy(values, in, bytes, cudaMemcpyHostToDevice);
  cufftPlan3d(&plan, nx, ny, nz, CUFFT_C2C);
  cufftExecC2C(plan, values, values, CUFFT_FORWARD);
  cudaMemcpy(out, values, bytes, cudaMemcpyDeviceToHost);
  cufftDestroy(plan);
  cudaFree(values);
}

//@ nx=16, ny=20, nz=24 | nx=101, ny=64, nz=200
extern "C" void cufft_own_area(const float *in, int nx, int ny, int nz, float *out) {
  const size_t bytes = sizeof(cufftComplex) * nx * ny * nz;
  size_t areaBytes = 0;
  void *area;
  cufftComplex *values;
  cufftHandle plan;
  cudaMalloc(&values, bytes);
  cudaMemcpy(values, in, bytes, cudaMemcpyHostToDevice);
  cufftCreate(&plan);
  cufftSetAutoAllocation(plan, 0);
  cufftMakePlan3d(plan, nx, ny, nz, CUFFT_C2C, &areaBytes);
  cudaMalloc(&area, areaBytes);
  cufftSetWorkArea(plan, area);
  cufftExecC2C(plan, values, values, CUFFT_INVERSE);
  cudaMemcpy(out, values, bytes, cudaMemcpyDeviceToHost);
  cufftDestroy(plan);
  cudaFree(area);
  cudaFree(values);
}
