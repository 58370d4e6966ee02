// Members that others set in ways of which the maker's caller sees nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One is a bit-field, which has no address; of one the maker itself keeps the address, for a function that is not given
// the structure. Both are data. So is what a choice of two pointers leads to, or one beside a pointer, and what a function
// gives back of what it takes, or what the maker keeps in a variable. A member that nobody sets is as it was made.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=* -c %s -o %t.o
// RUN: %predict --operator by_mode --shape s.n=10 | %says "peak heap {{.*}} 568 bytes at most" "at least {{.*}} 8 bytes"
// RUN: %predict --operator by_level --shape s.n=10 | %says "peak heap {{.*}} at least"
// RUN: %predict --operator by_step --shape s.n=10 | %says "peak heap {{.*}} 40 bytes exact"
// RUN: %predict --operator by_factor --shape s.n=10 | %says "peak heap {{.*}} 48 bytes exact"
// RUN: %predict --operator by_part --shape s.n=10 | %says "peak heap {{.*}} at least"
// RUN: %predict --operator by_choice --shape s.n=10 | %says "peak heap {{.*}} at least"
// RUN: %predict --operator by_next --shape s.n=10 | %says "peak heap {{.*}} at least"
// RUN: %predict --operator by_text --shape s.n=10 | %says "peak heap {{.*}} bytes at most: data decides"
// RUN: %predict --operator by_last --shape s.n=10 | %says "peak heap {{.*}} at least"
// RUN: %predict --operator by_kept --shape s.n=10 | %says "peak heap {{.*}} 40 bytes exact"

#include <stdlib.h>
#include <string.h>

typedef struct state {
  int n;
  unsigned mode : 3, fast : 1;
  int level, step, factors[2], parts[2];
  double *weights;
  int *near, *far, *next, *last, *kept;
  char *text;
} *state_t;

static int *kept, *last;

// What a part of the maker writes is as the maker leaves it; what somebody else writes by the same function is not.
static void factorise(int n, int *to) {
  while (n % 5 == 0) {
    *to++ = 5;
    n /= 5;
  }
}
static void divide(int n, int *to) { *to = n / 2; }

static int *lengths(int n) {
  int *all = calloc(n, sizeof(int));
  all[1] = 4;
  return all;
}

state_t state_new(int n) {
  state_t s = calloc(1, sizeof *s);
  s->n = n;
  s->mode = 2;
  s->level = 3;
  s->step = 4;
  s->weights = calloc(n, sizeof(double));
  s->near = lengths(n);
  s->far = lengths(n);
  s->next = lengths(n);
  s->last = last = lengths(n);
  s->kept = lengths(n);
  s->text = calloc(n, 1);
  s->text[1] = 4;
  kept = &s->level;
  factorise(n, s->factors);
  divide(n, s->parts);
  return s;
}

void state_part(state_t s, int n) { divide(n, s->parts); }
void state_mode(state_t s, int mode) { s->mode = mode; }
void set_elsewhere(int *length);
void state_choice(state_t s, int far, int length) { *(far ? s->far : s->near) = length; }
void state_next(state_t s) {
  int *next = s->next;
  set_elsewhere(next + 1);
}
void state_last(int length) { last[1] = length; }
void state_text(state_t s) { *strchr(s->text, 4) = 1; }
void state_level(int level) { *kept = level; }

static double chosen(int count, const double *weights) {
  double *values = malloc(8 * count + 8);
  for (int i = 0; i <= count; ++i)
    values[i] = weights[0] + i;
  const double one = values[(int)weights[0] % (count + 1)];
  free(values);
  return one;
}

double by_mode(state_t s) { return chosen(s->mode * 10, s->weights); }
double by_level(state_t s) { return chosen(s->level, s->weights); }
double by_step(state_t s) { return chosen(s->step, s->weights); }
double by_factor(state_t s) { return chosen(s->factors[0], s->weights); }
double by_part(state_t s) { return chosen(s->parts[0], s->weights); }
double by_choice(state_t s) { return chosen(s->near[1], s->weights); }
double by_next(state_t s) { return chosen(s->next[1], s->weights); }
double by_text(state_t s) { return chosen(s->text[1], s->weights); }
double by_last(state_t s) { return chosen(s->last[1], s->weights); }
double by_kept(state_t s) { return chosen(s->kept[1], s->weights); }
