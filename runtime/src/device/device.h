/* Calls of CUDA and HIP, on their way through us.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Neither CUDA nor HIP is linked, and their headers are not read. The functions here have the published signatures.
   They are called instead of the real ones and forward to them. One call can pass two of them:

       program ──> cudaMalloc (here) ──> libcudart ──> cuMemAlloc_v2 (here) ──> libcuda

   Only the outermost is counted. A program that is linked statically with the CUDA runtime (nvcc's default) calls only
   the second one, and so does a library that fetches its functions with dlsym or cuGetProcAddress; see lookup.c. */

#pragma once

#include "count/spaces.h"

/* One function of a device library that is interposed. */
struct memshape_gate {
  const char *name;
  void (*own)(void); /* our function */
  int is_driver;     /* whether the function belongs to the driver, which a process loads once */
  void *found;       /* the real function that dlsym or cuGetProcAddress found for the program, or null */
  struct {
    const void *map; /* the loaded object that calls */
    void *real;      /* the function that it would call without memshape */
  } seen[4];
};

/* The gate called `name`, or null. */
struct memshape_gate *memshape_gate_named(const char *name);

/* The real function for code at `caller`. Null when no library defines it; programs test for that. */
void *memshape_gate_real(struct memshape_gate *gate, const void *caller);

/* Called when the program looks `gate` up and finds `real`. Returns the address to hand to the program. */
void *memshape_gate_redirect(struct memshape_gate *gate, void *real);

/* The C library's dlsym. */
void *memshape_real_dlsym(void *handle, const char *name);

/* Called before and after the real function. enter returns whether this is the outermost call, which is the one that is
   counted. leave returns whether it is the outermost call and has succeeded (`status` is 0). */
int memshape_device_enter(void);
int memshape_device_leave(int status);

/* Status to return when the real function is absent: cudaErrorInsufficientDriver, which has the same value in HIP, and
   the driver's CUDA_ERROR_NOT_INITIALIZED. */
enum { MEMSHAPE_NO_RUNTIME = 35, MEMSHAPE_NO_DRIVER = 3 };

/* Arguments shared by the runtime, the driver and HIP, which lay them out alike. */
struct memshape_extent {
  size_t width, height, depth;
};
struct memshape_pitched {
  void *block;
  size_t pitch, width, height;
};
struct memshape_channels {
  int bits[4];
  int kind;
};
struct memshape_array_2d {
  size_t width, height;
  int format;
  unsigned channels;
};
struct memshape_array_3d {
  size_t width, height, depth;
  int format;
  unsigned channels, flags;
};
struct memshape_memory_kind { /* the start of CUmemAllocationProp */
  int type, handles, location, device;
};

/* Counts a new array by the bytes of its elements. How the device pads an array is not known, so this is the least that
   it takes. Sparse arrays and arrays with deferred mapping count 0 bytes. */
void memshape_array_made(uint64_t array, struct memshape_extent extent, size_t element, unsigned levels, unsigned flags,
                         uint64_t owner, const void *caller);
/* The owner of blocks that are made now: CUDA's current context, or HIP's current device + 1. A block is freed at the
   latest when its owner ends. 0 when the owner is not known. */
uint64_t memshape_cuda_context(void);
uint64_t memshape_hip_device(void);

/* Bytes of an element; 0 for compressed and planar formats, whose arrays are not counted. */
size_t memshape_element_bytes(int format, unsigned channels);

/* Physical memory behind handles (cuMemCreate and similar). It is freed when its handles are released and its last
   mapping is gone. A retained handle is looked up by an address in one of its mappings. */
void memshape_handle_made(uint64_t handle, size_t bytes, const struct memshape_memory_kind *kind, const void *caller);
void memshape_handle_retained(uint64_t handle, uint64_t address);
void memshape_handle_released(uint64_t handle);
void memshape_handle_mapped(uint64_t handle, uint64_t address, size_t bytes);
void memshape_handle_unmapped(uint64_t address, size_t bytes);

#define MEMSHAPE_CALLER __builtin_return_address(0)

/* Defines the gate of the function `name` and exports it. The last argument is the body, in which `real` is the real
   function. The name is weak: a program that brings a definition of its own keeps it. */
#define MEMSHAPE_GATE(name, driver, absent, parameters, ...)                                                           \
  static int own_##name parameters;                                                                                    \
  static struct memshape_gate Gate_##name = {#name, (void (*)(void))own_##name, driver, NULL, {{NULL, NULL}}};         \
  static struct memshape_gate *const Listed_##name __attribute__((section("memshape_gates"), used)) = &Gate_##name;    \
  extern __typeof__(own_##name) name __attribute__((weak, alias("own_" #name), visibility("default")));                \
  static int own_##name parameters {                                                                                   \
    int(*real) parameters;                                                                                             \
    *(void **)&real = memshape_gate_real(&Gate_##name, MEMSHAPE_CALLER);                                               \
    if (!real)                                                                                                         \
      return absent;                                                                                                   \
    __VA_ARGS__                                                                                                        \
  }

/* The body of a function that allocates; `came` runs after it has succeeded. */
#define MEMSHAPE_MAKES(arguments, came)                                                                                \
  memshape_device_enter();                                                                                             \
  int status = real arguments;                                                                                         \
  if (memshape_device_leave(status)) {                                                                                 \
    came;                                                                                                              \
  }                                                                                                                    \
  return status;

/* The body of a function that frees the block `name` of `family`. The block is forgotten before the call, because
   another thread may be given the same address as soon as it is free. */
#define MEMSHAPE_ENDS(arguments, family, name)                                                                         \
  struct memshape_space_block taken;                                                                                   \
  int known = memshape_device_enter() && (name) && memshape_space_take(family, (uint64_t)(name), &taken);              \
  int status = real arguments;                                                                                         \
  memshape_device_leave(status);                                                                                       \
  if (known && status != 0)                                                                                            \
    memshape_space_untake(&taken);                                                                                     \
  return status;

/* A block at an address, its bytes, its owner and the caller. */
#define MEMSHAPE_MADE(space, block, bytes, ...)                                                                        \
  if (block)                                                                                                           \
  memshape_space_put_owned(space, MEMSHAPE_BY_ADDRESS, (uint64_t)(block), bytes, __VA_ARGS__)
