/* The part of HIP that the tests call.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#pragma once

#include <stddef.h>
#include <stdint.h>

struct hipArrayForm { /* HIP_ARRAY_DESCRIPTOR */
  size_t Width, Height;
  int Format;
  unsigned NumChannels;
};

int hipMalloc(void **block, size_t bytes);
int hipExtMallocWithFlags(void **block, size_t bytes, unsigned flags);
int hipMallocManaged(void **block, size_t bytes, unsigned flags);
int hipHostMalloc(void **block, size_t bytes, unsigned flags);
int hipMallocHost(void **block, size_t bytes);
int hipMallocAsync(void **block, size_t bytes, void *stream);
int hipMallocPitch(void **block, size_t *pitch, size_t width, size_t height);
int hipFree(void *block);
int hipHostFree(void *block);
int hipFreeAsync(void *block, void *stream);
int hipArrayCreate(void **array, const struct hipArrayForm *form);
int hipArrayDestroy(void *array);
