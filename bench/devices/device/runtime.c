// The runtime of the test device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libcudart.so without a device. Its declarations are the toolkit's. Memory is the host's, copies copy, and kernels do
// nothing: what comes back from them is zeros. The device is an H100 unless DEVICE_SM, DEVICE_CC, DEVICE_PTX,
// DEVICE_PITCH and DEVICE_OCCUPANCY say otherwise.

#include "device.h"
#include <cuda_runtime_api.h>
#include <string.h>

static cudaError_t take(void **block, size_t bytes, enum device_space space) {
  *block = bytes ? device_take(bytes, space) : 0;
  return *block || !bytes ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaMalloc(void **block, size_t bytes) { return take(block, bytes, DEVICE); }
cudaError_t cudaMallocAsync(void **block, size_t bytes, cudaStream_t stream) { return take(block, bytes, DEVICE); }
cudaError_t cudaMallocFromPoolAsync(void **block, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return take(block, bytes, DEVICE);
}
cudaError_t cudaMallocManaged(void **block, size_t bytes, unsigned flags) { return take(block, bytes, MANAGED); }
cudaError_t cudaMallocHost(void **block, size_t bytes) { return take(block, bytes, PINNED); }
cudaError_t cudaHostAlloc(void **block, size_t bytes, unsigned flags) { return take(block, bytes, PINNED); }
cudaError_t cudaMallocPitch(void **block, size_t *pitch, size_t width, size_t height) {
  const size_t unit = device_property("DEVICE_PITCH", 512);
  *pitch = (width + unit - 1) / unit * unit;
  return take(block, *pitch * height, DEVICE);
}
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *made, struct cudaExtent extent) {
  made->xsize = extent.width;
  made->ysize = extent.height;
  return cudaMallocPitch(&made->ptr, &made->pitch, extent.width, extent.height * extent.depth);
}
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *kind, size_t width, size_t height,
                            unsigned flags) {
  const size_t element = (size_t)(kind->x + kind->y + kind->z + kind->w) / 8;
  return take((void **)array, element * width * (height ? height : 1), DEVICE);
}
static cudaError_t give(void *block) { return device_give(block), cudaSuccess; }
cudaError_t cudaFree(void *block) { return give(block); }
cudaError_t cudaFreeAsync(void *block, cudaStream_t stream) { return give(block); }
cudaError_t cudaFreeHost(void *block) { return give(block); }
cudaError_t cudaFreeArray(cudaArray_t array) { return give(array); }

static cudaError_t copied(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height) {
  for (size_t row = 0; row < height; ++row)
    memmove((char *)to + row * toPitch, (const char *)from + row * fromPitch, width);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  return memmove(to, from, bytes), cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return memmove(to, from, bytes), cudaSuccess;
}
cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) {
  return copied(to, toPitch, from, fromPitch, width, height);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t fromPitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind) {
  return copied(to, width, from, fromPitch, width, height);
}
cudaError_t cudaMemset(void *to, int byte, size_t bytes) { return memset(to, byte, bytes), cudaSuccess; }
cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream) {
  return memset(to, byte, bytes), cudaSuccess;
}
cudaError_t cudaMemset2D(void *to, size_t pitch, int byte, size_t width, size_t height) {
  for (size_t row = 0; row < height; ++row)
    memset((char *)to + row * pitch, byte, width);
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) { return *stream = 0, cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) { return *stream = 0, cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) { return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t *event) { return *event = 0, cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) { return *event = 0, cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) { return *pool = 0, cudaSuccess; }
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
  return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) { return cudaSuccess; }
cudaError_t cudaGetLastError(void) { return cudaSuccess; }
cudaError_t cudaPeekAtLastError(void) { return cudaSuccess; }
const char *cudaGetErrorString(cudaError_t status) { return "no error"; }
const char *cudaGetErrorName(cudaError_t status) { return "cudaSuccess"; }

cudaError_t cudaGetDevice(int *device) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return cudaSuccess; }
cudaError_t cudaGetDeviceCount(int *count) { return *count = 1, cudaSuccess; }
cudaError_t cudaMemGetInfo(size_t *free, size_t *total) { return *free = *total = (size_t)80 << 30, cudaSuccess; }
struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f) {
  return (struct cudaChannelFormatDesc){x, y, z, w, f};
}
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
  const int capability = (int)device_property("DEVICE_CC", 90);
  switch (attribute) {
  case cudaDevAttrMultiProcessorCount:
    *value = (int)device_property("DEVICE_SM", 132);
    break;
  case cudaDevAttrComputeCapabilityMajor:
    *value = capability / 10;
    break;
  case cudaDevAttrComputeCapabilityMinor:
    *value = capability % 10;
    break;
  case cudaDevAttrMaxGridDimX:
    *value = 2147483647;
    break;
  case cudaDevAttrMaxSharedMemoryPerBlock:
    *value = 49152;
    break;
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    *value = 232448;
    break;
  default:
    *value = 1;
  }
  return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel) {
  memset(attributes, 0, sizeof *attributes);
  attributes->ptxVersion = (int)device_property("DEVICE_PTX", 80);
  attributes->binaryVersion = attributes->ptxVersion;
  attributes->maxThreadsPerBlock = 1024;
  return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel, int threads,
                                                                   size_t shared, unsigned flags) {
  return *blocks = (int)device_property("DEVICE_OCCUPANCY", 4), cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int threads, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, kernel, threads, shared, 0);
}

// What compilers call around launches. A dimension is 12 bytes.
struct extents {
  unsigned x, y, z;
};
unsigned __cudaPushCallConfiguration(struct extents grid, struct extents block, size_t shared, void *stream) {
  return 0;
}
cudaError_t __cudaPopCallConfiguration(struct extents *grid, struct extents *block, size_t *shared, void *stream) {
  *grid = *block = (struct extents){1, 1, 1};
  *shared = 0;
  *(void **)stream = 0;
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void *kernel, struct dim3 grid, struct dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream) {
  return cudaSuccess;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *how, const void *kernel, void **arguments) {
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(void *kernel, struct extents grid, struct extents block, void **arguments, size_t shared,
                               cudaStream_t stream) {
  return cudaSuccess;
}
cudaError_t __cudaGetKernel(void **kernel, const void *function) { return *kernel = (void *)function, cudaSuccess; }
void **__cudaRegisterFatBinary(void *binary) {
  static void *Handle;
  return &Handle;
}
void __cudaRegisterFatBinaryEnd(void **handle) {}
void __cudaUnregisterFatBinary(void **handle) {}
void __cudaRegisterFunction(void **handle, const char *function, char *name, const char *deviceName, int limit,
                            void *thread, void *block, void *blockExtent, void *gridExtent, int *warp) {}
void __cudaRegisterVar(void **handle, char *variable, char *address, const char *name, int external, size_t bytes,
                       int constant, int global) {}
