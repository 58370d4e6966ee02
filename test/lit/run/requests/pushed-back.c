// Buffers that a stream is given later.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is put back into a stream goes into a buffer of its own, which doubles. setvbuf makes the usual buffer at once,
// where it is given none, and perror a stream of its own. The bounds count them.
//
// RUN: %held -std=gnu11 -O2
// HELD -DKIND=1 n=3 --bounds 472..4696 --reached
// HELD -DKIND=1 n=200 --bounds 472..4952 --reached
// HELD -DKIND=2 n=3 --bounds 472..4568 --reached
// HELD -DKIND=3 n=3 --bounds 3..4571 --reached
// HELD -DKIND=4 n=3 --bounds 0..none --because left_out

#include "../Inputs/twice.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

MEMSHAPE_OPERATOR
int put_back(const float *in, int n) {
  if (KIND == 3) {
    char *work = malloc(n);
    perror("as expected");
    work[0] = in[0] > 0;
    work[n - 1] = 1;
    int result = work[n / 2];
    free(work);
    return result;
  }
  FILE *file = fopen(__FILE__, KIND == 4 ? "r,ccs=UTF-8" : "r");
  if (!file)
    return -1;
  if (KIND == 1) {
    getc(file);
    for (int i = 0; i < n; ++i)
      ungetc('a' + i % 9, file);
    n = getc(file);
  } else {
    setvbuf(file, NULL, _IOFBF, 70000);
  }
  fclose(file);
  return n + (in[0] > 0);
}

TWICE({
  dup2(open("/dev/null", O_RDWR), 2);
  sink = put_back(data, number(1));
})
