// What the C library leaves behind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// errno, the end that strtod finds and the rest of a number are data where what they follow from is; so is memory that
// was given back to the system.
//
// RUN: %held -std=gnu11 -O2 -lm
// HELD -DKIND=1 n=100 --bounds 800..1600
// HELD -DKIND=2 n=100 --bounds 800..1600
// HELD -DKIND=3 n=100 --bounds 400..3200
// HELD -DKIND=4 n=100
// HELD -DKIND=5 n=8000 --bounds 32000..128000
// HELD -DKIND=6 n=100 --bounds 400..1600
// HELD -DKIND=7 n=100

#include "../Inputs/twice.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

static int told(const float *in, int n) {
  errno = 0;
  if (KIND == 1)
    return sink = log(in[n]), errno ? 3 : 1;
  char text[8] = {'1', in[n] > 0 ? '2' : ' ', '3', 0}, *end;
  if (KIND == 2)
    return sink = strtod(text, &end), (int)(end - text);
  if (KIND == 5) {
    char *page = aligned_alloc(4096, 4096);
    memset(page, 2, 4096);
    madvise(page, 4096, MADV_DONTNEED);
    const int size = page[9] & 3;
    free(page);
    return size;
  }
  if (KIND == 6)
    return sysconf(_SC_OPEN_MAX) & 3;
  if (KIND == 7)
    return sysconf(_SC_PAGESIZE) > 0;
  int exponent;
  if (KIND == 3)
    return sink = frexp(in[n], &exponent), exponent & 7;
  return isspace(n & 1 ? ' ' : 'x') ? 2 : 1;
}

MEMSHAPE_OPERATOR
float left(const float *in, int n) {
  float *work = malloc(sizeof(float) * n * (told(in, n) + 1));
  work[0] = in[0];
  work[n - 1] = 1;
  float result = work[n / 2];
  free(work);
  return result;
}
