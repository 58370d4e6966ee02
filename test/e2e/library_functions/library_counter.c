/* Counts what rows of calls ask the heap for.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The program's own malloc family, which the libraries reach as well, and main. A row whose process does not come to
   its end is printed with -1. Prints to the file descriptor that is its argument: the rows may close the others. */

#include "library_functions.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static volatile long Requests;
void *malloc(size_t bytes) { return ++Requests, __libc_malloc(bytes); }
void *calloc(size_t count, size_t bytes) { return ++Requests, __libc_calloc(count, bytes); }
void *realloc(void *block, size_t bytes) { return ++Requests, __libc_realloc(block, bytes); }
void *memalign(size_t alignment, size_t bytes) { return ++Requests, __libc_memalign(alignment, bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void **place, size_t alignment, size_t bytes) {
  *place = memalign(alignment, bytes);
  return *place ? 0 : ENOMEM;
}

enum { MostRows = 256, Later = 1000 };
static struct row Rows[MostRows];
static int Count;

struct row *row(void (*calls)(int)) {
  int at = 0;
  while (at < Count && Rows[at].calls != calls)
    ++at;
  Count += at == Count;
  Rows[at].calls = calls;
  return &Rows[at];
}

int main(int count, char **arguments) {
  FILE *out = fdopen(count > 1 ? atoi(arguments[1]) : 1, "w");
  long *counted = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (!out || counted == MAP_FAILED)
    return 2;
  for (int r = 0; r < Count; ++r) {
    fflush(out);
    pid_t child = fork();
    if (child < 0)
      return 2;
    if (child == 0) {
      counted[0] = counted[1] = -1;
      if (Rows[r].before)
        Rows[r].before();
      long at = Requests;
      Rows[r].calls(0);
      counted[0] = Requests - at;
      at = Requests;
      for (int call = 1; call <= Later; ++call)
        Rows[r].calls(call);
      counted[1] = Requests - at;
      _exit(0);
    }
    int status;
    if (waitpid(child, &status, 0) != child || status != 0)
      counted[1] = -1;
    fprintf(out, "%ld %ld %s\n", counted[0], counted[1], Rows[r].functions);
  }
  return fclose(out) ? 2 : 0;
}
