/* Every way to get memory from the CUDA driver.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "../run/programs/instrumented.h"
#include "cuda_names.h"
#include "truth.h"

static void blocks(CUdevice device) {
  CUdeviceptr a, b, c, d, e;
  void *f, *g;
  size_t pitch;
  CUmemoryPool pool;
  MUST(cuMemAlloc(&a, 1000));
  came(DEVICE, 1000);
  MUST(cuMemAllocPitch(&b, &pitch, 100, 30, 4));
  came(DEVICE, pitch * 30);
  MUST(cuMemAllocManaged(&c, 7000, CU_MEM_ATTACH_GLOBAL));
  came(MANAGED, 7000);
  MUST(cuMemAllocHost(&f, 500));
  came(PINNED, 500);
  MUST(cuMemHostAlloc(&g, 300, 0));
  came(PINNED, 300);
  MUST(cuMemAllocAsync(&d, 4096, 0));
  came(DEVICE, 4096);
  MUST(cuDeviceGetDefaultMemPool(&pool, device));
  MUST(cuMemAllocFromPoolAsync(&e, 8192, pool, 0));
  came(DEVICE, 8192);
  MUST(cuMemFree(a));
  gone(DEVICE, 1000);
  MUST(cuMemFree(b));
  gone(DEVICE, pitch * 30);
  MUST(cuMemFree(c));
  gone(MANAGED, 7000);
  MUST(cuMemFreeHost(f));
  gone(PINNED, 500);
  MUST(cuMemFreeHost(g));
  gone(PINNED, 300);
  MUST(cuMemFreeAsync(d, 0));
  gone(DEVICE, 4096);
  MUST(cuMemFreeAsync(e, 0));
  gone(DEVICE, 8192);
}

static void arrays(void) {
  CUarray flat, deep;
  CUDA_ARRAY_DESCRIPTOR plane = {.Width = 640, .Height = 480, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
  CUDA_ARRAY3D_DESCRIPTOR box = {
      .Width = 64, .Height = 32, .Depth = 16, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 4, .Flags = 0};
  MUST(cuArrayCreate(&flat, &plane));
  came(DEVICE, 4 * 640 * 480);
  MUST(cuArray3DCreate(&deep, &box));
  came(DEVICE, 16 * 64 * 32 * 16);
  MUST(cuArrayDestroy(flat));
  gone(DEVICE, 4 * 640 * 480);
  MUST(cuArrayDestroy(deep));
  gone(DEVICE, 16 * 64 * 32 * 16);
}

/* A handle may be released while its memory is mapped, and be got back from the mapping. */
static void physical(CUdevice device) {
  CUmemAllocationProp kind = {.type = CU_MEM_ALLOCATION_TYPE_PINNED};
  kind.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  kind.location.id = device;
  size_t grain;
  CUdeviceptr place;
  CUmemGenericAllocationHandle first, second, again;
  MUST(cuMemGetAllocationGranularity(&grain, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  MUST(cuMemAddressReserve(&place, 4 * grain, 0, 0, 0)); /* addresses, no memory */
  MUST(cuMemCreate(&first, 2 * grain, &kind, 0));
  came(DEVICE, 2 * grain);
  MUST(cuMemMap(place, 2 * grain, 0, first, 0));
  MUST(cuMemRelease(first)); /* still mapped */
  MUST(cuMemCreate(&second, grain, &kind, 0));
  came(DEVICE, grain);
  MUST(cuMemMap(place + 2 * grain, grain, 0, second, 0));
  MUST(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(place + grain)));
  MUST(cuMemUnmap(place, 2 * grain)); /* still held */
  MUST(cuMemRelease(again));
  gone(DEVICE, 2 * grain);
  MUST(cuMemRelease(second));
  MUST(cuMemUnmap(place + 2 * grain, grain));
  gone(DEVICE, grain);
  MUST(cuMemAddressFree(place, 4 * grain));
}

int main(void) {
  CUdevice device;
  CUcontext context;
  if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) {
    puts("no device");
    return 77;
  }
  MUST(cuDevicePrimaryCtxRetain(&context, device));
  MUST(cuCtxSetCurrent(context));
  {
    ENTER("work", 1);
    blocks(device);
    arrays();
    physical(device);
    LEAVE;
  }
  printTruth();
  return 0;
}
