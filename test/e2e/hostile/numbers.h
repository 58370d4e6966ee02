// In front of the sources of numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A source is a function NUMBER(name, tags) in a file of sources/, with what stands in front of it: one line, or one
// with indented lines behind it, is one declaration. Its number must be well defined for all parameters; `shape` is an
// integer from the shape. It may hand out, in *given (tag `gives`) or by leave(), a block that stays. AT cuts an index,
// WORD makes a short text of data, whole an integer.
//   BOTH(...)               in the operators' unit and in another one
//   ELSEWHERE(...)          in the other one alone; SET { } there is what the caller does with an int `value`
//   IN_OTHER_LANGUAGE(...)  in a third one, C++ beside C and C beside C++
//   $                       the source's name
// Tags: `shape` where the number follows from the shape alone; `fenv` where it needs access to the floating-point
// environment; `fast` where -ffast-math may decide, `finite` where that must not be said; `openmp`; `thread`
// where each thread keeps something; `gives`; `ends` where some calls do not return; `program` where it changes other
// operators, too; `x86`.

#define _GNU_SOURCE 1
#include "hostile.h"
#include <alloca.h>
#include <cpuid.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <x86intrin.h>
#if defined(__cplusplus) && !defined(HOSTILE_PLAIN)
#include <bits/stdc++.h>
#endif
#ifdef __cplusplus
#define EXPORTED extern "C"
#else
#define EXPORTED
#endif
#define NOINLINE __attribute__((noinline))
// Not every clang comes with omp.h.
EXPORTED int omp_get_thread_num(void), omp_get_num_threads(void), omp_get_max_threads(void), omp_in_parallel(void);
EXPORTED int omp_get_level(void), omp_get_thread_limit(void), omp_get_dynamic(void);
EXPORTED void omp_set_num_threads(int number);
#define AT(array, index) ((array)[(unsigned long)(index) & 255])
#define WORD(name, at)                                                                                                 \
  char name[16];                                                                                                       \
  copied(name, text + ((unsigned long)(at) & 127), 12)
#define PARAMETERS const float *in, int *ints, char *text, int n, int m, float *out, int *state
#define NUMBERS PARAMETERS, int shape, void **given
static inline void leave(char *text, void *p) { // the caller writes to two integers there
  // What the operator does later may write over it: the mark belongs to this pointer.
  const unsigned long mark = HOSTILE_MARK ^ (unsigned long)p;
  memcpy(text + 504, &mark, 8), memcpy(text + 512, &p, 8);
}
static inline unsigned long cut(unsigned long v) { return (v & 255) + 1; }
static inline unsigned long few(unsigned long v) { return v & 7; }
static inline long whole(double v) { return v > -1e9 && v < 1e9 ? (long)v : 5; }
static inline void copied(char *to, const char *from, int room) {
  int at = 0;
  for (; at < room - 1 && from[at]; ++at)
    to[at] = from[at];
  to[at] = 0;
}
static void bye(void) {}
static void later(int v, void *p) { (void)v, (void)p; }
static NOINLINE float touched(const void *p) { return *(const char *)p; }
static int compared(const void *a, const void *b) {
  return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}
static int ordered(const void *a, const void *b) {
  const uintptr_t left = (uintptr_t)*(char *const *)a, right = (uintptr_t)*(char *const *)b;
  return (left > right) - (left < right);
}
