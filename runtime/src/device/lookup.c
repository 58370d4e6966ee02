/* Functions that a program fetches by name.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The CUDA runtime, linked statically or not, opens libcuda.so.1 with dlopen and fetches its functions: with dlsym
   before CUDA 11.3, since then with cuGetProcAddress, which it gets from dlsym. So dlsym is interposed as well. It
   returns a gate instead of a function that has one. All other lookups go to the C library's dlsym by a tail call:
   RTLD_NEXT means "after the calling object", and dlsym finds that object from the return address. */

#include "count/start.h"
#include "device.h"

#include <dlfcn.h>
#include <string.h>

typedef void *(*lookup)(void *, const char *);

/* dlvsym finds dlsym, because dlsym itself is interposed. Versions: since glibc 2.34, which moved dlsym to libc.so.6;
   the first release for x86-64; the first one for aarch64. */
static lookup realLookup(void) {
  static void *Real;
  void *real = __atomic_load_n(&Real, __ATOMIC_RELAXED);
  if (__builtin_expect(!real, 0)) {
    static const char *const Versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
    for (unsigned i = 0; !real && i < sizeof Versions / sizeof Versions[0]; ++i)
      real = dlvsym(RTLD_NEXT, "dlsym", Versions[i]);
    __atomic_store_n(&Real, real, __ATOMIC_RELAXED);
  }
  lookup function;
  *(void **)&function = real;
  return function;
}

void *memshape_real_dlsym(void *handle, const char *name) { return realLookup()(handle, name); }

static int isCounting(void) { return memshape_counting() || memshape_start(); }

static struct memshape_gate *gateFor(const char *name) {
  if (!name || !((name[0] == 'c' && name[1] == 'u') || (name[0] == 'h' && name[1] == 'i')))
    return NULL;
  return memshape_gate_named(name);
}

static void *lookUp(struct memshape_gate *gate, void *handle, const char *name, const void *caller) {
  void *real = memshape_real_dlsym(handle, name), *own = *(void **)&gate->own;
  if (real == own) /* this library comes first in the program's scope: is there a real function behind it? */
    return memshape_gate_real(gate, caller) ? own : NULL;
  return real && isCounting() ? memshape_gate_redirect(gate, real) : real;
}

#if __has_attribute(musttail)
__attribute__((visibility("default"))) void *dlsym(void *restrict handle, const char *restrict name) {
  struct memshape_gate *gate = gateFor(name);
  if (__builtin_expect(gate != NULL, 0)) {
    if (handle != RTLD_NEXT)
      return lookUp(gate, handle, name, MEMSHAPE_CALLER);
    if (!memshape_gate_real(gate, MEMSHAPE_CALLER))
      return NULL; /* no other library defines it */
  }
  lookup real = realLookup();
  __attribute__((musttail)) return real(handle, name);
}
#endif

/* Until CUDA 3.2 the plain names of these functions had 32-bit sizes. */
static const char *const Widened[] = {"cuMemAlloc",     "cuMemAllocPitch", "cuMemFree",
                                      "cuMemAllocHost", "cuArrayCreate",   "cuArray3DCreate"};

enum { WideSince = 3020, SecondLookupSince = 12000, PerThreadStream = 2 };

/* The gate for what cuGetProcAddress answers to `symbol`, a name without version. */
static struct memshape_gate *gateOfAnswer(const char *symbol, int version, uint64_t flags) {
  char name[64];
  size_t length = strlen(symbol);
  if (length + 10 > sizeof name)
    return NULL;
  for (unsigned i = 0; i < sizeof Widened / sizeof Widened[0]; ++i)
    if (version < WideSince && strcmp(symbol, Widened[i]) == 0)
      return NULL;
  int second = strcmp(symbol, "cuGetProcAddress") != 0 || version >= SecondLookupSince;
  static const char *const Suffixes[] = {"_v2_ptsz", "_ptsz", "_v2", ""};
  for (unsigned i = flags & PerThreadStream ? 0 : 2; i < 4; ++i) {
    if (!second && (i == 0 || i == 2))
      continue;
    memcpy(name, symbol, length);
    memcpy(name + length, Suffixes[i], strlen(Suffixes[i]) + 1);
    struct memshape_gate *gate = memshape_gate_named(name);
    if (gate)
      return gate;
  }
  return NULL;
}

static void leadThere(int status, const char *symbol, void **function, int version, uint64_t flags) {
  struct memshape_gate *gate;
  if (status == 0 && symbol && function && *function && isCounting() && (gate = gateOfAnswer(symbol, version, flags)) &&
      *function != *(void **)&gate->own)
    *function = memshape_gate_redirect(gate, *function);
}

/* Signatures: CUDA Driver API, "Driver Entry Point Access"; HIP runtime API. */
#define LOOKUP(name)                                                                                                   \
  MEMSHAPE_GATE(name, 1, MEMSHAPE_NO_DRIVER,                                                                           \
                (const char *symbol, void **function, int version, uint64_t flags, int *outcome), {                    \
                  int status = real(symbol, function, version, flags, outcome);                                        \
                  leadThere(status, symbol, function, version, flags);                                                 \
                  return status;                                                                                       \
                })
LOOKUP(cuGetProcAddress_v2)
LOOKUP(cuGetProcAddress_v2_ptsz)
LOOKUP(hipGetProcAddress)

MEMSHAPE_GATE(cuGetProcAddress, 1, MEMSHAPE_NO_DRIVER,
              (const char *symbol, void **function, int version, uint64_t flags), {
                int status = real(symbol, function, version, flags);
                leadThere(status, symbol, function, version, flags);
                return status;
              })
