// A pointer that may be null, of an operator that returns a structure.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that tells what is returned calls such an operator. It hands the pointer on as the caller gives it, so
// that whether it is null is a decision, as without it.
//
// RUN: %clang -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=plan_new -c %s -o %t.o
// RUN: %predict --operator plan_new --shape n=100 | %says "peak heap {{.*}} 816 bytes at most" "at least {{.*}} 0 bytes"
// RUN: %predict --operator plan_new --shape n=100 --set size.present=1 | %says "peak heap {{.*}} 0 bytes exact"

#include <stdlib.h>

struct plan {
  int n;
  double *factors;
};

struct plan *plan_new(int n, void *at, size_t *size) {
  struct plan *made = NULL;
  const size_t needed = sizeof *made + 8 * (size_t)n;
  if (size == NULL) {
    made = malloc(needed);
  } else {
    if (at != NULL && *size >= needed)
      made = at;
    *size = needed;
  }
  if (made)
    made->n = n;
  return made;
}
