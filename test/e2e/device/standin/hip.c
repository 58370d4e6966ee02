/* A libamdhip64.so without a device.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "../hip_names.h"

static uint64_t Next = 0x500000000000;

static int give(void **block, size_t bytes) {
  if (bytes >= (size_t)1 << 40)
    return 2;
  *block = (void *)(uintptr_t)__atomic_fetch_add(&Next, (bytes + 511) / 512 * 512, __ATOMIC_RELAXED);
  return 0;
}

int hipMalloc(void **block, size_t bytes) { return give(block, bytes); }
int hipExtMallocWithFlags(void **block, size_t bytes, unsigned flags) { return hipMalloc(block, bytes); }
int hipMallocManaged(void **block, size_t bytes, unsigned flags) { return give(block, bytes); }
int hipHostMalloc(void **block, size_t bytes, unsigned flags) { return give(block, bytes); }
int hipMallocHost(void **block, size_t bytes) { return hipHostMalloc(block, bytes, 0); }
int hipMallocAsync(void **block, size_t bytes, void *stream) { return give(block, bytes); }
int hipFree(void *block) { return 0; }
int hipHostFree(void *block) { return 0; }
int hipFreeAsync(void *block, void *stream) { return 0; }
int hipMallocPitch(void **block, size_t *pitch, size_t width, size_t height) {
  *pitch = (width + 255) / 256 * 256;
  return give(block, *pitch * height);
}
int hipArrayCreate(void **array, const struct hipArrayForm *form) { return give(array, 1); }
int hipArrayDestroy(void *array) { return 0; }
