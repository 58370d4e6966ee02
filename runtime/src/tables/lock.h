/* The one lock of the runtime.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   pthread_mutex cannot be used: malloc is interposed, and the program may wrap or log libc's mutexes. A critical
   section has some ten instructions, so waiters spin, and yield now and then for a holder that lost its core. */

#pragma once

#include <sched.h>
#include <stdint.h>
#if defined(__has_include)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define MEMSHAPE_HAS_SINGLE_THREADED 1
#endif
#endif

struct memshape_lock {
  uint32_t held;
};

/* Whether no second thread was ever started: then plain additions suffice. */
static inline int memshape_single_threaded(void) {
#ifdef MEMSHAPE_HAS_SINGLE_THREADED
  return __libc_single_threaded;
#else
  return 0;
#endif
}

static inline void memshape_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}

/* Spins before the core is given up once. */
enum { MEMSHAPE_SPINS = 128 };

/* Returns how often the core was given up. */
static inline unsigned memshape_lock_take(struct memshape_lock *lock) {
  unsigned spins = 0;
  while (__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE))
    while (__atomic_load_n(&lock->held, __ATOMIC_RELAXED))
      if (++spins % MEMSHAPE_SPINS)
        memshape_pause();
      else
        sched_yield();
  return spins / MEMSHAPE_SPINS;
}

static inline void memshape_lock_give(struct memshape_lock *lock) {
  __atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);
}
