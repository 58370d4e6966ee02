// RUN: %clang -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// A helper that calls itself at several places is entered a few times, not once for each way through its calls: a
// search through a tree of choices, where each answer decides whether the next one is asked for.

#include <stdlib.h>

static int fits(const int *choice, int at) {
  if (at < 0)
    return 1;
  if (choice[at] == 'a')
    return fits(choice, at - 1) ? 1 : 0;
  if (choice[at] == 'b') {
    if (fits(choice, at - 1))
      return 1;
    else
      return 0;
  }
  if (fits(choice, at - 2) && !fits(choice, at - 3))
    return fits(choice, at - 4);
  return choice[at] == 'c' && fits(choice, at - 5);
}

__attribute__((annotate("memshape.operator"))) void choose(int *choice, int n) {
  int *copy = malloc(n * sizeof(int));
  while (fits(copy, n - 1))
    copy[0] = choice[n - 1];
  free(copy);
}

// CHECK: operator choose {{.*}} truncated=no
// CHECK: allocation function={choose} name={copy} kind={raw} space={host} size_written={n * sizeof(int)}
