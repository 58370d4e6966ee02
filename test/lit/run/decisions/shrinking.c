// Numbers that a loop makes anew in each iteration, from at most as many as they were.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -O2

#include "../Inputs/twice.h"

// The number goes from iteration to iteration.
// HELD narrowed n=1000,rounds=10 --bounds 8000..8000 -- 1000 10
MEMSHAPE_OPERATOR
int narrowed(const float *in, int n, int rounds) {
  int *found = (int *)malloc(n * sizeof(int)), size = n;
  for (int i = 0; i < n; ++i)
    found[i] = i;
  for (int round = 0; round < rounds && size > 0; ++round) {
    int *kept = (int *)malloc(size * sizeof(int)), number = 0;
    for (int i = 0; i < size; ++i)
      if (in[found[i]] > round)
        kept[number++] = found[i];
    for (int i = 0; i < number; ++i)
      found[i] = kept[i];
    free(kept);
    size = number;
  }
  free(found);
  return size;
}

struct list {
  int size;
  float *values;
};

static struct list *make(int size) {
  struct list *made = (struct list *)malloc(sizeof *made);
  made->size = size;
  made->values = (float *)malloc(size * sizeof(float));
  return made;
}

static void drop(struct list *one) {
  free(one->values);
  free(one);
}

static struct list *above(const struct list *of, int *found, int least) {
  int number = 0;
  for (int i = 0; i < of->size; ++i)
    if (of->values[i] > least)
      found[number++] = i;
  struct list *those = make(number);
  for (int i = 0; i < number; ++i)
    those->values[i] = of->values[found[i]];
  return those;
}

// The number is in memory. Where not all runs are followed, the lists of all iterations count.
// HELD lists n=1000,rounds=3 --bounds 8016..20048 -- 1000 3
// HELD lists n=1000,rounds=50 --bounds 8016..208048 -- 1000 50
MEMSHAPE_OPERATOR
float lists(const float *in, int n, int rounds) {
  struct list *now = make(n);
  int *found = (int *)malloc(n * sizeof(int));
  for (int i = 0; i < n; ++i)
    now->values[i] = in[i];
  for (int round = 0; round < rounds; ++round) {
    struct list *fewer = above(now, found, round);
    drop(now);
    now = fewer;
  }
  const float left = now->size;
  drop(now);
  free(found);
  return left;
}

// It may be one more each time: no bound of this kind.
// HELD doubled n=1000,rounds=30 --bounds 1000..none --because endless_answers -- 1000 30
MEMSHAPE_OPERATOR
int doubled(const float *in, int n, int rounds) {
  int size = n;
  for (int round = 0; round < rounds; ++round) {
    char *kept = (char *)malloc(size);
    int number = 0;
    for (int i = 0; i < size; ++i)
      number += (in[i] > round) + (in[i] < -round);
    memset(kept, round, size);
    for (int i = 0; i < size; ++i)
      number += kept[(kept[i] + number) % size] > round;
    free(kept);
    size = number + 1;
  }
  return size;
}

TWICE_EACH
