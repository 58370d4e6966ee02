/* A libcudart.so above the stand-in driver.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   It reaches the driver as the real one does: dlopen, dlsym of cuGetProcAddress, and every function from there. It also
   uses the heap, as the real one does. */

#include "../cuda_names.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { NoDriver = 35, Version = 12000, PerThreadStream = 2 };

/* Opened as if the build said RTLD_LOCAL everywhere: nobody finds the driver by accident. */
static void *driver(const char *name, uint64_t flags) {
  static int (*Find)(const char *, void **, int, uint64_t, int *);
  void *function = NULL;
  int outcome = 0;
  if (!Find) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    *(void **)&Find = library ? dlsym(library, "cuGetProcAddress_v2") : NULL;
    if (Find && Find("cuDevicePrimaryCtxRetain", &function, Version, 0, &outcome) == 0) {
      int (*retain)(CUcontext *, CUdevice);
      CUcontext context;
      *(void **)&retain = function;
      retain(&context, 0);
    }
  }
  free(malloc(64));
  return Find && Find(name, &function, Version, flags, &outcome) == 0 ? function : NULL;
}

#define FORWARD(flags, driverName, parameters, arguments)                                                              \
  int(*function) parameters;                                                                                           \
  *(void **)&function = driver(driverName, flags);                                                                     \
  return function ? function arguments : NoDriver

cudaError_t cudaMalloc(void **block, size_t bytes) {
  FORWARD(0, "cuMemAlloc", (CUdeviceptr *, size_t), ((CUdeviceptr *)block, bytes));
}
cudaError_t cudaMallocManaged(void **block, size_t bytes, unsigned flags) {
  FORWARD(0, "cuMemAllocManaged", (CUdeviceptr *, size_t, unsigned), ((CUdeviceptr *)block, bytes, flags));
}
cudaError_t cudaHostAlloc(void **block, size_t bytes, unsigned flags) {
  FORWARD(0, "cuMemHostAlloc", (void **, size_t, unsigned), (block, bytes, flags));
}
cudaError_t cudaMallocHost(void **block, size_t bytes) { return cudaHostAlloc(block, bytes, 0); }
cudaError_t cudaMallocPitch(void **block, size_t *pitch, size_t width, size_t height) {
  FORWARD(0, "cuMemAllocPitch", (CUdeviceptr *, size_t *, size_t, size_t, unsigned),
          ((CUdeviceptr *)block, pitch, width, height, 4));
}
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *block, struct cudaExtent extent) {
  return cudaMallocPitch(&block->ptr, &block->pitch, extent.width, extent.height * extent.depth);
}
cudaError_t cudaMallocAsync(void **block, size_t bytes, cudaStream_t stream) {
  FORWARD(0, "cuMemAllocAsync", (CUdeviceptr *, size_t, CUstream), ((CUdeviceptr *)block, bytes, stream));
}
cudaError_t cudaMallocAsync_ptsz(void **block, size_t bytes, cudaStream_t stream) {
  FORWARD(PerThreadStream, "cuMemAllocAsync", (CUdeviceptr *, size_t, CUstream), ((CUdeviceptr *)block, bytes, stream));
}
cudaError_t cudaMallocFromPoolAsync(void **block, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  FORWARD(0, "cuMemAllocFromPoolAsync", (CUdeviceptr *, size_t, CUmemoryPool, CUstream),
          ((CUdeviceptr *)block, bytes, pool, stream));
}
cudaError_t cudaFreeAsync(void *block, cudaStream_t stream) {
  FORWARD(0, "cuMemFreeAsync", (CUdeviceptr, CUstream), ((CUdeviceptr)block, stream));
}
cudaError_t cudaFreeAsync_ptsz(void *block, cudaStream_t stream) {
  FORWARD(PerThreadStream, "cuMemFreeAsync", (CUdeviceptr, CUstream), ((CUdeviceptr)block, stream));
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  FORWARD(0, "cuDeviceGetDefaultMemPool", (CUmemoryPool *, CUdevice), (pool, device));
}
cudaError_t cudaFree(void *block) { FORWARD(0, "cuMemFree", (CUdeviceptr), ((CUdeviceptr)block)); }
cudaError_t cudaFreeHost(void *block) { FORWARD(0, "cuMemFreeHost", (void *), (block)); }

static CUDA_ARRAY3D_DESCRIPTOR formOf(const struct cudaChannelFormatDesc *channels, struct cudaExtent extent,
                                      unsigned flags) {
  unsigned count = (channels->x > 0) + (channels->y > 0) + (channels->z > 0) + (channels->w > 0);
  return (CUDA_ARRAY3D_DESCRIPTOR){extent.width, extent.height, extent.depth, CU_AD_FORMAT_FLOAT, count, flags};
}
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels,
                              struct cudaExtent extent, unsigned flags) {
  CUDA_ARRAY3D_DESCRIPTOR form = formOf(channels, extent, flags);
  FORWARD(0, "cuArray3DCreate", (CUarray *, const CUDA_ARRAY3D_DESCRIPTOR *), (array, &form));
}
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels, size_t width,
                            size_t height, unsigned flags) {
  return cudaMalloc3DArray(array, channels, (struct cudaExtent){width, height, 0}, flags);
}
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *channels,
                                     struct cudaExtent extent, unsigned levels, unsigned flags) {
  CUDA_ARRAY3D_DESCRIPTOR form = formOf(channels, extent, flags);
  FORWARD(0, "cuMipmappedArrayCreate", (CUmipmappedArray *, const CUDA_ARRAY3D_DESCRIPTOR *, unsigned),
          (array, &form, levels));
}
cudaError_t cudaFreeArray(cudaArray_t array) { FORWARD(0, "cuArrayDestroy", (CUarray), (array)); }
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  FORWARD(0, "cuMipmappedArrayDestroy", (CUmipmappedArray), (array));
}

cudaError_t cudaSetDevice(int device) { return 0; }
cudaError_t cudaDeviceReset(void) { FORWARD(0, "cuDevicePrimaryCtxReset", (CUdevice), (0)); }
cudaError_t cudaGetDeviceCount(int *count) { return *count = driver("cuInit", 0) != NULL, 0; }
cudaError_t cudaDeviceSynchronize(void) { return 0; }
