/* Launches, copies and streams of the stand-in.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Nothing stands behind the addresses of device memory, so that kernels and copies do nothing: what an operator
   allocates on its host side does not depend on them. */

#include "../launch_names.h"

#include <string.h>

struct extents { /* dim3 */
  unsigned x, y, z;
};

unsigned __cudaPushCallConfiguration(struct extents grid, struct extents block, size_t shared, void *stream);
unsigned __cudaPushCallConfiguration(struct extents grid, struct extents block, size_t shared, void *stream) {
  return 0;
}
cudaError_t __cudaPopCallConfiguration(struct extents *grid, struct extents *block, size_t *shared, void *stream);
cudaError_t __cudaPopCallConfiguration(struct extents *grid, struct extents *block, size_t *shared, void *stream) {
  *grid = *block = (struct extents){1, 1, 1};
  *shared = 0;
  *(void **)stream = NULL;
  return 0;
}
cudaError_t cudaLaunchKernel(const void *kernel, struct extents grid, struct extents block, void **arguments,
                             size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchKernel(const void *kernel, struct extents grid, struct extents block, void **arguments,
                             size_t shared, cudaStream_t stream) {
  return 0;
}

/* What comes from the device is zeros. */
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDeviceToHost)
    memset(to, 0, bytes);
  return 0;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return 0; /* pinned memory is an address without memory, too */
}
cudaError_t cudaMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) {
  return 0;
}
cudaError_t cudaMemset(void *to, int byte, size_t bytes) { return 0; }
cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream) { return 0; }
cudaError_t cudaStreamCreate(cudaStream_t *stream) { return *stream = NULL, 0; }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return 0; }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { return 0; }
cudaError_t cudaStreamQuery(cudaStream_t stream) { return 0; }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) { return 0; }
cudaError_t cudaEventCreate(cudaEvent_t *event) { return *event = NULL, 0; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) { return 0; }
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return 0; }
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to) { return *milliseconds = 0, 0; }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return 0; }
cudaError_t cudaGetDevice(int *device) { return *device = 0, 0; }
/* An H100, in the one thing that is asked. */
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
  return *value = attribute == cudaDevAttrMultiProcessorCount ? 132 : 0, 0;
}
cudaError_t cudaMemGetInfo(size_t *free, size_t *total) { return *free = *total = (size_t)80 << 30, 0; }
cudaError_t cudaGetLastError(void) { return 0; }
const char *cudaGetErrorString(cudaError_t status) { return "no error"; }
