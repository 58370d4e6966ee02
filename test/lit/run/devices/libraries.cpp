// cuBLAS, cuFFT and cuSOLVER.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A handle that the caller made is a tensor, whatever stands behind it: calls with it take nothing. What handles, plans
// and queries of workspaces take or say is the library's: a size from data, which can be given.
//
// RUN: %clangxx -O2 -fplugin=%plugin -fplugin-arg-memshape-operator='*' -I%S/../../../e2e/device/minimal -I%S/../../../e2e/device \
// RUN:   -c %s -o %t.o
// RUN: %predict --operator product --shape n=100 | %says "peak heap {{.*}} 0 bytes exact" "peak device {{.*}} 44,096 bytes exact"
// RUN: %predict --operator created --shape n=100 | %says "peak device {{.*}} {{at least|one run}}"
// RUN: %predict --operator transform --shape n=100 | %says "peak device {{.*}} {{at least|one run}}"
// RUN: %predict --operator area --shape n=100 | %says "peak device {{.*}} {{at least|one run}}"
// RUN: %predict --operator area --shape n=100 --assume k=1000 | FileCheck --check-prefix=GIVEN %s
// RUN: not %predict --operator hidden --shape n=100 2>&1 | %says "its type 'settings' is declared only"
//
// GIVEN: peak device 0 B 0 bytes at least, and what plan says: --assume plan=N

#include "cuda_names.h"

extern "C" {
typedef struct cublasContext *cublasHandle_t;
typedef int cufftHandle;
int cublasCreate_v2(cublasHandle_t *handle);
int cublasDestroy_v2(cublasHandle_t handle);
int cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes);
int cublasSgemm_v2(cublasHandle_t handle, int opA, int opB, int m, int n, int k, const float *alpha, const float *a,
                   int lda, const float *b, int ldb, const float *beta, float *c, int ldc);
int cufftCreate(cufftHandle *plan);
int cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, int type);
int cufftSetAutoAllocation(cufftHandle plan, int automatic);
int cufftMakePlan1d(cufftHandle plan, int nx, int type, int batch, size_t *bytes);
int cufftSetWorkArea(cufftHandle plan, void *area);
int cufftExecC2C(cufftHandle plan, void *in, void *out, int direction);
int cufftDestroy(cufftHandle plan);
}

void product(cublasHandle_t handle, float *values, int n) {
  const float one = 1, zero = 0;
  void *workspace, *c;
  cudaMalloc(&workspace, 4096);
  cudaMalloc(&c, 4l * n * n);
  if (cublasSetWorkspace_v2(handle, workspace, 4096) != 0)
    return;
  cublasSgemm_v2(handle, 0, 0, n, n, n, &one, values, n, values, n, &zero, (float *)c, n);
  cudaFree(c);
  cudaFree(workspace);
}

void created(float *values, int n) {
  const float one = 1, zero = 0;
  cublasHandle_t handle;
  void *c;
  cudaMalloc(&c, 40l * n);
  cublasCreate_v2(&handle);
  cublasSgemm_v2(handle, 0, 0, n, 10, n, &one, values, n, values, n, &zero, (float *)c, n);
  cublasDestroy_v2(handle);
  cudaFree(c);
}

void transform(float *values, int n) {
  cufftHandle forward, back;
  void *copy;
  cudaMalloc(&copy, 8l * n);
  cufftPlan3d(&forward, n, 1, 1, 41);
  cufftPlan3d(&back, n, 1, 1, 41);
  cufftExecC2C(forward, copy, copy, -1);
  cufftExecC2C(back, copy, copy, 1);
  cufftDestroy(back);
  cufftDestroy(forward);
  cudaFree(copy);
}

void area(float *values, int n) {
  cufftHandle plan;
  size_t bytes = 0;
  void *copy, *own;
  cudaMalloc(&copy, 8l * n);
  cufftCreate(&plan);
  cufftSetAutoAllocation(plan, 0);
  cufftMakePlan1d(plan, n, 41, 1, &bytes);
  cudaMalloc(&own, bytes);
  cufftSetWorkArea(plan, own);
  cufftExecC2C(plan, copy, copy, -1);
  cufftDestroy(plan);
  cudaFree(own);
  cudaFree(copy);
}

struct settings;
void hidden(const settings *given, int n) {}
