// cuBLAS and cuFFT of the test device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They compute nothing. What they take of the device is invented: an answer that rests on it and says `exact` is wrong.

#include "device.h"
#include <cublas_v2.h>
#include <cufft.h>
#include <stdlib.h>

enum { HandleBytes = 1 << 20, WorkspaceBytes = 4 << 20 };
struct cublasContext {
  void *own;
};
cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  *handle = malloc(sizeof **handle);
  (*handle)->own = device_take(HandleBytes + WorkspaceBytes, DEVICE);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  device_give(handle->own);
  free(handle);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMatrix(int rows, int cols, int element, const void *a, int lda, void *b, int ldb) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetMatrix(int rows, int cols, int element, const void *a, int lda, void *b, int ldb) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k,
                              const float *alpha, const float *a, int lda, const float *b, int ldb, const float *beta,
                              float *c, int ldc) {
  return CUBLAS_STATUS_SUCCESS;
}

static struct plan {
  void *area;
  int used, own;
} plans[64];
cufftResult cufftCreate(cufftHandle *plan) {
  for (int i = 0; i < 64; ++i)
    if (!plans[i].used) {
      plans[i] = (struct plan){0, 1, 0};
      return *plan = i, CUFFT_SUCCESS;
    }
  return CUFFT_ALLOC_FAILED;
}
cufftResult cufftSetAutoAllocation(cufftHandle plan, int automatic) {
  return plans[plan].own = !automatic, CUFFT_SUCCESS;
}
cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *bytes) {
  *bytes = sizeof(cufftComplex) * (size_t)nx * ny * (nz + 1) + 4096;
  if (!plans[plan].own)
    plans[plan].area = device_take(*bytes, DEVICE);
  return CUFFT_SUCCESS;
}
cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type) {
  size_t bytes;
  cufftCreate(plan);
  return cufftMakePlan3d(*plan, nx, ny, nz, type, &bytes);
}
cufftResult cufftSetWorkArea(cufftHandle plan, void *area) { return CUFFT_SUCCESS; }
cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction) { return CUFFT_SUCCESS; }
cufftResult cufftDestroy(cufftHandle plan) {
  device_give(plans[plan].area);
  return plans[plan].used = 0, CUFFT_SUCCESS;
}
