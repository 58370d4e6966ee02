/*===- hip_names.h - The part of HIP that the tests call ------------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef MEMSHAPE_TEST_HIP_NAMES_H
#define MEMSHAPE_TEST_HIP_NAMES_H

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

#endif /* MEMSHAPE_TEST_HIP_NAMES_H */
