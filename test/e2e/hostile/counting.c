// Counts what an operator requests.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preloaded, or linked to a program of lit/run/typed or bench. It has nothing in common with memshape's runtime, so that the two can be compared. Each block carries its
// size in front; what is counted follows docs/runtime.md: a realloc is no allocation, unless it is given null, and a
// block that was there before the call is subtracted when it goes.

#define _GNU_SOURCE
#include "counting.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void *__libc_malloc(size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);
size_t malloc_usable_size(void *);

static _Atomic int counting;
static _Atomic long live, peak, total, count, moves;
static pthread_t caller;
static _Thread_local int starts;

void counting_begin(void) {
  live = peak = total = count = moves = 0;
  caller = pthread_self();
  counting = 1;
}

struct requested counting_end(void) {
  counting = 0;
  return (struct requested){peak, total, count, moves, live};
}

// A thread of the OpenMP library asks where its stack is when it starts, which may be while a later call is made.
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
  int (*ask)(pthread_t, pthread_attr_t *) =
      (int (*)(pthread_t, pthread_attr_t *))dlsym(RTLD_NEXT, "pthread_getattr_np");
  starts = !pthread_equal(caller, pthread_self());
  const int wrong = ask(thread, attributes);
  starts = 0;
  return wrong;
}

int pthread_attr_destroy(pthread_attr_t *attributes) {
  int (*end)(pthread_attr_t *) = (int (*)(pthread_attr_t *))dlsym(RTLD_NEXT, "pthread_attr_destroy");
  starts = !pthread_equal(caller, pthread_self());
  const int wrong = end(attributes);
  starts = 0;
  return wrong;
}

struct head {
  size_t size;
  char *block;
};

static void grow(long more, long bytes, long allocations, long reallocations) {
  if (!counting || starts)
    return;
  const long now = live += more;
  total += bytes, count += allocations, moves += reallocations;
  for (long before = peak; now > before && !__c11_atomic_compare_exchange_weak(&peak, &before, now, 5, 5);)
    ;
}

static struct head *headOf(void *p) { return (struct head *)p - 1; }

static void *take(size_t least, size_t size) {
  size_t alignment = 16;
  while (alignment < least && alignment <= SIZE_MAX / 4)
    alignment *= 2;
  if (alignment < least) {
    errno = EINVAL;
    return NULL;
  }
  if (size > PTRDIFF_MAX - 2 * alignment) {
    errno = ENOMEM;
    return NULL;
  }
  char *block = alignment == 16 ? __libc_malloc(size + 16) : __libc_memalign(alignment, size + alignment);
  if (!block)
    return NULL;
  struct head *head = (struct head *)(block + alignment) - 1;
  head->size = size, head->block = block;
  return head + 1;
}

static void *first(size_t alignment, size_t size) {
  void *p = take(alignment, size);
  if (p)
    grow((long)size, (long)size, 1, 0);
  return p;
}

void *malloc(size_t size) { return first(16, size); }
void *memalign(size_t alignment, size_t size) { return first(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return first(alignment, size); }
void *valloc(size_t size) { return first(4096, size); }
void *pvalloc(size_t size) { return first(4096, (size + 4095) & ~(size_t)4095); }

int posix_memalign(void **p, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1))
    return EINVAL;
  void *block = first(alignment, size);
  if (!block)
    return ENOMEM;
  *p = block;
  return 0;
}

void *calloc(size_t number, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(number, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  void *p = first(16, bytes);
  return p ? memset(p, 0, bytes) : NULL;
}

void free(void *p) {
  if (!p)
    return;
  int before = errno;
  grow(-(long)headOf(p)->size, 0, 0, 0);
  __libc_free(headOf(p)->block);
  errno = before;
}

void *realloc(void *p, size_t size) {
  if (!p)
    return malloc(size);
  if (!size) {
    free(p);
    return NULL;
  }
  size_t old = headOf(p)->size;
  void *moved = take(16, size);
  if (!moved)
    return NULL;
  memcpy(moved, p, old < size ? old : size);
  __libc_free(headOf(p)->block);
  grow((long)size - (long)old, (long)size, 0, 1);
  return moved;
}

void *reallocarray(void *p, size_t number, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(number, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(p, bytes);
}

size_t malloc_usable_size(void *p) { return p ? headOf(p)->size : 0; }
