// What CUDA's runtime allocates and says of a device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As the CUDA C++ Programming Guide and the reference of the runtime describe them. Device 0 is the current one. The
// functions memshape_gpu_* are answered by the runner: multiprocessors, ten times the compute capability, the version of
// PTX that kernels come from, the bytes that pitches are multiples of, and devices. Numbers of attributes are those of enum
// cudaDeviceAttr; what has the same value on every device since compute capability 3.0 is a constant here. Other
// attributes are data, as is what memshape_gpu_other writes.

#include "bodies.h"

int cudaMalloc(void *place, size_t bytes);
int memshape_gpu_sm(void);
int memshape_gpu_cc(void);
int memshape_gpu_ptx(void);
size_t memshape_gpu_pitch(void);
int memshape_gpu_gpus(void);
void memshape_gpu_other(void *place);

/// The functions of NVTX's headers call through a table that a profiler fills in. Without one, which is taken for
/// granted, all that stands there is null once it was looked for, and they do nothing.
const char nvtxGlobals_v3[4096] = {0};

typedef struct {
  size_t width, height, depth;
} Extent;

typedef struct {
  void *block;
  size_t pitch, xsize, ysize;
} Pitched;

typedef struct {
  int x, y, z, w;
  unsigned kind;
} Channels;

int cudaMallocPitch(void **block, size_t *pitch, size_t width, size_t height) {
  const size_t unit = memshape_gpu_pitch();
  *pitch = (width + unit - 1) / unit * unit;
  return cudaMalloc(block, *pitch * height);
}

int cudaMalloc3D(Pitched *made, const Extent *extent) {
  const Extent of = *extent;
  const int status = cudaMallocPitch(&made->block, &made->pitch, of.width, of.height * of.depth);
  made->xsize = of.width;
  made->ysize = of.height;
  return status;
}

void cudaCreateChannelDesc(Channels *made, int x, int y, int z, int w, int kind) {
  *made = (Channels){x, y, z, w, (unsigned)kind};
}

/// Bytes of all elements, without what the layout of the device adds. Sparse and deferred arrays have none of their own.
/// Formats behind the fourth kind are planar or compressed: their size is data.
static int allocateArray(void *array, const Channels *of, size_t width, size_t height, size_t depth, unsigned flags) {
  const unsigned element = (unsigned)(of->x + of->y + of->z + of->w) >> 3;
  size_t bytes = element * width * (height ? height : 1) * (depth ? depth : 1), other;
  if (of->kind > 3) {
    memshape_gpu_other(&other);
    bytes = other;
  }
  return cudaMalloc(array, flags & 192 ? 0 : bytes);
}

int cudaMallocArray(void *array, const Channels *channels, size_t width, size_t height, unsigned flags) {
  return allocateArray(array, channels, width, height, 1, flags);
}

int cudaMalloc3DArray(void *array, const Channels *channels, const Extent *extent, unsigned flags) {
  return allocateArray(array, channels, extent->width, extent->height, extent->depth, flags);
}

int cudaGetDevice(int *device) {
  *device = 0;
  return 0;
}

int cudaGetDeviceCount(int *count) {
  *count = memshape_gpu_gpus();
  return 0;
}

int cudaDeviceGetAttribute(int *value, int attribute, int device) {
  switch (attribute) {
  case 1: // threads of a block, along x, along y
  case 2:
  case 3: *value = 1024; return 0;
  case 4: // along z
    *value = 64;
    return 0;
  case 5: // blocks along x
    *value = INT32_MAX;
    return 0;
  case 6: // along y, along z
  case 7: *value = 65535; return 0;
  case 8: // shared memory of a block
    *value = 49152;
    return 0;
  case 10: // threads of a warp
    *value = 32;
    return 0;
  case 16: // multiprocessors
    *value = memshape_gpu_sm();
    return 0;
  case 41: // unified addressing
    *value = 1;
    return 0;
  case 75: // compute capability
    *value = (unsigned)memshape_gpu_cc() / 10;
    return 0;
  case 76: *value = (unsigned)memshape_gpu_cc() % 10; return 0;
  default: memshape_gpu_other(value); return 0;
  }
}

/// cudaFuncAttributes: PTX at 32, machine code at 36.
int cudaFuncGetAttributes(int *attributes, const void *kernel) {
  memshape_gpu_other(attributes);
  attributes[8] = memshape_gpu_ptx();
  return 0;
}
