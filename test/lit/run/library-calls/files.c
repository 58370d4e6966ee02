// An operator that writes and reads files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No file is touched in a prediction. A stream has 472 bytes and, from its first transfer on, a buffer of 4096; a
// directory has 32816. Whether they open, and how much is in them, are decisions; success is the answer taken first.
//
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %clang -std=c11 -O2 -DNAME='"%t.d/values"' %operator
// RUN: %memshape predict %t --shape n=1000 --json | FileCheck %s
// RUN: not test -e %t.d/values
// RUN: %compare %t --shape n=1000 --bounds 4472..36816 -- 1000
// RUN: %compare %t --shape n=9000 --bounds 36472..68816 -- 9000
//
// CHECK: "peak_bytes": 36816,
// CHECK: "lower_bytes": 4472,
// CHECK: "upper_bytes": 36816,
// CHECK: "exact": false
// CHECK: "total_bytes": 45952,
// CHECK: "allocations": 6,
// CHECK-NOT: "treatment"
// CHECK: buffers of files, taken to have 4096 bytes

#define _POSIX_C_SOURCE 200809L
#include "../Inputs/twice.h"
#include <dirent.h>
#include <stdio.h>

MEMSHAPE_OPERATOR
int rewritten(const float *in, int n) {
  int entries = 0;
  float *values = malloc(n * sizeof(float));
  if (!values)
    return -1;
  memcpy(values, in, n * sizeof(float));
  DIR *directory = opendir(".");
  if (directory) {
    while (readdir(directory))
      ++entries;
    closedir(directory);
  }
  FILE *file = fopen(NAME, "wb");
  if (file) {
    if (fwrite(values, sizeof(float), n, file) != (size_t)n)
      fprintf(stderr, "not all of %d values were written\n", n);
    fclose(file);
    file = fopen(NAME, "rb");
  }
  if (file) {
    fseek(file, 0, SEEK_SET);
    if (fread(values, sizeof(float), n, file) != (size_t)n)
      perror(NAME);
    fclose(file);
  }
  remove(NAME);
  entries += values[n / 2] > 0;
  free(values);
  return entries;
}

TWICE(sink = rewritten(data, number(1)))
