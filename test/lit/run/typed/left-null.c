// What a maker leaves null behind a handle.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another function of the unit appends to the list, and is given the place of its head; or it sets the allocator. So no
// call may be taken for one on an empty list, or without an allocator, although no pointer is ever stored where the
// operator looks.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=range -fplugin-arg-memshape-operator=taken -fplugin-arg-memshape-operator=middle -c %s -o %t.o
// RUN: %predict --operator range --shape s.n=10 | FileCheck %s
// RUN: %predict --operator taken --shape s.n=10 | FileCheck %s
// RUN: %predict --operator middle --shape s.n=10 | FileCheck %s
// CHECK: peak heap
// CHECK-NOT: exact

#include <stdlib.h>

struct element {
  struct element *next;
  double value;
};
struct history {
  struct element *head;
  void *(*allocate)(size_t);
  int rate;
};
typedef struct state {
  int n;
  double *weights;
  struct history *past;
  struct element **rows; // behind the structure, in its block
} *state_t;

state_t state_new(int n) {
  state_t s = malloc(sizeof *s + n * sizeof(struct element *));
  s->n = n;
  s->weights = malloc(n * sizeof(double));
  s->past = malloc(sizeof *s->past);
  s->past->head = NULL;
  s->past->allocate = NULL;
  s->past->rate = 2;
  s->rows = (struct element **)(s + 1);
  for (int i = 0; i < n; ++i)
    s->rows[i] = NULL;
  return s;
}

static void push(struct element **head, double value) {
  struct element *new = malloc(sizeof *new);
  new->next = *head;
  new->value = value;
  *head = new;
}

void remember(state_t s, double value) { push(&s->past->head, value); }
void remember_in(state_t s, int row, double value) { push(&s->rows[row], value); }

static double spread(struct element *head, const double *weights) {
  int count = 0;
  for (struct element *each = head; each; each = each->next)
    ++count;
  if (!count)
    return 0;
  double *values = malloc(count * sizeof *values);
  int i = 0;
  for (struct element *each = head; each; each = each->next)
    values[i++] = each->value;
  const double chosen = values[(int)weights[0] % count];
  free(values);
  return chosen;
}

double range(state_t s) { return spread(s->past->head, s->weights); }
double middle(state_t s) { return spread(s->rows[s->n / 2], s->weights); }

static void set(struct history *past, void *(*allocate)(size_t)) { past->allocate = allocate; }
void take_from(state_t s, void *(*allocate)(size_t)) { set(s->past, allocate); }

static double scaled(const struct history *past, int n) {
  double *values = past->allocate ? past->allocate(64 * n) : malloc(8 * n);
  for (int i = 0; i < n; ++i)
    values[i] = i * past->rate;
  const double chosen = values[past->rate % n];
  free(values);
  return chosen;
}

double taken(state_t s) { return scaled(s->past, s->n); }
