/* Memory from HIP.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Signatures: HIP runtime API, "Memory Management". HIP has one library for what CUDA has in two, and several names for
   some functions. */

#include "device.h"

/* Who made a block, and what it ends with. */
#define FROM memshape_hip_device(), MEMSHAPE_CALLER
#define CAME(space, block, bytes) MEMSHAPE_MADE(space, block, bytes, FROM)

#define HIP(name, parameters, ...) MEMSHAPE_GATE(name, 1, MEMSHAPE_NO_RUNTIME, parameters, __VA_ARGS__)

#define MAKES(name, space)                                                                                             \
  HIP(name, (void **block, size_t bytes), MEMSHAPE_MAKES((block, bytes), CAME(space, *block, bytes)))
#define MAKES_FLAGGED(name, space)                                                                                     \
  HIP(name, (void **block, size_t bytes, unsigned flags),                                                              \
      MEMSHAPE_MAKES((block, bytes, flags), CAME(space, *block, bytes)))
#define ENDS(name, family) HIP(name, (void *block), MEMSHAPE_ENDS((block), family, block))

MAKES(hipMalloc, MEMSHAPE_SPACE_DEVICE)
MAKES_FLAGGED(hipExtMallocWithFlags, MEMSHAPE_SPACE_DEVICE)
MAKES_FLAGGED(hipMallocManaged, MEMSHAPE_SPACE_MANAGED)
MAKES(hipMallocHost, MEMSHAPE_SPACE_PINNED)
MAKES(hipMemAllocHost, MEMSHAPE_SPACE_PINNED)
MAKES_FLAGGED(hipHostMalloc, MEMSHAPE_SPACE_PINNED)
MAKES_FLAGGED(hipHostAlloc, MEMSHAPE_SPACE_PINNED)
MAKES_FLAGGED(hipExtHostAlloc, MEMSHAPE_SPACE_PINNED)
ENDS(hipFree, MEMSHAPE_BY_ADDRESS)
ENDS(hipFreeHost, MEMSHAPE_BY_ADDRESS)
ENDS(hipHostFree, MEMSHAPE_BY_ADDRESS)

/* Counted as padded: the pitch that came back. */
HIP(hipMallocPitch, (void **block, size_t *pitch, size_t width, size_t height),
    MEMSHAPE_MAKES((block, pitch, width, height), CAME(MEMSHAPE_SPACE_DEVICE, *block, *pitch *height)))
HIP(hipMemAllocPitch, (void **block, size_t *pitch, size_t width, size_t height, unsigned element),
    MEMSHAPE_MAKES((block, pitch, width, height, element), CAME(MEMSHAPE_SPACE_DEVICE, *block, *pitch *height)))
HIP(hipMalloc3D, (struct memshape_pitched * block, struct memshape_extent extent),
    MEMSHAPE_MAKES((block, extent),
                   CAME(MEMSHAPE_SPACE_DEVICE, block->block, block->pitch *extent.height *extent.depth)))

HIP(hipMallocAsync, (void **block, size_t bytes, void *stream),
    MEMSHAPE_MAKES((block, bytes, stream), CAME(MEMSHAPE_SPACE_DEVICE, *block, bytes)))
HIP(hipMallocFromPoolAsync, (void **block, size_t bytes, void *pool, void *stream),
    MEMSHAPE_MAKES((block, bytes, pool, stream), CAME(MEMSHAPE_SPACE_DEVICE, *block, bytes)))
HIP(hipFreeAsync, (void *block, void *stream), MEMSHAPE_ENDS((block, stream), MEMSHAPE_BY_ADDRESS, block))

/*===-- Arrays ------------------------------------------------------------===*/

static size_t bytesOf(const struct memshape_channels *channels) {
  return (size_t)(channels->bits[0] + channels->bits[1] + channels->bits[2] + channels->bits[3]) / 8;
}

#define ARRAY_CAME(extent, element, levels, flags)                                                                     \
  memshape_array_made((uint64_t)*array, extent, element, levels, flags, FROM)
#define FORM_EXTENT ((struct memshape_extent){form->width, form->height, form->depth})
#define FORM_ELEMENT memshape_element_bytes(form->format, form->channels)

HIP(hipMallocArray,
    (void **array, const struct memshape_channels *channels, size_t width, size_t height, unsigned flags),
    MEMSHAPE_MAKES((array, channels, width, height, flags),
                   ARRAY_CAME(((struct memshape_extent){width, height, 0}), bytesOf(channels), 1, flags)))
HIP(hipMalloc3DArray,
    (void **array, const struct memshape_channels *channels, struct memshape_extent extent, unsigned flags),
    MEMSHAPE_MAKES((array, channels, extent, flags), ARRAY_CAME(extent, bytesOf(channels), 1, flags)))
HIP(hipMallocMipmappedArray,
    (void **array, const struct memshape_channels *channels, struct memshape_extent extent, unsigned levels,
     unsigned flags),
    MEMSHAPE_MAKES((array, channels, extent, levels, flags), ARRAY_CAME(extent, bytesOf(channels), levels, flags)))
HIP(hipArrayCreate, (void **array, const struct memshape_array_2d *form),
    MEMSHAPE_MAKES((array, form),
                   ARRAY_CAME(((struct memshape_extent){form->width, form->height, 0}), FORM_ELEMENT, 1, 0)))
HIP(hipArray3DCreate, (void **array, const struct memshape_array_3d *form),
    MEMSHAPE_MAKES((array, form), ARRAY_CAME(FORM_EXTENT, FORM_ELEMENT, 1, form->flags)))
HIP(hipMipmappedArrayCreate, (void **array, const struct memshape_array_3d *form, unsigned levels),
    MEMSHAPE_MAKES((array, form, levels), ARRAY_CAME(FORM_EXTENT, FORM_ELEMENT, levels, form->flags)))
ENDS(hipFreeArray, MEMSHAPE_BY_ARRAY)
ENDS(hipArrayDestroy, MEMSHAPE_BY_ARRAY)
ENDS(hipFreeMipmappedArray, MEMSHAPE_BY_ARRAY)
ENDS(hipMipmappedArrayDestroy, MEMSHAPE_BY_ARRAY)

/*===-- Physical memory and its mappings ----------------------------------===*/

HIP(hipMemCreate, (uint64_t *handle, size_t bytes, const struct memshape_memory_kind *kind, unsigned long long flags),
    MEMSHAPE_MAKES((handle, bytes, kind, flags), memshape_handle_made(*handle, bytes, kind, MEMSHAPE_CALLER)))
HIP(hipMemRelease, (uint64_t handle), MEMSHAPE_MAKES((handle), memshape_handle_released(handle)))
HIP(hipMemRetainAllocationHandle, (uint64_t *handle, void *address),
    MEMSHAPE_MAKES((handle, address), memshape_handle_retained(*handle, (uint64_t)address)))
HIP(hipMemMap, (void *address, size_t bytes, size_t offset, uint64_t handle, unsigned long long flags),
    MEMSHAPE_MAKES((address, bytes, offset, handle, flags), memshape_handle_mapped(handle, (uint64_t)address, bytes)))
HIP(hipMemUnmap, (void *address, size_t bytes),
    MEMSHAPE_MAKES((address, bytes), memshape_handle_unmapped((uint64_t)address, bytes)))
