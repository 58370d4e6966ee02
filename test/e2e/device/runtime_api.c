/* Every way to get memory from the CUDA runtime.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "../run/programs/instrumented.h"
#include "cuda_names.h"
#include "truth.h"

static void work(int64_t n) {
  ENTER("work", n);
  void *a, *b, *c, *d, *e, *f, *g;
  size_t pitch;
  SITE_IN(MEMSHAPE_SPACE_DEVICE);
  MUST(cudaMalloc(&a, 1000 * (size_t)n));
  came(DEVICE, 1000 * (size_t)n);
  SITE_IN(MEMSHAPE_SPACE_PINNED);
  MUST(cudaMallocHost(&b, 500));
  came(PINNED, 500);
  MUST(cudaHostAlloc(&c, 300, cudaHostAllocDefault));
  came(PINNED, 300);
  MUST(cudaMallocManaged(&d, 7000, cudaMemAttachGlobal));
  came(MANAGED, 7000);
  MUST(cudaMallocPitch(&e, &pitch, 100, 30));
  came(DEVICE, pitch * 30);
  MUST(cudaFree(e));
  gone(DEVICE, pitch * 30);
  struct cudaExtent extent = {100, 20, 5};
  struct cudaPitchedPtr box;
  MUST(cudaMalloc3D(&box, extent));
  came(DEVICE, box.pitch * 20 * 5);
  MUST(cudaMallocAsync(&f, 4096, 0));
  came(DEVICE, 4096);
  cudaMemPool_t pool;
  MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
  MUST(cudaMallocFromPoolAsync(&g, 8192, pool, 0));
  came(DEVICE, 8192);
  MUST(cudaFreeAsync(f, 0));
  gone(DEVICE, 4096);
  MUST(cudaFreeAsync(g, 0));
  gone(DEVICE, 8192);
  MUST(cudaFree(box.ptr));
  gone(DEVICE, box.pitch * 20 * 5);
  MUST(cudaFree(NULL));

  struct cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  struct cudaChannelFormatDesc quads = {32, 32, 32, 32, cudaChannelFormatKindFloat};
  cudaArray_t flat, deep, layers;
  cudaMipmappedArray_t levels;
  struct cudaExtent cube = {64, 32, 16}, sheets = {64, 32, 3}, pyramid = {64, 32, 0};
  MUST(cudaMallocArray(&flat, &floats, 640, 480, 0));
  came(DEVICE, 4 * 640 * 480);
  MUST(cudaMalloc3DArray(&deep, &quads, cube, 0));
  came(DEVICE, 16 * 64 * 32 * 16);
  MUST(cudaMalloc3DArray(&layers, &floats, sheets, cudaArrayLayered));
  came(DEVICE, 4 * 64 * 32 * 3);
  MUST(cudaMallocMipmappedArray(&levels, &floats, pyramid, 3, 0));
  came(DEVICE, 4 * (64 * 32 + 32 * 16 + 16 * 8));
  MUST(cudaFreeArray(flat));
  gone(DEVICE, 4 * 640 * 480);
  MUST(cudaFreeArray(deep));
  gone(DEVICE, 16 * 64 * 32 * 16);
  MUST(cudaFreeArray(layers));
  gone(DEVICE, 4 * 64 * 32 * 3);
  MUST(cudaFreeMipmappedArray(levels));
  gone(DEVICE, 4 * (64 * 32 + 32 * 16 + 16 * 8));

  void *none = NULL;
  if (cudaMalloc(&none, (size_t)1 << 60) == cudaSuccess) /* fails, counts nothing */
    exit(4);
  MUST(cudaFreeHost(b));
  gone(PINNED, 500);
  MUST(cudaFreeHost(c));
  gone(PINNED, 300);
  MUST(cudaFree(d));
  gone(MANAGED, 7000);
  /* a is the output */
  LEAVE;
}

int main(int count, char **words) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    puts("no device");
    return 77;
  }
  if (count > 1) { /* a block that ends with its context */
    void *forgotten;
    ENTER("work", 1);
    MUST(cudaMalloc(&forgotten, 5000));
    came(DEVICE, 5000);
    MUST(cudaDeviceReset());
    gone(DEVICE, 5000);
    MUST(cudaMalloc(&forgotten, 300));
    came(DEVICE, 300);
    LEAVE;
  } else {
    work(3);
  }
  MUST(cudaDeviceSynchronize());
  printTruth();
  return 0;
}
