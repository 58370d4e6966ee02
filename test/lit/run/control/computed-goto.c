// Labels that data choose.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A jump to a label that data choose is a decision where the compiler tells it as a switch, and replayed elsewhere.
//
// RUN: %clang -std=gnu11 -O2 %operator
// RUN: %compare %t --shape n=200 --bounds 0..401 -- 200

#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
float steps(const float *in, int n) {
  static void *const labels[] = {&&none, &&one, &&two};
  long count = 1;
  int at = 0;
next:
  if (at == n)
    goto done;
  goto *labels[in[at++] > 0 ? 1 : in[at] > 0.5f ? 2 : 0];
one:
  count += 1;
  goto next;
two:
  count += 2;
none:
  goto next;
done:;
  char *work = malloc(count);
  work[0] = in[0] > 0;
  float result = work[count / 2];
  free(work);
  return result;
}

TWICE(sink = steps(data, number(1)))
