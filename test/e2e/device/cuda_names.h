/* The part of CUDA that the tests call.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   With MEMSHAPE_TEST_REAL_CUDA the toolkit's own headers, else declarations that agree with them in what is used here. */

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef MEMSHAPE_TEST_REAL_CUDA
#include <cuda.h>
#include <cuda_runtime_api.h>
#else

#ifdef __cplusplus
extern "C" {
#endif

typedef int cudaError_t;
typedef void *cudaStream_t, *cudaMemPool_t, *cudaArray_t, *cudaMipmappedArray_t;
enum { cudaSuccess = 0, cudaMemAttachGlobal = 1, cudaHostAllocDefault = 0, cudaArrayLayered = 1 };
struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
};
struct cudaChannelFormatDesc {
  int x, y, z, w;
  int f;
};
enum { cudaChannelFormatKindFloat = 2 };

cudaError_t cudaMalloc(void **block, size_t bytes);
cudaError_t cudaMallocManaged(void **block, size_t bytes, unsigned flags);
cudaError_t cudaMallocHost(void **block, size_t bytes);
cudaError_t cudaHostAlloc(void **block, size_t bytes, unsigned flags);
cudaError_t cudaMallocPitch(void **block, size_t *pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *block, struct cudaExtent extent);
cudaError_t cudaMallocAsync(void **block, size_t bytes, cudaStream_t stream);
cudaError_t cudaMallocAsync_ptsz(void **block, size_t bytes, cudaStream_t stream);
cudaError_t cudaMallocFromPoolAsync(void **block, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *block, cudaStream_t stream);
cudaError_t cudaFreeAsync_ptsz(void *block, cudaStream_t stream);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels, size_t width,
                            size_t height, unsigned flags);
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels,
                              struct cudaExtent extent, unsigned flags);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *array, const struct cudaChannelFormatDesc *channels,
                                     struct cudaExtent extent, unsigned levels, unsigned flags);
cudaError_t cudaFree(void *block);
cudaError_t cudaFreeHost(void *block);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaDeviceSynchronize(void);

typedef int CUresult, CUdevice;
typedef unsigned long long CUdeviceptr, CUmemGenericAllocationHandle;
typedef void *CUcontext, *CUarray, *CUstream, *CUmemoryPool, *CUmipmappedArray;
enum { CUDA_SUCCESS = 0, CU_MEM_ATTACH_GLOBAL = 1, CU_AD_FORMAT_FLOAT = 0x20 };
typedef struct {
  size_t Width, Height;
  int Format;
  unsigned NumChannels;
} CUDA_ARRAY_DESCRIPTOR;
typedef struct {
  size_t Width, Height, Depth;
  int Format;
  unsigned NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;
enum { CU_MEM_ALLOCATION_TYPE_PINNED = 1, CU_MEM_LOCATION_TYPE_DEVICE = 1, CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0 };
typedef struct {
  int type, requestedHandleTypes;
  struct {
    int type, id;
  } location;
  void *win32HandleMetaData;
  unsigned char allocFlags[8];
} CUmemAllocationProp;

#define cuMemAlloc cuMemAlloc_v2
#define cuMemAllocPitch cuMemAllocPitch_v2
#define cuMemAllocHost cuMemAllocHost_v2
#define cuMemFree cuMemFree_v2
#define cuArrayCreate cuArrayCreate_v2
#define cuArray3DCreate cuArray3DCreate_v2
#define cuGetProcAddress cuGetProcAddress_v2
#define cuDevicePrimaryCtxReset cuDevicePrimaryCtxReset_v2

CUresult cuInit(unsigned flags);
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuDevicePrimaryCtxReset(CUdevice device);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext *context);
CUresult cuMemAlloc(CUdeviceptr *block, size_t bytes);
CUresult cuMemAllocPitch(CUdeviceptr *block, size_t *pitch, size_t width, size_t height, unsigned element);
CUresult cuMemAllocManaged(CUdeviceptr *block, size_t bytes, unsigned flags);
CUresult cuMemAllocHost(void **block, size_t bytes);
CUresult cuMemHostAlloc(void **block, size_t bytes, unsigned flags);
CUresult cuMemAllocAsync(CUdeviceptr *block, size_t bytes, CUstream stream);
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *block, size_t bytes, CUmemoryPool pool, CUstream stream);
CUresult cuMemFreeAsync(CUdeviceptr block, CUstream stream);
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device);
CUresult cuMemFree(CUdeviceptr block);
CUresult cuMemFreeHost(void *block);
CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *form);
CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *form);
CUresult cuArrayDestroy(CUarray array);
CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *kind, int option);
CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wish,
                             unsigned long long flags);
CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes);
CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *kind,
                     unsigned long long flags);
CUresult cuMemRelease(CUmemGenericAllocationHandle handle);
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address);
CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags);
CUresult cuMemUnmap(CUdeviceptr address, size_t bytes);
CUresult cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags, int *outcome);

#ifdef __cplusplus
}
#endif
#endif
