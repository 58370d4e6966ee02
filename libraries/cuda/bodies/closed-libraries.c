// Handles and plans of CUDA's libraries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What they take of the host and of the device is theirs to decide: sizes from data, until the handle or the plan is
// destroyed. A plan of cuFFT is a number. Its memory is in a table: a block of the host, the work area, and whether the
// caller provides that one (cufftSetAutoAllocation).

#include "bodies.h"

int cudaMalloc(void *place, size_t bytes);
int cudaFree(void *);
void memshape_gpu_other(void *place);

typedef struct {
  void *block, *area;
  int manual;
} Plan;
static Plan memshape_cufft_plans[64];

static size_t area(void) {
  size_t bytes;
  memshape_gpu_other(&bytes);
  return bytes;
}

static Plan *planOf(int number) { return &memshape_cufft_plans[number & 63]; }

#define HANDLES(CREATE, DESTROY)                                                                                       \
  int CREATE(void **handle) {                                                                                          \
    *handle = malloc(area() + 8);                                                                                      \
    return cudaMalloc(*handle, area());                                                                                \
  }                                                                                                                    \
  int DESTROY(void **handle) {                                                                                         \
    cudaFree(*handle);                                                                                                 \
    free(handle);                                                                                                      \
    return 0;                                                                                                          \
  }
HANDLES(cublasCreate_v2, cublasDestroy_v2)
HANDLES(cusolverDnCreate, cusolverDnDestroy)
HANDLES(cusparseCreate, cusparseDestroy)

int cufftCreate(int *plan) {
  int64_t slot = 0;
  while (slot < 63 && memshape_cufft_plans[slot].block)
    ++slot;
  memshape_cufft_plans[slot] = (Plan){malloc(area() + 1), 0, 0};
  *plan = (int)slot;
  return 0;
}

int cufftSetAutoAllocation(int plan, int automatic) {
  planOf(plan)->manual = !automatic;
  return 0;
}

static int make(int plan, size_t *bytes) {
  *bytes = area();
  if (!planOf(plan)->manual)
    cudaMalloc(&planOf(plan)->area, *bytes);
  return 0;
}

static int createAndMake(int *plan) {
  size_t bytes;
  cufftCreate(plan);
  return make(*plan, &bytes);
}

int cufftDestroy(int plan) {
  cudaFree(planOf(plan)->area);
  free(planOf(plan)->block);
  planOf(plan)->block = 0;
  return 0;
}

#define ONE int nx, int type, int batch
#define TWO int nx, int ny, int type
#define THREE int nx, int ny, int nz, int type
#define MANY                                                                                                           \
  int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist, int type, int batch
int cufftPlan1d(int *plan, ONE) { return createAndMake(plan); }
int cufftPlan2d(int *plan, TWO) { return createAndMake(plan); }
int cufftPlan3d(int *plan, THREE) { return createAndMake(plan); }
int cufftPlanMany(int *plan, MANY) { return createAndMake(plan); }
int cufftMakePlan1d(int plan, ONE, size_t *bytes) { return make(plan, bytes); }
int cufftMakePlan2d(int plan, TWO, size_t *bytes) { return make(plan, bytes); }
int cufftMakePlan3d(int plan, THREE, size_t *bytes) { return make(plan, bytes); }
int cufftMakePlanMany(int plan, MANY, size_t *bytes) { return make(plan, bytes); }
