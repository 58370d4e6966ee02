// A product, with a workspace of the operator's own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cublas_v2.h>
#include <cuda_runtime.h>

//@ m=30, n=40, k=50 | m=1001, n=300, k=77
extern "C" void cublas_product(cublasHandle_t handle, const float *a, const float *b, int m, int n, int k, float *c) {
  const size_t workspaceBytes = 32ul << 20;
  const float one = 1, zero = 0;
  void *workspace;
  float *da, *db, *dc;
  cudaMalloc(&workspace, workspaceBytes);
  cublasSetWorkspace(handle, workspace, workspaceBytes);
  cudaMalloc(&da, sizeof(float) * m * k);
  cudaMalloc(&db, sizeof(float) * k * n);
  cudaMalloc(&dc, sizeof(float) * m * n);
  cublasSetMatrix(m, k, sizeof(float), a, m, da, m);
  cublasSetMatrix(k, n, sizeof(float), b, k, db, k);
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, da, m, db, k, &zero, dc, m);
  cublasGetMatrix(m, n, sizeof(float), dc, m, c, m);
  cudaFree(dc);
  cudaFree(db);
  cudaFree(da);
  cudaFree(workspace);
}

//@ m=30, n=40, k=50 | m=1001, n=300, k=77
extern "C" void cublas_create(const float *a, const float *b, int m, int n, int k, float *c) {
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
    return;
  cublas_product(handle, a, b, m, n, k, c);
  cublasDestroy(handle);
}
