// Blocks that grow, move, shrink and vanish.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _DEFAULT_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  uint32_t *trace = NULL;
  size_t length = 0, capacity = 0;
  for (uint32_t i = 0; i < 100000; ++i) {
    if (length == capacity) {
      capacity = capacity ? capacity * 2 : 1;
      trace = realloc(trace, capacity * sizeof *trace);
    }
    trace[length++] = i * 2654435761u;
  }
  trace = realloc(trace, length * sizeof *trace);
  uint32_t sum = 0;
  for (size_t i = 0; i < length; ++i)
    sum ^= trace[i];
  printf("%zu %zu %08x\n", length, capacity, sum);

  errno = 0;
  volatile size_t far_too_much = SIZE_MAX / 2;
  void *volatile refused = realloc(trace, far_too_much);
  __asm__ volatile("" ::: "memory"); /* compilers take it that realloc leaves errno alone */
  printf("refused: %d, errno %d, still there: %u\n", refused == NULL, errno == ENOMEM,
         trace[99999] == 99999u * 2654435761u);
  free(trace);

  char *zero = calloc(1000, 3);
  int dirty = 0;
  for (int i = 0; i < 3000; ++i)
    dirty |= zero[i];
  volatile size_t many = SIZE_MAX / 4;
  void *volatile overflowed = calloc(many, 8);
  printf("dirty %d, overflow refused %d\n", dirty, overflowed == NULL);
  zero = reallocarray(zero, 50, 10);
  void *aligned = NULL;
  int failed = posix_memalign(&aligned, 4096, 100);
  void *other = aligned_alloc(64, 640);
  printf("posix_memalign %d %d, aligned_alloc %d, bad alignment %d\n", failed, (int)((uintptr_t)aligned % 4096),
         (int)((uintptr_t)other % 64), posix_memalign(&(void *){NULL}, 3, 10) == EINVAL);
  free(zero);
  free(aligned);
  free(other);
  free(NULL);
  return 0;
}
