// Signals that the operator raises.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program chooses what handles them, as a function in a variable of its own: what that requests comes on top. Raised
// where every run comes by, the answer is the bound; where none does, nothing is said of it.
//
// RUN: %held -O2
// RUN: %predict --operator checked --shape n=100 | %says \
// RUN:   "peak heap {{.*}} 400 bytes at most: if 'the handler of a signal' requests nothing"

#include "../Inputs/twice.h"
#include <signal.h>

static void *request(size_t bytes) {
  void *made = malloc(bytes);
  if (!made)
    raise(SIGABRT);
  return made;
}

// HELD plain n=100
MEMSHAPE_OPERATOR
float plain(const float *in, int n) {
  float *copy = (float *)request(n * sizeof(float));
  for (int i = 0; i < n; ++i)
    copy[i] = in[n - 1 - i];
  const float first = copy[0] + copy[n - 1];
  free(copy);
  return first;
}

// HELD checked n=100 --bounds 400..400
MEMSHAPE_OPERATOR
float checked(const float *in, int n) {
  float *copy = (float *)request(n * sizeof(float));
  if (in[0] > in[n - 1])
    raise(SIGUSR1);
  for (int i = 0; i < n; ++i)
    copy[i] = in[n - 1 - i];
  const float first = copy[0] + copy[n - 1];
  free(copy);
  return first;
}

static void ignore(int number) { (void)number; }

TWICE_OF(plain, sink = plain(data, number(1)))
TWICE_OF(checked, (signal(SIGUSR1, ignore), sink = checked(data, number(1))))
TWICE_EACH
