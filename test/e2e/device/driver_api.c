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
  TAKES(cuMemAlloc(&a, 1000), DEVICE, 1000);
  TAKES(cuMemAllocPitch(&b, &pitch, 100, 30, 4), DEVICE, pitch * 30);
  TAKES(cuMemAllocManaged(&c, 7000, CU_MEM_ATTACH_GLOBAL), MANAGED, 7000);
  TAKES(cuMemAllocHost(&f, 500), PINNED, 500);
  TAKES(cuMemHostAlloc(&g, 300, 0), PINNED, 300);
  TAKES(cuMemAllocAsync(&d, 4096, 0), DEVICE, 4096);
  MUST(cuDeviceGetDefaultMemPool(&pool, device));
  TAKES(cuMemAllocFromPoolAsync(&e, 8192, pool, 0), DEVICE, 8192);
  GIVES(cuMemFree(a), DEVICE, 1000);
  GIVES(cuMemFree(b), DEVICE, pitch * 30);
  GIVES(cuMemFree(c), MANAGED, 7000);
  GIVES(cuMemFreeHost(f), PINNED, 500);
  GIVES(cuMemFreeHost(g), PINNED, 300);
  GIVES(cuMemFreeAsync(d, 0), DEVICE, 4096);
  GIVES(cuMemFreeAsync(e, 0), DEVICE, 8192);
}

static void arrays(void) {
  CUarray flat, deep;
  CUDA_ARRAY_DESCRIPTOR plane = {.Width = 640, .Height = 480, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
  CUDA_ARRAY3D_DESCRIPTOR box = {
      .Width = 64, .Height = 32, .Depth = 16, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 4, .Flags = 0};
  TAKES(cuArrayCreate(&flat, &plane), DEVICE, 4 * 640 * 480);
  TAKES(cuArray3DCreate(&deep, &box), DEVICE, 16 * 64 * 32 * 16);
  GIVES(cuArrayDestroy(flat), DEVICE, 4 * 640 * 480);
  GIVES(cuArrayDestroy(deep), DEVICE, 16 * 64 * 32 * 16);
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
  TAKES(cuMemCreate(&first, 2 * grain, &kind, 0), DEVICE, 2 * grain);
  MUST(cuMemMap(place, 2 * grain, 0, first, 0));
  MUST(cuMemRelease(first)); /* still mapped */
  TAKES(cuMemCreate(&second, grain, &kind, 0), DEVICE, grain);
  MUST(cuMemMap(place + 2 * grain, grain, 0, second, 0));
  MUST(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(place + grain)));
  MUST(cuMemUnmap(place, 2 * grain)); /* still held */
  GIVES(cuMemRelease(again), DEVICE, 2 * grain);
  MUST(cuMemRelease(second));
  GIVES(cuMemUnmap(place + 2 * grain, grain), DEVICE, grain);
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
