/* Memory from the CUDA driver.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Signatures: CUDA Driver API, "Memory Management", "Virtual Memory Management", "Stream Ordered Memory Allocator".
   Names are those that the header gives to programs: cuMemAlloc is cuMemAlloc_v2 since addresses have 64 bits. */

#include "device.h"

/* Who made a block, and what it ends with. */
#define FROM memshape_cuda_context(), MEMSHAPE_CALLER
#define CAME(space, block, bytes) MEMSHAPE_MADE(space, block, bytes, FROM)

#define DRIVER(name, parameters, ...) MEMSHAPE_GATE(name, 1, MEMSHAPE_NO_DRIVER, parameters, __VA_ARGS__)

DRIVER(cuMemAlloc_v2, (uint64_t *block, size_t bytes),
       MEMSHAPE_MAKES((block, bytes), CAME(MEMSHAPE_SPACE_DEVICE, *block, bytes)))
DRIVER(cuMemAllocPitch_v2, (uint64_t *block, size_t *pitch, size_t width, size_t height, unsigned element),
       MEMSHAPE_MAKES((block, pitch, width, height, element), CAME(MEMSHAPE_SPACE_DEVICE, *block, *pitch *height)))
DRIVER(cuMemAllocManaged, (uint64_t *block, size_t bytes, unsigned flags),
       MEMSHAPE_MAKES((block, bytes, flags), CAME(MEMSHAPE_SPACE_MANAGED, *block, bytes)))
DRIVER(cuMemAllocHost_v2, (void **block, size_t bytes),
       MEMSHAPE_MAKES((block, bytes), CAME(MEMSHAPE_SPACE_PINNED, *block, bytes)))
DRIVER(cuMemHostAlloc, (void **block, size_t bytes, unsigned flags),
       MEMSHAPE_MAKES((block, bytes, flags), CAME(MEMSHAPE_SPACE_PINNED, *block, bytes)))
DRIVER(cuMemFree_v2, (uint64_t block), MEMSHAPE_ENDS((block), MEMSHAPE_BY_ADDRESS, block))
DRIVER(cuMemFreeHost, (void *block), MEMSHAPE_ENDS((block), MEMSHAPE_BY_ADDRESS, block))

/* A block is counted from the call that asks for it to the call that gives it back; the stream gets there later. */
#define STREAM_ORDERED(suffix)                                                                                         \
  DRIVER(cuMemAllocAsync##suffix, (uint64_t *block, size_t bytes, void *stream),                                       \
         MEMSHAPE_MAKES((block, bytes, stream), CAME(MEMSHAPE_SPACE_DEVICE, *block, bytes)))                           \
  DRIVER(cuMemAllocFromPoolAsync##suffix, (uint64_t *block, size_t bytes, void *pool, void *stream),                   \
         MEMSHAPE_MAKES((block, bytes, pool, stream), CAME(MEMSHAPE_SPACE_DEVICE, *block, bytes)))                     \
  DRIVER(cuMemFreeAsync##suffix, (uint64_t block, void *stream),                                                       \
         MEMSHAPE_ENDS((block, stream), MEMSHAPE_BY_ADDRESS, block))

STREAM_ORDERED()
STREAM_ORDERED(_ptsz)

/*===-- Arrays ------------------------------------------------------------===*/

DRIVER(cuArrayCreate_v2, (void **array, const struct memshape_array_2d *form),
       MEMSHAPE_MAKES((array, form),
                      memshape_array_made((uint64_t)*array, (struct memshape_extent){form->width, form->height, 0},
                                          memshape_element_bytes(form->format, form->channels), 1, 0, FROM)))
DRIVER(cuArray3DCreate_v2, (void **array, const struct memshape_array_3d *form),
       MEMSHAPE_MAKES((array, form),
                      memshape_array_made((uint64_t)*array,
                                          (struct memshape_extent){form->width, form->height, form->depth},
                                          memshape_element_bytes(form->format, form->channels), 1, form->flags, FROM)))
DRIVER(cuMipmappedArrayCreate, (void **array, const struct memshape_array_3d *form, unsigned levels),
       MEMSHAPE_MAKES((array, form, levels),
                      memshape_array_made((uint64_t)*array,
                                          (struct memshape_extent){form->width, form->height, form->depth},
                                          memshape_element_bytes(form->format, form->channels), levels, form->flags,
                                          FROM)))
DRIVER(cuArrayDestroy, (void *array), MEMSHAPE_ENDS((array), MEMSHAPE_BY_ARRAY, array))
DRIVER(cuMipmappedArrayDestroy, (void *array), MEMSHAPE_ENDS((array), MEMSHAPE_BY_ARRAY, array))

/*===-- Physical memory and its mappings ----------------------------------===*/

DRIVER(cuMemCreate, (uint64_t *handle, size_t bytes, const struct memshape_memory_kind *kind, unsigned long long flags),
       MEMSHAPE_MAKES((handle, bytes, kind, flags), memshape_handle_made(*handle, bytes, kind, MEMSHAPE_CALLER)))
DRIVER(cuMemRelease, (uint64_t handle), MEMSHAPE_MAKES((handle), memshape_handle_released(handle)))
DRIVER(cuMemRetainAllocationHandle, (uint64_t *handle, void *address),
       MEMSHAPE_MAKES((handle, address), memshape_handle_retained(*handle, (uint64_t)address)))
DRIVER(cuMemMap, (uint64_t address, size_t bytes, size_t offset, uint64_t handle, unsigned long long flags),
       MEMSHAPE_MAKES((address, bytes, offset, handle, flags), memshape_handle_mapped(handle, address, bytes)))
DRIVER(cuMemUnmap, (uint64_t address, size_t bytes),
       MEMSHAPE_MAKES((address, bytes), memshape_handle_unmapped(address, bytes)))
