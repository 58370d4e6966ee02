/* Stops a run where it has allocated so often.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Two libraries from one source, preloaded before and behind the runtime. The one before it (ACCURACY_CALLS) knows when
   the program's first operator call is entered and left. The one behind it sees the allocation events of that call as
   the runtime forwards them: malloc and similar functions, and realloc. ACCURACY_STOPS is a rising list of counts. The
   process stops itself at the entry of the call for 0, and for N after N events, right before the next one (or at the
   end of the call), so that another process can observe it. The number of events is written to the file ACCURACY_EVENTS
   at the end. */

#define _GNU_SOURCE
#include <memshape/hooks.h>

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

struct accuracy_state {
  long events, next_stop;
  const char *stops;
};

#ifdef ACCURACY_CALLS

struct accuracy_state accuracy_state = {0, -1, NULL};
__thread int accuracy_in_call;

static struct memshape_hooks Hooks; /* the runtime's, but for enter and leave */
static const struct memshape_hooks *Below;
static const struct memshape_call *Call;
static int Seen;

void accuracy_stop(void) {
  struct accuracy_state *now = &accuracy_state;
  while (now->next_stop == now->events) {
    char *end = NULL;
    raise(SIGSTOP);
    now->next_stop = strtol(now->stops, &end, 10);
    if (end == now->stops)
      now->next_stop = -1;
    now->stops = end;
  }
}

static void enter(struct memshape_call *call) {
  Below->enter(call);
  if (Seen)
    return;
  Seen = 1;
  Call = call;
  const char *stops = getenv("ACCURACY_STOPS");
  if (stops && *stops) {
    char *end = NULL;
    accuracy_state.next_stop = strtol(stops, &end, 10);
    accuracy_state.stops = end;
  }
  if (accuracy_state.next_stop == 0)
    accuracy_stop();
  accuracy_in_call = 1;
}

static void leave(struct memshape_call *call) {
  if (call == Call) {
    accuracy_in_call = 0;
    Call = NULL;
    accuracy_stop();
  }
  Below->leave(call);
}

void memshape_attach(uint32_t abi, const struct memshape_hooks **slot) {
  void (*next)(uint32_t, const struct memshape_hooks **) =
      (void (*)(uint32_t, const struct memshape_hooks **))dlsym(RTLD_NEXT, "memshape_attach");
  if (next)
    next(abi, slot);
  if (!next || !*slot)
    return;
  Below = *slot;
  Hooks = **slot;
  Hooks.enter = enter;
  Hooks.leave = leave;
  *slot = &Hooks;
}

__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("ACCURACY_EVENTS");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (file) {
    fprintf(file, "%ld\n", accuracy_state.events);
    fclose(file);
  }
}

#else

extern struct accuracy_state accuracy_state;
extern __thread int accuracy_in_call;
void accuracy_stop(void);

/* Whether the event that comes is the call's own; stops before it where that is due. */
static int comes(void) {
  if (!accuracy_in_call)
    return 0;
  accuracy_in_call = 0;
  accuracy_stop();
  return 1;
}

/* A null result is no event. */
static void came(int ours, const void *block) {
  if (!ours)
    return;
  accuracy_state.events += block != NULL;
  accuracy_in_call = 1;
}

#define FORWARD(NAME, PARAMETERS, ARGUMENTS)                                                                           \
  void *NAME PARAMETERS {                                                                                              \
    static void *(*next)PARAMETERS;                                                                                    \
    if (!next)                                                                                                         \
      next = (void *(*)PARAMETERS)dlsym(RTLD_NEXT, #NAME);                                                             \
    int ours = comes();                                                                                                \
    void *made = next ARGUMENTS;                                                                                       \
    came(ours, made);                                                                                                  \
    return made;                                                                                                       \
  }

FORWARD(malloc, (size_t bytes), (bytes))
FORWARD(calloc, (size_t count, size_t bytes), (count, bytes))
FORWARD(realloc, (void *block, size_t bytes), (block, bytes))
FORWARD(memalign, (size_t alignment, size_t bytes), (alignment, bytes))
FORWARD(aligned_alloc, (size_t alignment, size_t bytes), (alignment, bytes))

int posix_memalign(void **place, size_t alignment, size_t bytes) {
  static int (*next)(void **, size_t, size_t);
  if (!next)
    next = (int (*)(void **, size_t, size_t))dlsym(RTLD_NEXT, "posix_memalign");
  int ours = comes(), result = next(place, alignment, bytes);
  came(ours, result == 0 ? place : NULL);
  return result;
}

#endif
