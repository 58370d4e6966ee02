/* What an array on the device takes at least.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "device.h"

/* cudaArrayLayered, cudaArraySparse, cudaArrayDeferredMapping; the driver's and HIP's flags have the same values. */
enum { Layered = 0x01, Sparse = 0x40, Deferred = 0x80 };

static size_t halved(size_t length, unsigned times) {
  length = times < 64 ? length >> times : 0;
  return length ? length : 1;
}

void memshape_array_made(uint64_t array, struct memshape_extent extent, size_t element, unsigned levels, unsigned flags,
                         uint64_t owner, const void *caller) {
  size_t texels = 0;
  memshape_space_pending = flags & (Sparse | Deferred) ? NULL : memshape_space_pending;
  if (!array || flags & (Sparse | Deferred))
    return;
  for (unsigned level = 0; level < levels; ++level) {
    size_t layers = flags & Layered ? extent.depth : halved(extent.depth, level);
    texels += halved(extent.width, level) * halved(extent.height, level) * (layers ? layers : 1);
  }
  if (element)
    memshape_space_put_owned(MEMSHAPE_SPACE_DEVICE, MEMSHAPE_BY_ARRAY, array, texels * element, owner, caller);
  else
    memshape_space_lost();
}

/* Values of CUarray_format, HIP's are the same. */
size_t memshape_element_bytes(int format, unsigned channels) {
  enum { Unorm8x1 = 0xc0, Unorm16x1 = 0xc3, Snorm8x1 = 0xc6, Snorm16x1 = 0xc9, Snorm16x4 = 0xcb };
  switch (format) {
  case 0x01: /* unsigned and signed integers of 8, 16 and 32 bits */
  case 0x08: return channels;
  case 0x02:
  case 0x09:
  case 0x10: /* half */ return 2 * (size_t)channels;
  case 0x03:
  case 0x0a:
  case 0x20: /* float */ return 4 * (size_t)channels;
  case 0x50: /* 10, 10, 10 and 2 bits */ return 4;
  default:
    if (format < Unorm8x1 || format > Snorm16x4)
      return 0;
    return (format >= Unorm16x1 && format < Snorm8x1) || format >= Snorm16x1 ? 2 * (size_t)channels : channels;
  }
}
