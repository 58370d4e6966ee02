/* Where a thread's own stack lies.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "count/stack.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

extern void *__libc_stack_end __attribute__((weak)); /* the loader's: the main stack's upper end */

/* pthread_getattr_np reads /proc/self/maps for the main thread, so the main stack is derived from its limit; of an
   "unlimited" one 1 GiB is looked at. */
static void findMainStack(struct memshape_thread *self) {
  struct rlimit limit;
  uintptr_t bytes = (uintptr_t)1 << 30;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < bytes)
    bytes = (uintptr_t)limit.rlim_cur;
  self->stack_high = (uintptr_t)__libc_stack_end;
  self->stack_low = self->stack_high - bytes;
}

void memshape_find_stack(struct memshape_thread *self) {
  int saved = errno;
  self->stack_low = self->stack_high = 1; /* no address lies in it */
  if (&__libc_stack_end && __libc_stack_end && gettid() == getpid()) {
    findMainStack(self);
  } else {
    pthread_attr_t attributes;
    void *low;
    size_t bytes;
    ++self->bypass; /* pthread_getattr_np allocates */
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
      if (pthread_attr_getstack(&attributes, &low, &bytes) == 0) {
        self->stack_low = (uintptr_t)low;
        self->stack_high = self->stack_low + bytes;
      }
      pthread_attr_destroy(&attributes);
    }
    --self->bypass;
  }
  errno = saved;
}
