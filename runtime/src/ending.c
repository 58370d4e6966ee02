/*===- ending.c - The last word of a process ------------------------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include "ending.h"
#include "count.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* The kernel's VmHWM in bytes; 0 when it does not say. Plain system calls: stdio allocates. */
static uint64_t residentPeak(void) {
  char text[4096];
  int descriptor = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
  ssize_t length = descriptor < 0 ? 0 : read(descriptor, text, sizeof text - 1);
  uint64_t kibibytes = 0;
  if (descriptor >= 0)
    close(descriptor);
  text[length > 0 ? length : 0] = 0;
  const char *at = strstr(text, "VmHWM:");
  for (at = at ? at + 6 : ""; *at && *at != '\n'; ++at)
    if (*at >= '0' && *at <= '9')
      kibibytes = 10 * kibibytes + (uint64_t)(*at - '0');
  return 1024 * kibibytes;
}

int memshape_ending(enum memshape_record_state state) {
  struct memshape_record_header *header = memshape_counting() ? memshape_runtime.header : NULL;
  int saved = errno;
  if (!header || header->pid != (uint64_t)getpid())
    return 0;
  uint64_t before = __atomic_load_n(&header->state, __ATOMIC_ACQUIRE);
  if (before != MEMSHAPE_RECORD_RUNNING && before != MEMSHAPE_RECORD_ABORTED) /* a handler may have caught the abort */
    return 0;
  uint64_t resident = residentPeak();
  int written = __atomic_compare_exchange_n(&header->state, &before, state, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  if (written)
    header->rss_peak = resident;
  errno = saved;
  return written;
}

void memshape_ending_withdrawn(void) {
  memshape_runtime.header->rss_peak = 0;
  __atomic_store_n(&memshape_runtime.header->state, MEMSHAPE_RECORD_RUNNING, __ATOMIC_RELEASE);
}
