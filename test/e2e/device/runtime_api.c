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
  TAKES(cudaMalloc(&a, 1000 * (size_t)n), DEVICE, 1000 * (size_t)n);
  SITE_IN(MEMSHAPE_SPACE_PINNED);
  TAKES(cudaMallocHost(&b, 500), PINNED, 500);
  TAKES(cudaHostAlloc(&c, 300, cudaHostAllocDefault), PINNED, 300);
  TAKES(cudaMallocManaged(&d, 7000, cudaMemAttachGlobal), MANAGED, 7000);
  TAKES(cudaMallocPitch(&e, &pitch, 100, 30), DEVICE, pitch * 30);
  GIVES(cudaFree(e), DEVICE, pitch * 30);
  struct cudaExtent extent = {100, 20, 5};
  struct cudaPitchedPtr box;
  TAKES(cudaMalloc3D(&box, extent), DEVICE, box.pitch * 20 * 5);
  TAKES(cudaMallocAsync(&f, 4096, 0), DEVICE, 4096);
  cudaMemPool_t pool;
  MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
  TAKES(cudaMallocFromPoolAsync(&g, 8192, pool, 0), DEVICE, 8192);
  GIVES(cudaFreeAsync(f, 0), DEVICE, 4096);
  GIVES(cudaFreeAsync(g, 0), DEVICE, 8192);
  GIVES(cudaFree(box.ptr), DEVICE, box.pitch * 20 * 5);
  MUST(cudaFree(NULL));

  struct cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  struct cudaChannelFormatDesc quads = {32, 32, 32, 32, cudaChannelFormatKindFloat};
  cudaArray_t flat, deep, layers;
  cudaMipmappedArray_t levels;
  struct cudaExtent cube = {64, 32, 16}, sheets = {64, 32, 3}, pyramid = {64, 32, 0};
  TAKES(cudaMallocArray(&flat, &floats, 640, 480, 0), DEVICE, 4 * 640 * 480);
  TAKES(cudaMalloc3DArray(&deep, &quads, cube, 0), DEVICE, 16 * 64 * 32 * 16);
  TAKES(cudaMalloc3DArray(&layers, &floats, sheets, cudaArrayLayered), DEVICE, 4 * 64 * 32 * 3);
  TAKES(cudaMallocMipmappedArray(&levels, &floats, pyramid, 3, 0), DEVICE, 4 * (64 * 32 + 32 * 16 + 16 * 8));
  GIVES(cudaFreeArray(flat), DEVICE, 4 * 640 * 480);
  GIVES(cudaFreeArray(deep), DEVICE, 16 * 64 * 32 * 16);
  GIVES(cudaFreeArray(layers), DEVICE, 4 * 64 * 32 * 3);
  GIVES(cudaFreeMipmappedArray(levels), DEVICE, 4 * (64 * 32 + 32 * 16 + 16 * 8));

  void *none = NULL;
  if (cudaMalloc(&none, (size_t)1 << 60) == cudaSuccess) /* fails, counts nothing */
    exit(4);
  GIVES(cudaFreeHost(b), PINNED, 500);
  GIVES(cudaFreeHost(c), PINNED, 300);
  GIVES(cudaFree(d), MANAGED, 7000);
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
    TAKES(cudaMalloc(&forgotten, 5000), DEVICE, 5000);
    GIVES(cudaDeviceReset(), DEVICE, 5000);
    TAKES(cudaMalloc(&forgotten, 300), DEVICE, 300);
    LEAVE;
  } else {
    work(3);
  }
  MUST(cudaDeviceSynchronize());
  printTruth();
  return 0;
}
