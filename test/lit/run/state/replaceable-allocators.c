// Allocators that a program may replace.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory is asked of functions in variables that anybody may set. They are taken to hold what they hold when the program
// begins, by their definitions or by constructors, which the answer names: it has bounds and is not exact. That holds for
// variables one by one, for structures, for those that are copied or passed on, and for functions with a body of the
// unit's own. Nothing is taken of a variable that the operator sets itself, that begins with null, or that holds something
// else than an allocator.
//
// RUN: %held -std=c11 -O2
// HELD -DHOOKS=variables n=100 --bounds 800..800
// HELD -DHOOKS=structure n=100 --bounds 800..800
// HELD -DHOOKS=passed_on n=100 --bounds 800..800
// HELD -DHOOKS=own n=100 --bounds 816..816
// HELD -DHOOKS=begun n=100 --bounds 800..800
//
// RUN: %clang -std=c11 -O2 -DHOOKS=set_here -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: not %predict --shape n=100 2>&1 | %says "whose target is not known"
// RUN: %clang -std=c11 -O2 -DHOOKS=told -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --shape n=100 | FileCheck %s --check-prefix=TOLD
// TOLD: peak heap {{.*}} 800 bytes at most
// TOLD: the program chooses listener, not executed and taken to request no memory
// RUN: %clang -std=c11 -O2 -DHOOKS=begins_null -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: not %predict --shape n=100 2>&1 | %says "whose target is not known"
//
// RUN: %clang -std=c11 -O2 -DHOOKS=variables -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --shape n=100 | FileCheck %s
// CHECK: peak heap {{.*}} 800 bytes at most: if memory is asked of the functions below
// CHECK: 'take' is taken to hold 'malloc', as when the program begins
// RUN: %clang -std=c11 -O2 -DHOOKS=begun -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --shape n=100 | FileCheck %s --check-prefix=BEGUN
// BEGUN: peak heap {{.*}} 800 bytes at most: if memory is asked of the functions below
// BEGUN: 'library' is taken to hold 'malloc', as when the program begins, where

#include "../Inputs/twice.h"

enum { variables, structure, passed_on, own, set_here, begins_null, told, begun };

typedef void *(*taker)(size_t);
typedef void (*giver)(void *);
struct hooks {
  taker take;
  giver give;
};

static void *counted(size_t bytes) { return malloc(bytes + 16); }
static void uncounted(void *block) { free(block); }

static void show(int n) { free(malloc((size_t)n)); }

static taker take = malloc, none;
static void (*listener)(int) = show;
static giver give = free;
static struct hooks standard = {malloc, free}, special = {counted, uncounted};

struct {
  int calls;
  struct hooks hooks;
} library;

__attribute__((constructor)) static void begin(void) {
  library.calls = rand();
  library.hooks.take = malloc;
  library.hooks.give = free;
}

void set_hooks(taker t, giver g, void (*l)(int)) {
  listener = l;
  take = none = standard.take = special.take = t;
  give = standard.give = special.give = g;
  library.hooks = standard;
}

__attribute__((noinline)) static float with(const struct hooks *h, const float *in, int n) {
  double *sums = h->take((size_t)n * sizeof(double));
  sums[n / 2] = in[0];
  const float sum = (float)sums[n / 2];
  h->give(sums);
  return sum;
}

MEMSHAPE_OPERATOR
float op(const float *in, int n) {
  if (HOOKS == told)
    listener(n);
  if (HOOKS == structure)
    return with(&standard, in, n);
  if (HOOKS == own)
    return with(&special, in, n);
  if (HOOKS == begun) {
    ++library.calls;
    return with(&library.hooks, in, n);
  }
  if (HOOKS == passed_on) {
    const struct hooks copy = standard;
    return with(&copy, in, n);
  }
  if (HOOKS == set_here)
    standard.take = in[0] > 2 ? counted : none;
  struct hooks now = {HOOKS == set_here ? standard.take : HOOKS == begins_null ? none : take, give};
  return with(&now, in, n);
}
