// A linked list in C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers and contents in many blocks, reached through links of the operator's own.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"

struct node {
  struct node *next;
  int length;
  float *values;
};

MEMSHAPE_OPERATOR
float chain(const float *in, int n) {
  struct node *head = NULL;
  for (int i = 1; i <= n; ++i) {
    struct node *added = malloc(sizeof *added);
    added->length = i;
    added->values = malloc(i * sizeof(float));
    for (int j = 0; j < i; ++j)
      added->values[j] = in[j];
    added->next = head;
    head = added;
  }
  float sum = 0;
  while (head) {
    struct node *gone = head;
    head = gone->next;
    double *copy = malloc(gone->length * sizeof *copy);
    copy[0] = gone->values[gone->length - 1];
    sum += (float)copy[gone->length / 2];
    free(copy);
    free(gone->values);
    free(gone);
  }
  return sum;
}

TWICE(sink = chain(data, number(1)))
