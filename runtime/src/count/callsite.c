/* Which instrumented code called a library.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "count/callsite.h"
#include "count/count.h"

#include <link.h>
#include <string.h>

#pragma weak _Unwind_Backtrace
#pragma weak _Unwind_GetIP
#pragma weak _Unwind_GetCFA

struct memshape_unwinder memshape_unwinder;

void memshape_unwinder_find(void) {
  static int tried;
  if (__atomic_exchange_n(&tried, 1, __ATOMIC_ACQ_REL))
    return;
  if (_Unwind_Backtrace && _Unwind_GetIP && _Unwind_GetCFA)
    memshape_unwinder =
        (struct memshape_unwinder){_Unwind_Backtrace, (uintptr_t (*)(struct _Unwind_Context *))_Unwind_GetIP,
                                   (uintptr_t (*)(struct _Unwind_Context *))_Unwind_GetCFA};
  else if (memshape_unwinder_load)
    memshape_unwinder_load();
}

enum { MostModules = 256, MostFrames = 200 };

struct outward {
  uintptr_t caller;
  struct memshape_walk *walk;
  uint32_t frames;
};

/* Where the return address to `code` lies: below the frame that it leads back to. Null where it does not. */
static const uintptr_t *placeOf(struct _Unwind_Context *context, uintptr_t code) {
#ifdef __x86_64__
  const uintptr_t *place = (const uintptr_t *)memshape_unwinder.frame(context) - 1;
  return *place == code ? place : NULL;
#else
  return NULL;
#endif
}

/* Frames before the caller's are the runtime's own. */
static _Unwind_Reason_Code stepOutward(struct _Unwind_Context *context, void *argument) {
  struct outward *outward = argument;
  struct memshape_walk *walk = outward->walk;
  uintptr_t code = memshape_unwinder.ip(context);
  if (code && (walk->count || code == outward->caller)) {
    walk->places[walk->count] = placeOf(context, code);
    walk->code[walk->count++] = code;
  }
  return code && walk->count < MEMSHAPE_MOST_STACK_FRAMES && ++outward->frames < MostFrames ? _URC_NO_REASON
                                                                                            : _URC_END_OF_STACK;
}

void memshape_call_stack(const void *caller, struct memshape_walk *walk) {
  struct outward outward = {(uintptr_t)caller, walk, 0};
  walk->count = 0;
  if (memshape_unwinder.walk && memshape_unwinder.ip && memshape_unwinder.frame) {
    ++memshape_self.bypass;
    memshape_unwinder.walk(stepOutward, &outward);
    --memshape_self.bypass;
  }
  if (walk->count)
    return;
  walk->places[0] = NULL;
  walk->code[walk->count++] = (uintptr_t)caller;
}

static struct {
  uintptr_t from, to;
} Modules[MostModules];
static uint32_t ModuleCount;

#ifdef DLFO_STRUCT_HAS_EH_DBASE /* glibc 2.35 and later: the walk takes no lock of the loader's */
#pragma weak _dl_find_object

static int findModule(const void *code, struct dl_find_object *found) {
  return _dl_find_object && _dl_find_object((void *)(uintptr_t)code, found) == 0;
}

void memshape_call_sites_in(const void *code) {
  struct dl_find_object found;
  if (ModuleCount == MostModules || !findModule(code, &found))
    return;
  for (uint32_t i = 0; i < ModuleCount; ++i)
    if (Modules[i].from == (uintptr_t)found.dlfo_map_start && Modules[i].to == (uintptr_t)found.dlfo_map_end)
      return;
  Modules[ModuleCount].from = (uintptr_t)found.dlfo_map_start;
  Modules[ModuleCount].to = (uintptr_t)found.dlfo_map_end;
  ++ModuleCount;
}

struct walk {
  uintptr_t found;
  uint32_t frames;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument) {
  struct walk *walk = argument;
  uintptr_t code = memshape_unwinder.ip(context);
  for (uint32_t i = 0; i < ModuleCount; ++i)
    if (code - 1 >= Modules[i].from && code - 1 < Modules[i].to) {
      walk->found = code;
      return _URC_END_OF_STACK;
    }
  return ++walk->frames < MostFrames ? _URC_NO_REASON : _URC_END_OF_STACK;
}

const void *memshape_call_site(void) {
  struct walk walk = {0, 0};
  if (ModuleCount && memshape_unwinder.walk && memshape_unwinder.ip) {
    ++memshape_self.bypass;
    memshape_unwinder.walk(step, &walk);
    --memshape_self.bypass;
  }
  return (const void *)walk.found;
}

/* Without stdio, which allocates. */
void memshape_call_site_name(const void *code, char *text, size_t room) {
  struct dl_find_object found;
  text[0] = 0;
  if (!findModule(code, &found))
    return;
  const char *name = found.dlfo_link_map->l_name;
  size_t length = strnlen(name, room);
  if (length + 24 > room)
    return;
  memcpy(text, name, length);
  memcpy(text + length, "+0x", 3);
  char *to = text + length + 3;
  uintptr_t offset = (uintptr_t)code - 1 - found.dlfo_link_map->l_addr;
  for (int shift = 60; shift >= 0; shift -= 4)
    if (offset >> shift || shift == 0)
      *to++ = "0123456789abcdef"[offset >> shift & 15];
  *to = 0;
}
#else
void memshape_call_sites_in(const void *code) {}
const void *memshape_call_site(void) { return NULL; }
void memshape_call_site_name(const void *code, char *text, size_t room) { text[0] = 0; }
#endif
