/* Memory from the CUDA runtime.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Signatures: CUDA Runtime API, "Memory Management" and "Stream Ordered Memory Allocator". A function whose name ends
   in _ptsz is the one that programs call when compiled for a default stream per thread. */

#include "device.h"

/* Who made a block, and what it ends with. */
#define FROM memshape_cuda_context(), MEMSHAPE_CALLER
#define CAME(space, block, bytes) MEMSHAPE_MADE(space, block, bytes, FROM)

#define RUNTIME(name, parameters, ...) MEMSHAPE_GATE(name, 0, MEMSHAPE_NO_RUNTIME, parameters, __VA_ARGS__)

RUNTIME(cudaMalloc, (void **block, size_t bytes),
        MEMSHAPE_MAKES((block, bytes), CAME(MEMSHAPE_SPACE_DEVICE, *block, bytes)))
RUNTIME(cudaMallocManaged, (void **block, size_t bytes, unsigned flags),
        MEMSHAPE_MAKES((block, bytes, flags), CAME(MEMSHAPE_SPACE_MANAGED, *block, bytes)))
RUNTIME(cudaMallocHost, (void **block, size_t bytes),
        MEMSHAPE_MAKES((block, bytes), CAME(MEMSHAPE_SPACE_PINNED, *block, bytes)))
RUNTIME(cudaHostAlloc, (void **block, size_t bytes, unsigned flags),
        MEMSHAPE_MAKES((block, bytes, flags), CAME(MEMSHAPE_SPACE_PINNED, *block, bytes)))
RUNTIME(cudaFree, (void *block), MEMSHAPE_ENDS((block), MEMSHAPE_BY_ADDRESS, block))
RUNTIME(cudaFreeHost, (void *block), MEMSHAPE_ENDS((block), MEMSHAPE_BY_ADDRESS, block))

/* Rows are padded by an amount that only the device knows: the pitch that came back. */
RUNTIME(cudaMallocPitch, (void **block, size_t *pitch, size_t width, size_t height),
        MEMSHAPE_MAKES((block, pitch, width, height), CAME(MEMSHAPE_SPACE_DEVICE, *block, *pitch *height)))
RUNTIME(cudaMalloc3D, (struct memshape_pitched * block, struct memshape_extent extent),
        MEMSHAPE_MAKES((block, extent),
                       CAME(MEMSHAPE_SPACE_DEVICE, block->block, block->pitch *extent.height *extent.depth)))

/*===-- In the order of a stream ------------------------------------------===*/

/* A block is counted from the call that asks for it to the call that gives it back; the stream gets there later. */
#define STREAM_ORDERED(suffix)                                                                                         \
  RUNTIME(cudaMallocAsync##suffix, (void **block, size_t bytes, void *stream),                                         \
          MEMSHAPE_MAKES((block, bytes, stream), CAME(MEMSHAPE_SPACE_DEVICE, *block, bytes)))                          \
  RUNTIME(cudaMallocFromPoolAsync##suffix, (void **block, size_t bytes, void *pool, void *stream),                     \
          MEMSHAPE_MAKES((block, bytes, pool, stream), CAME(MEMSHAPE_SPACE_DEVICE, *block, bytes)))                    \
  RUNTIME(cudaFreeAsync##suffix, (void *block, void *stream),                                                          \
          MEMSHAPE_ENDS((block, stream), MEMSHAPE_BY_ADDRESS, block))

STREAM_ORDERED()
STREAM_ORDERED(_ptsz)

/*===-- Arrays ------------------------------------------------------------===*/

static size_t bytesOf(const struct memshape_channels *channels) {
  return (size_t)(channels->bits[0] + channels->bits[1] + channels->bits[2] + channels->bits[3]) / 8;
}

RUNTIME(cudaMallocArray,
        (void **array, const struct memshape_channels *channels, size_t width, size_t height, unsigned flags),
        MEMSHAPE_MAKES((array, channels, width, height, flags),
                       memshape_array_made((uint64_t)*array, (struct memshape_extent){width, height, 0},
                                           bytesOf(channels), 1, flags, FROM)))
RUNTIME(cudaMalloc3DArray,
        (void **array, const struct memshape_channels *channels, struct memshape_extent extent, unsigned flags),
        MEMSHAPE_MAKES((array, channels, extent, flags),
                       memshape_array_made((uint64_t)*array, extent, bytesOf(channels), 1, flags, FROM)))
RUNTIME(cudaMallocMipmappedArray,
        (void **array, const struct memshape_channels *channels, struct memshape_extent extent, unsigned levels,
         unsigned flags),
        MEMSHAPE_MAKES((array, channels, extent, levels, flags),
                       memshape_array_made((uint64_t)*array, extent, bytesOf(channels), levels, flags, FROM)))
RUNTIME(cudaFreeArray, (void *array), MEMSHAPE_ENDS((array), MEMSHAPE_BY_ARRAY, array))
RUNTIME(cudaFreeMipmappedArray, (void *array), MEMSHAPE_ENDS((array), MEMSHAPE_BY_ARRAY, array))
