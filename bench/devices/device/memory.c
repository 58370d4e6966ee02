// Memory of the test device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks are mappings of their own, so that nothing here touches the heap, whose requests are counted elsewhere.

#include "device.h"
#include <stdlib.h>
#include <sys/mman.h>

/// In front of each block, on a page of its own.
struct header {
  size_t bytes, mapped;
  enum device_space space;
};
enum { Page = 4096 };

static int counting;
static int64_t live[DEVICE_SPACES];
static struct device_count counted;

void *device_take(size_t bytes, enum device_space space) {
  const size_t mapped = Page + (bytes + Page) / Page * Page;
  struct header *head = mmap(0, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (head == MAP_FAILED)
    return 0;
  *head = (struct header){bytes, mapped, space};
  if (counting) {
    live[space] += (int64_t)bytes;
    counted.total[space] += (int64_t)bytes;
    if (live[space] > counted.peak[space])
      counted.peak[space] = live[space];
  }
  return (char *)head + Page;
}

void device_give(void *block) {
  if (!block)
    return;
  struct header *head = (struct header *)((char *)block - Page);
  if (counting)
    live[head->space] -= (int64_t)head->bytes;
  munmap(head, head->mapped);
}

void device_begin(void) {
  counted = (struct device_count){0};
  for (int space = 0; space < DEVICE_SPACES; ++space)
    live[space] = 0;
  counting = 1;
}

struct device_count device_end(void) {
  counting = 0;
  for (int space = 0; space < DEVICE_SPACES; ++space)
    counted.left[space] = live[space];
  return counted;
}

size_t device_property(const char *variable, size_t usual) {
  const char *text = getenv(variable);
  return text ? strtoul(text, 0, 10) : usual;
}
