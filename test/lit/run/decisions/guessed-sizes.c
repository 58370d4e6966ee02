// No headline of sizes that were guessed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The length of a text has the bounds of its type alone. Half of that is no figure, where nothing bounds the peak.
//
// RUN: %clang -O2 -g -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict | FileCheck %s
// CHECK: peak heap 0 B 0 bytes at least, and what {{.*}} say: --assume {{.*}}=N,{{.*}}=N
// CHECK-NEXT: : a size or a count that comes from data
// CHECK-NEXT: is 'int length = (int)strlen(name);' at {{.*}}guessed-sizes.c:[[@LINE+15]]: a size or a count
// CHECK-NOT: GiB
// CHECK: Decisions that the data takes
// RUN: %predict --json | %says '"peak_bytes": 0,' '"upper_bytes": null' '"headline": "lower"'

#include <memshape/operator.h>
#include <stdlib.h>
#include <string.h>

struct wavelet {
  int length;
  double filter[1];
};

static int filter_length(const char *name) {
  int length = (int)strlen(name);
  if (!strcmp(name, "haar"))
    return 2;
  if (length < 3 || !strstr(name, "db"))
    return 0;
  char *digits = malloc(length - 1);
  for (int i = 2; i < length + 1; ++i)
    digits[i - 2] = name[i];
  int order = atoi(digits);
  free(digits);
  return order > 38 ? 0 : 2 * order;
}

MEMSHAPE_OPERATOR struct wavelet *make(const char *name) {
  int length = name ? filter_length(name) : 0;
  struct wavelet *made = malloc(sizeof(struct wavelet) + sizeof(double) * 4 * length);
  made->length = length;
  return made;
}
