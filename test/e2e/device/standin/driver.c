/* A libcuda.so.1 without a device.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Addresses are numbers that nothing stands behind, taken in turn. What is freed must have been given. */

#define _GNU_SOURCE
#include "../cuda_names.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { Invalid = 1, NoMemory = 2, NotFound = 500, Pitch = 512, Most = 4096 };

static pthread_mutex_t Mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t Next = 0x700000000000, Live[Most];

static int give(uint64_t *name, size_t bytes) {
  int status = NoMemory;
  if (bytes == 0)
    return Invalid;
  pthread_mutex_lock(&Mutex);
  for (int i = 0; i < Most && bytes < (size_t)1 << 40 && status; ++i)
    if (!Live[i]) {
      *name = Live[i] = Next;
      Next += (bytes + 511) / 512 * 512;
      status = 0;
    }
  pthread_mutex_unlock(&Mutex);
  return status;
}

static int take(uint64_t name) {
  int status = Invalid;
  pthread_mutex_lock(&Mutex);
  for (int i = 0; i < Most && name && status; ++i)
    if (Live[i] == name) {
      Live[i] = 0;
      status = 0;
    }
  pthread_mutex_unlock(&Mutex);
  return name ? status : 0;
}

CUresult cuInit(unsigned flags) { return 0; }
CUresult cuDeviceGet(CUdevice *device, int ordinal) { return *device = ordinal, 0; }
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) { return *context = &Live, 0; }
CUresult cuDevicePrimaryCtxReset(CUdevice device) { return memset(Live, 0, sizeof Live), 0; }
CUresult cuCtxSetCurrent(CUcontext context) { return 0; }
CUresult cuCtxGetCurrent(CUcontext *context) { return *context = &Live, 0; }
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) { return *pool = &Next, 0; }

CUresult cuMemAlloc(CUdeviceptr *block, size_t bytes) { return give((uint64_t *)block, bytes); }
CUresult cuMemAllocPitch(CUdeviceptr *block, size_t *pitch, size_t width, size_t height, unsigned element) {
  *pitch = (width + Pitch - 1) / Pitch * Pitch;
  return give((uint64_t *)block, *pitch * height);
}
/* Takes addresses of the host as well, as the real one does. */
CUresult cuMemAllocManaged(CUdeviceptr *block, size_t bytes, unsigned flags) {
  void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? NoMemory : give((uint64_t *)block, bytes);
}
CUresult cuMemAllocHost(void **block, size_t bytes) { return give((uint64_t *)block, bytes); }
CUresult cuMemHostAlloc(void **block, size_t bytes, unsigned flags) { return give((uint64_t *)block, bytes); }
CUresult cuMemFree(CUdeviceptr block) { return take(block); }
CUresult cuMemFreeHost(void *block) { return take((uint64_t)block); }

CUresult cuMemAllocAsync(CUdeviceptr *block, size_t bytes, CUstream stream) { return give((uint64_t *)block, bytes); }
CUresult cuMemAllocFromPoolAsync(CUdeviceptr *block, size_t bytes, CUmemoryPool pool, CUstream stream) {
  return give((uint64_t *)block, bytes);
}
CUresult cuMemFreeAsync(CUdeviceptr block, CUstream stream) { return take(block); }
CUresult cuMemAllocAsync_ptsz(CUdeviceptr *block, size_t bytes, CUstream stream) {
  return cuMemAllocAsync(block, bytes, stream);
}
CUresult cuMemFreeAsync_ptsz(CUdeviceptr block, CUstream stream) { return cuMemFreeAsync(block, stream); }

CUresult cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *form) { return give((uint64_t *)array, 1); }
CUresult cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *form) { return give((uint64_t *)array, 1); }
CUresult cuArrayDestroy(CUarray array) { return take((uint64_t)array); }
CUresult cuMipmappedArrayCreate(CUmipmappedArray *array, const CUDA_ARRAY3D_DESCRIPTOR *form, unsigned levels) {
  return give((uint64_t *)array, 1);
}
CUresult cuMipmappedArrayDestroy(CUmipmappedArray array) { return take((uint64_t)array); }

/*===-- Physical memory ---------------------------------------------------===*/

static CUmemGenericAllocationHandle Retained;

CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *kind, int option) {
  return *bytes = 2 << 20, 0;
}
CUresult cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wish,
                             unsigned long long flags) {
  return give((uint64_t *)address, bytes);
}
CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) { return take(address); }
CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *kind,
                     unsigned long long flags) {
  static uint64_t Handles = 7;
  Retained = Retained ? Retained : Handles;
  return *handle = Handles++, 0;
}
CUresult cuMemRelease(CUmemGenericAllocationHandle handle) { return 0; }
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address) {
  return *handle = Retained, 0; /* the first one, which the test asks for */
}
CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags) {
  return 0;
}
CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) { return 0; }

/*===-- By name -----------------------------------------------------------===*/

#define NAMED(name, function) {name, (void (*)(void))function}
static const struct {
  const char *name;
  void (*function)(void);
} Functions[] = {
    NAMED("cuInit", cuInit),
    NAMED("cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain),
    NAMED("cuDevicePrimaryCtxReset", cuDevicePrimaryCtxReset),
    NAMED("cuMemAlloc", cuMemAlloc),
    NAMED("cuMemAllocPitch", cuMemAllocPitch),
    NAMED("cuMemAllocManaged", cuMemAllocManaged),
    NAMED("cuMemHostAlloc", cuMemHostAlloc),
    NAMED("cuMemFree", cuMemFree),
    NAMED("cuMemFreeHost", cuMemFreeHost),
    NAMED("cuMemAllocAsync", cuMemAllocAsync),
    NAMED("cuMemAllocFromPoolAsync", cuMemAllocFromPoolAsync),
    NAMED("cuMemFreeAsync", cuMemFreeAsync),
    NAMED("cuMemAllocAsync_ptsz", cuMemAllocAsync_ptsz),
    NAMED("cuMemFreeAsync_ptsz", cuMemFreeAsync_ptsz),
    NAMED("cuArray3DCreate", cuArray3DCreate),
    NAMED("cuArrayDestroy", cuArrayDestroy),
    NAMED("cuMipmappedArrayCreate", cuMipmappedArrayCreate),
    NAMED("cuMipmappedArrayDestroy", cuMipmappedArrayDestroy),
    NAMED("cuDeviceGetDefaultMemPool", cuDeviceGetDefaultMemPool),
};

CUresult cuGetProcAddress(const char *symbol, void **function, int version, uint64_t flags, int *outcome) {
  enum { PerThreadStream = 2 };
  char name[64];
  strcpy(name, symbol);
  strcat(name, flags & PerThreadStream && strstr(symbol, "Async") ? "_ptsz" : "");
  for (size_t i = 0; i < sizeof Functions / sizeof Functions[0]; ++i)
    if (strcmp(Functions[i].name, name) == 0) {
      void (*found)(void) = Functions[i].function;
      return *function = *(void **)&found, 0;
    }
  return *function = NULL, NotFound;
}
