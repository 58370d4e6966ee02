// Functions that the caller passes, and what they may do to the operator's blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One that gives back no pointer is taken to request no memory: the upper bound stands, and names it. It may free what is
// within its reach, so that the operator holds at least what it held before. It may call the operator again, or throw,
// and that call finds what this one has stored. One that gives back a pointer may be an allocator: no upper bound. One
// that lies in memory of unknown contents is named by the line that calls it.
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-operator=weighed -fplugin-arg-memshape-operator=handed \
// RUN:   -fplugin-arg-memshape-operator=walked -fplugin-arg-memshape-operator=told \
// RUN:   -fplugin-arg-memshape-operator=entered
// HELD weighed n=100 --bounds 800..800
// HELD handed n=100 --bounds 400..800
// HELD walked n=100 --bounds 400..400
// HELD told n=100 --bounds 400..400
// HELD entered n=100 --bounds 0..none --because earlier_calls
//
// RUN: %predict --operator walked --shape n=100 | %says "peak heap {{.*}} 400 bytes at most: if 'visit' requests nothing"
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=asked -I%include -c %s -o %t.o
// RUN: %predict --shape n=100 | %says "peak heap {{.*}} 400 bytes at least, without what 'take' requests"
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=led -I%include -c %s -o %t.o
// RUN: %predict --shape n=100 | %says "at most: if 'the function called at functions-of-the-caller.c:93' requests nothing"

#include "../Inputs/twice.h"
#include <stdarg.h>
#include <stdio.h>

static float square(float x) { return x * x; }

float weighed(int n, float (*weight)(float), const float *in) {
  float *out = malloc(n * sizeof(float)), *of = malloc(n * sizeof(float));
  for (int i = 0; i < n; ++i)
    out[i] = weight(of[i] = in[i]);
  const float last = out[n - 1] + of[0];
  free(of);
  free(out);
  return last;
}
TWICE_OF(weighed, sink = weighed(number(1), square, data))

float handed(int n, void (*consume)(void *), const float *in) {
  float *first = malloc(n * sizeof(float));
  memcpy(first, in, n * sizeof(float));
  consume(first);
  float *second = malloc(n * sizeof(float));
  memcpy(second, in, n * sizeof(float));
  const float last = second[n - 1];
  free(second);
  return last;
}
TWICE_OF(handed, sink = handed(number(1), free, data))

static float walk(const float *in, int first, int last, float (*visit)(float)) {
  if (last - first < 2)
    return visit(in[first]);
  const int middle = first + (last - first) / (in[first] > 0 ? 2 : 3);
  return walk(in, first, middle > first ? middle : first + 1, visit) +
         walk(in, middle > first ? middle : first + 1, last, visit);
}

/// What is passed on to a function that calls itself is the caller's, too.
float walked(int n, float (*visit)(float), const float *in) {
  float *all = malloc(n * sizeof(float));
  memcpy(all, in, n * sizeof(float));
  const float sum = walk(all, 0, n, visit);
  free(all);
  return sum;
}
TWICE_OF(walked, sink = walked(number(1), square, data))

static int entries;
static void rest(void) {}
float entered(int n, void (*step)(void), const float *in) {
  float *all = malloc((n + 20 * entries) * sizeof(float));
  memcpy(all, in, n * sizeof(float));
  ++entries;
  step();
  --entries;
  const float last = all[n - 1];
  free(all);
  return last;
}
TWICE_OF(entered, sink = entered(number(1), rest, data))

struct context {
  void (*step)(int);
};
float led(int n, const void *context, const float *in) {
  float *all = malloc(n * sizeof(float));
  memcpy(all, in, n * sizeof(float));
  ((const struct context *)context)->step(n);
  const float last = all[n - 1];
  free(all);
  return last;
}

float asked(int n, void *(*take)(size_t), const float *in) {
  float *first = take(n * sizeof(float)), *second = malloc(n * sizeof(float));
  memcpy(first, in, n * sizeof(float));
  memcpy(second, first, n * sizeof(float));
  const float last = second[n - 1];
  free(second);
  return last;
}

/// A solver reports by a function that anybody may set, and that it has copied.
static void (*report)(const char *);
void reportBy(void (*by)(const char *)) { report = by; }

struct Solver {
  int steps;
  void (*report)(const char *);
};

static void say(struct Solver *of, const char *format, ...) {
  char text[80];
  va_list rest;
  va_start(rest, format);
  vsnprintf(text, sizeof text, format, rest);
  va_end(rest);
  of->report(text);
}

static void count(const char *text) { sink += text[0]; }

float told(int n, const float *in) {
  struct Solver solver = {0, report};
  float *all = malloc(n * sizeof(float));
  memcpy(all, in, n * sizeof(float));
  for (; solver.steps < 3; ++solver.steps)
    say(&solver, "step %d: %g", solver.steps, all[solver.steps]);
  const float last = all[n - 1];
  free(all);
  return last;
}
TWICE_OF(told, (reportBy(count), sink = told(number(1), data)))
