/* Our structures against CUDA's own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Compiled where the toolkit's headers are; there is nothing to run. */

#include "device/device.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #theirs)
#define SAME_PLACE(ours, member, theirs, other)                                                                        \
  _Static_assert(offsetof(ours, member) == offsetof(theirs, other), #theirs "." #other)

SAME_SIZE(struct memshape_extent, struct cudaExtent);
SAME_SIZE(struct memshape_pitched, struct cudaPitchedPtr);
SAME_PLACE(struct memshape_pitched, pitch, struct cudaPitchedPtr, pitch);
SAME_SIZE(struct memshape_channels, struct cudaChannelFormatDesc);
SAME_SIZE(struct memshape_array_2d, CUDA_ARRAY_DESCRIPTOR);
SAME_PLACE(struct memshape_array_2d, format, CUDA_ARRAY_DESCRIPTOR, Format);
SAME_SIZE(struct memshape_array_3d, CUDA_ARRAY3D_DESCRIPTOR);
SAME_PLACE(struct memshape_array_3d, format, CUDA_ARRAY3D_DESCRIPTOR, Format);
SAME_PLACE(struct memshape_array_3d, flags, CUDA_ARRAY3D_DESCRIPTOR, Flags);
SAME_PLACE(struct memshape_memory_kind, location, CUmemAllocationProp, location.type);
SAME_SIZE(uint64_t, CUdeviceptr);
SAME_SIZE(uint64_t, CUmemGenericAllocationHandle);
_Static_assert(MEMSHAPE_NO_RUNTIME == cudaErrorInsufficientDriver, "what is returned without a runtime");
_Static_assert(MEMSHAPE_NO_DRIVER == CUDA_ERROR_NOT_INITIALIZED, "what is returned without a driver");
