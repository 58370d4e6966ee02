// What a library leaves behind is not followed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A prediction reads no line. What hangs on its text has no bound above. A stream is no structure of the operator's.
//
// RUN: %clang -std=gnu11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=op -c %s -o %t.o
// RUN: %memshape predict %t.o --shape n=100 | FileCheck %s
// CHECK-NOT: exact
// CHECK: peak heap {{.*}} one run, without what 'getline' requests

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *op(FILE *from, int n) {
  char *line = NULL;
  size_t capacity = 0;
  if (getline(&line, &capacity, from) < 0)
    return calloc(n, 1);
  char *kept = malloc(strlen(line) + n);
  strcpy(kept, line);
  free(line);
  return kept;
}
