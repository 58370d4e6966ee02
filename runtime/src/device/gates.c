/* The real function behind each gate.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "device.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

/* The linker's names for the ends of the section that MEMSHAPE_GATE fills. */
extern struct memshape_gate *const __start_memshape_gates[] __attribute__((visibility("hidden")));
extern struct memshape_gate *const __stop_memshape_gates[] __attribute__((visibility("hidden")));

int memshape_device_enter(void) { return memshape_device_depth++ == 0; }

int memshape_device_leave(int status) {
  int outermost = --memshape_device_depth == 0;
  if (outermost && status != 0)
    memshape_space_pending = NULL; /* the allocation that the hook announced has happened */
  return outermost && status == 0;
}

struct memshape_gate *memshape_gate_named(const char *name) {
  for (struct memshape_gate *const *at = __start_memshape_gates; at != __stop_memshape_gates; ++at)
    if (strcmp((*at)->name, name) == 0)
      return *at;
  return NULL;
}

void *memshape_gate_redirect(struct memshape_gate *gate, void *real) {
  void *before = NULL;
  if (!__atomic_compare_exchange_n(&gate->found, &before, real, 0, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE) &&
      before != real && !gate->is_driver)
    return real; /* a second copy of the library: it must not be mixed up with the first one, and its calls of the
                    driver are counted */
  return *(void **)&gate->own;
}

/* The loaded object around a code address; null when there is none. */
static const struct link_map *objectAround(const void *address) {
#ifdef DLFO_STRUCT_HAS_EH_DBASE /* glibc 2.35 and later: takes no lock */
  struct dl_find_object object;
  return _dl_find_object((void *)(uintptr_t)address, &object) == 0 ? object.dlfo_link_map : NULL;
#else
  Dl_info info;
  void *map = NULL;
  return dladdr1(address, &info, &map, RTLD_DL_LINKMAP) ? map : NULL;
#endif
}

/* The function with the gate's name that a loaded object or one of its dependencies defines; null if that is the gate
   itself. */
static void *definedFor(const struct memshape_gate *gate, const char *object) {
  void *handle = dlopen(*object ? object : NULL, RTLD_LAZY | RTLD_NOLOAD);
  void *real = handle ? memshape_real_dlsym(handle, gate->name) : NULL;
  if (handle)
    dlclose(handle); /* the library stays loaded: the program has it open */
  return real == *(void *const *)&gate->own ? NULL : real;
}

enum { MostObjects = 1024 };

struct objects {
  const char *names[MostObjects];
  unsigned count;
};

static int noteObject(struct dl_phdr_info *info, size_t bytes, void *data) {
  struct objects *objects = data;
  if (info->dlpi_name && *info->dlpi_name && objects->count < MostObjects)
    objects->names[objects->count++] = info->dlpi_name;
  return 0;
}

/* A plugin may load a library with RTLD_LOCAL, which no other scope sees. So all loaded objects are searched. */
static void *definedAnywhere(const struct memshape_gate *gate) {
  struct objects objects = {.count = 0};
  void *real = NULL;
  dl_iterate_phdr(noteObject, &objects);
  for (unsigned i = 0; i < objects.count && !real; ++i)
    real = definedFor(gate, objects.names[i]);
  return real;
}

static void *find(const struct memshape_gate *gate, const struct link_map *map) {
  void *real = map && *map->l_name ? definedFor(gate, map->l_name) : NULL;
  if (!real)
    real = memshape_real_dlsym(RTLD_NEXT, gate->name);
  if (!real || real == *(void *const *)&gate->own)
    real = __atomic_load_n(&gate->found, __ATOMIC_ACQUIRE);
  return real ? real : definedAnywhere(gate);
}

void *memshape_gate_real(struct memshape_gate *gate, const void *caller) {
  const struct link_map *map = objectAround(caller);
  unsigned i = 0;
  for (; i < sizeof gate->seen / sizeof gate->seen[0]; ++i) {
    const void *known = __atomic_load_n(&gate->seen[i].map, __ATOMIC_ACQUIRE);
    void *real = __atomic_load_n(&gate->seen[i].real, __ATOMIC_RELAXED);
    if (!known)
      break;
    if (known == map && real && objectAround(real)) /* the library may have been unloaded since */
      return real;
  }
  int saved = errno;
  ++memshape_self.bypass; /* what the loader allocates here is not the program's */
  void *real = find(gate, map);
  --memshape_self.bypass;
  errno = saved;
  const void *empty = NULL;
  if (real && map && i < sizeof gate->seen / sizeof gate->seen[0]) {
    /* Two threads may want this entry; the loser tries again at its next call. The function is stored before the
       object, because readers look at the object first. */
    void *none = NULL;
    if (__atomic_compare_exchange_n(&gate->seen[i].real, &none, real, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      __atomic_compare_exchange_n(&gate->seen[i].map, &empty, (const void *)map, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
  }
  return real;
}
