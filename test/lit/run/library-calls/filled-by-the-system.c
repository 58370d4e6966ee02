// What the C library writes where the program reads it later.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A stream keeps its buffer and writes to it in any later call. `readv` writes behind the pointers in a list. The text of
// an error is that of errno, which the program may set.
//
// RUN: %held -std=gnu11 -O2
// HELD -DKIND=buffered n=100 --bounds 472..2612
// HELD -O0 -DKIND=buffered n=100 --bounds 472..2612
// HELD -DKIND=scattered n=100 --bounds 100..220
// HELD -DKIND=failed n=100 --bounds 0..none --because unbounded_size

#include "../Inputs/twice.h"
#include <errno.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

enum { buffered, scattered, failed };

static void *volatile used;

MEMSHAPE_OPERATOR
void sized(int n) {
  char text[256] = {0};
  size_t more = 0;
  FILE *file = 0;
  if (KIND == buffered) {
    file = fopen("/dev/null", "w");
    if (!file)
      return;
    setvbuf(file, text, _IOFBF, 128);
    fputs("abcdef", file);
    more = strlen(text);
  }
  if (KIND == scattered) {
    char read[16] = {0};
    struct iovec list = {read, 15};
    int ends[2] = {0, 0};
    if (pipe(ends) == 0 && write(ends[1], "hello", 5) == 5)
      readv(ends[0], &list, 1);
    close(ends[0]);
    close(ends[1]);
    more = strlen(read);
  }
  if (KIND == failed) {
    errno = n;
    more = (size_t)snprintf(text, sizeof text, "%m");
  }
  void *block = malloc(8 * more + n);
  used = block;
  free(block);
  if (KIND == buffered)
    fclose(file);
}

TWICE(sized((int)number(1)))
