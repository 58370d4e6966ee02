// Integers that are looked at as others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that are copied into another array may be read there under any type of number.
//
// RUN: %held -std=c11 -O2 -lm
// HELD '-DOF=at * 70000 + 5' n=200
// HELD -DOF=(int)in[at] n=200 --bounds 1600..12401

#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
float looked(const float *in, int n) {
  int *wide = malloc(sizeof(int) * n);
  short *narrow = malloc(sizeof(int) * n);
  long sum = 1;
  for (int at = 0; at < n; ++at)
    wide[at] = OF;
  memcpy(narrow, wide, sizeof(int) * n);
  for (int at = 0; at < 2 * n; ++at)
    sum += narrow[at] & 31;
  free(narrow);
  free(wide);
  char *work = malloc(sum);
  work[0] = in[0] > 0;
  float result = work[sum / 2];
  free(work);
  return result;
}
