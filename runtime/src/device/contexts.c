/* What ends with a context or a device.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Blocks are owned by the CUDA context that is current when they are made: it frees them when it is destroyed, and
   cudaDeviceReset resets a device's primary context. HIP's blocks are owned by their device. */

#include "device.h"

/* Not exported: memshape only calls it. */
static struct memshape_gate GetCurrent = {.name = "cuCtxGetCurrent", .is_driver = 1};
static struct memshape_gate GetState = {.name = "cuDevicePrimaryCtxGetState", .is_driver = 1};
static struct memshape_gate GetDevice = {.name = "hipGetDevice", .is_driver = 1};

uint64_t memshape_cuda_context(void) {
  int (*get)(void **);
  void *context = NULL;
  *(void **)&get = memshape_gate_real(&GetCurrent, MEMSHAPE_CALLER);
  return get && get(&context) == 0 ? (uint64_t)context : 0;
}

uint64_t memshape_hip_device(void) {
  int (*get)(int *), device = 0;
  *(void **)&get = memshape_gate_real(&GetDevice, MEMSHAPE_CALLER);
  return get && get(&device) == 0 ? (uint64_t)device + 1 : 0;
}

/* Primary contexts by device, as they were handed out. */
enum { MostDevices = 256 };
static void *Primary[MostDevices];

static void endPrimary(int device) {
  if (device >= 0 && device < MostDevices)
    memshape_space_end_owner((uint64_t)__atomic_load_n(&Primary[device], __ATOMIC_ACQUIRE));
}

static int isActive(int device) {
  int (*get)(int, unsigned *, int *), active = 1;
  unsigned flags;
  *(void **)&get = memshape_gate_real(&GetState, MEMSHAPE_CALLER);
  return !get || get(device, &flags, &active) != 0 || active;
}

/* Signatures: CUDA Driver API, "Primary Context Management" and "Context Management". These functions are also watched
   when the CUDA runtime calls them. */
#define CONTEXT(name, parameters, arguments, after)                                                                    \
  MEMSHAPE_GATE(name, 1, MEMSHAPE_NO_DRIVER, parameters, {                                                             \
    int status = real arguments;                                                                                       \
    if (status == 0) {                                                                                                 \
      after;                                                                                                           \
    }                                                                                                                  \
    return status;                                                                                                     \
  })

CONTEXT(cuDevicePrimaryCtxRetain, (void **context, int device), (context, device),
        if (device >= 0 && device < MostDevices) __atomic_store_n(&Primary[device], *context, __ATOMIC_RELEASE))
CONTEXT(cuDevicePrimaryCtxReset_v2, (int device), (device), endPrimary(device))
CONTEXT(cuDevicePrimaryCtxRelease_v2, (int device), (device), if (!isActive(device)) endPrimary(device))
CONTEXT(cuCtxDestroy_v2, (void *context), (context), memshape_space_end_owner((uint64_t)context))
CONTEXT(hipDevicePrimaryCtxReset, (int device), (device), memshape_space_end_owner((uint64_t)device + 1))

/* Resets the current device. The context is asked for before the call, because it is gone afterwards. */
#define RESETS(name, owner)                                                                                            \
  MEMSHAPE_GATE(name, 0, MEMSHAPE_NO_RUNTIME, (void), {                                                                \
    uint64_t ended = owner;                                                                                            \
    int status = real();                                                                                               \
    if (status == 0)                                                                                                   \
      memshape_space_end_owner(ended);                                                                                 \
    return status;                                                                                                     \
  })
RESETS(cudaDeviceReset, memshape_cuda_context())
RESETS(hipDeviceReset, memshape_hip_device())
