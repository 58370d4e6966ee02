//===- runner.c - Calls operators in every way that a caller may ----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Usage: runner OPERATOR N M, with counting.c preloaded. Each scenario is a process of its own that calls the operator
// four times; printed is each footprint that the second or a later call had, once, with the scenario that showed it
// first:
//   peak total allocations scenario
// and at the end how many there were.
//
//===----------------------------------------------------------------------===//

#define _GNU_SOURCE
#include "hostile.h"
#include <errno.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <search.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#pragma STDC FENV_ACCESS ON

typedef void operation(const float *, int *, char *, int, int, float *, int *);
extern operation *const operators[];
extern const int number_of_operators, rounding_counts, infinities_count;

// Of counting.c, where it is preloaded.
__attribute__((weak)) void counting_begin(void);
__attribute__((weak)) void counting_end(long *figures);

enum { LENGTH = 1024, ROOM = 4096, CALLS = 4 };
static _Alignas(64) float floats[ROOM];
static _Alignas(64) int ints[ROOM], fewInts[ROOM];
static _Alignas(64) char letters[ROOM];

struct scenario {
  int data;    // what the tensors hold
  int laid;    // where they lie
  int caller;  // what the caller has done to the process
  int between; // what happens between calls
  int rounding;
  int changing; // other data in each call
};

struct tensors {
  float *in, *out;
  int *ints, *state;
  char *text;
};

static unsigned next(unsigned *state) { return *state = *state * 1664525u + 1013904223u; }

static void fill(struct tensors t, int data, unsigned seed) {
  static const char *const words[] = {
      "", "12.5e2,7 x", "abc def  gh", "9999999999999999999", "-3 nan inf 0x1p", "%d,;=\t tail", "1 2 3 4 5 6 7 8 9"};
  unsigned state = seed * 2654435761u + 12345u;
  memset(t.text, 0, LENGTH);
  for (int q = 0; q < LENGTH - 1 && data; ++q) {
    const char *word = words[(unsigned)(data + (int)seed) % 7];
    const unsigned drawn = next(&state) >> 8;
    t.text[q] = data < 4 && *word ? word[(unsigned)q % strlen(word)]
                                  : (char)(data == 4   ? '0' + drawn % 10
                                           : data == 5 ? ' ' + drawn % 90
                                                       : drawn);
  }
  for (int q = 0; q < LENGTH; ++q) {
    const int drawn = (int)next(&state);
    int number = 0;
    float value = 0;
    switch (data) {
    case 1:
      number = drawn >> 24, value = (float)(drawn >> 20) / 512.f;
      break;
    case 2:
      number = q, value = (float)q;
      break;
    case 3:
      number = -(q & 63), value = -(float)(q & 63) / 8.f;
      break;
    case 4:
      number = drawn, value = (float)drawn / 2147483648.f;
      break;
    case 5:
      number = (drawn >> 16) & 7, value = (float)((drawn >> 16) & 7);
      break;
    case 6:
      number = q & 1 ? INT32_MAX : INT32_MIN;
      value = !infinities_count ? 1e30f : q % 3 == 0 ? NAN : q % 3 == 1 ? INFINITY : -0.f;
    }
    t.in[q] = value;
    t.ints[q] = number;
    if (q < 16)
      t.state[q] = number >> 1, t.out[q] = 0;
  }
  t.text[LENGTH - 1] = 0;
}

static struct tensors lay(int laid) {
  struct tensors t = {floats, floats + 2048, ints, fewInts, letters};
  switch (laid) {
  case 1:
    t.out = t.in, t.state = t.ints;
    break;
  case 2:
    t.out = t.in + 3, t.state = t.ints + 2;
    break;
  case 3:
    t.in += 1, t.out += 3, t.ints += 1, t.state += 5, t.text += 7;
    break;
  case 4:
    t.in = floats + 2048, t.out = floats, t.state = ints, t.ints = fewInts;
    break;
  case 5:
    t.text = (char *)(t.state = t.ints + 1);
    break;
  case 6:
    t.state = hostile_exposed;
    break;
  case 7:
    t.out = hostile_exposed_floats, t.ints = ints + 100;
    break;
  case 8:
    t.text = (char *)t.ints;
    break;
  case 9:
    t.state = hostile_kept ? hostile_kept : t.state;
    break;
  }
  return t;
}

// What malloc gives next comes in no order.
static void shuffleFreeBlocks(unsigned seed) {
  enum { BLOCKS = 7, SIZES = 12 };
  for (int size = 0; size < SIZES; ++size) {
    void *blocks[BLOCKS];
    for (int k = 0; k < BLOCKS; ++k)
      blocks[k] = malloc(16 * (size_t)size + 8);
    for (int left = BLOCKS; left; --left) {
      const unsigned chosen = (next(&seed) >> 16) % (unsigned)left;
      free(blocks[chosen]);
      blocks[chosen] = blocks[left - 1];
    }
  }
}

// What a caller may have done before the call, all of it allowed.
static void prepare(int caller) {
  static char words[] = "one two three four";
  static char variable[] = "HOSTILE_VALUE=7777777";
  if (!caller)
    return;
  errno = caller == 1 ? ERANGE : caller;
  srand((unsigned)caller * 77u);
  srand48(caller * 91);
  hostile_set(caller);
  optind = caller + 1;
  if (rounding_counts)
    feraiseexcept(caller & 1 ? FE_INEXACT | FE_DIVBYZERO : FE_OVERFLOW);
  if (caller >= 2) {
    strtok(words, " ");
    hsearch((ENTRY){(char *)"one", NULL}, ENTER);
    setenv("TZ", "Asia/Kolkata", 1);
    tzset();
    putenv(variable);
    setlocale(LC_ALL, caller == 2 ? "C.UTF-8" : "");
    if (chdir("/usr/lib"))
      abort();
    shuffleFreeBlocks((unsigned)caller);
  }
}

static void call(int index, struct tensors t, int n, int m) {
  operators[index](t.in, t.ints, t.text, n, m, t.out, t.state);
}

static void meanwhile(const struct scenario *s, int index, int n, int m, int turn) {
  static void *blocks[CALLS];
  unsigned long mark;
  int *left;
  struct tensors apart = lay(0);
  switch (s->between) {
  case 1:
    hostile_set(turn * 3 + 1);
    // An operator may leave the address of a number of its own in a tensor, behind HOSTILE_MARK.
    memcpy(&mark, letters + 504, sizeof mark);
    memcpy(&left, letters + 512, sizeof left);
    if (mark == HOSTILE_MARK)
      *left = turn * 5;
    break;
  case 2:
    for (int k = 0; k < number_of_operators; ++k)
      if (k != index)
        call(k, apart, 3 + turn, 7);
    break;
  case 3:
    call(index, apart, n / 2 + 1, m + 3 * turn), call(index, apart, n + 31, m);
    break;
  case 5:
    call(index, apart, 5003, 1), call(index, apart, 10, 6), call(index, apart, 1, 3001);
    break;
  case 6:
    for (int k = 0; k < 40; ++k)
      call(index, lay(s->laid), n, m);
    break;
  case 4:
    blocks[turn] = malloc(24 * (size_t)turn + 8), rand(), prepare(turn + 1);
    break;
  }
}

static void play(const struct scenario *s, int index, int n, int m, FILE *to) {
  static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_UPWARD, FE_TONEAREST};
  enum { FIRST_CALL_ALONE = 4, NO_DENORMALS = 5 };
  char begun[] = "some words that the caller has begun to read";
  strtok(begun, " ");
  hcreate(16);
  prepare(s->caller);
  struct tensors t = lay(s->laid);
  if (s->between == 7) // the very first call is one at another shape
    fill(t, s->data, 1), call(index, t, n / 3 + 2, m + 5);
  for (int turn = 0; turn < CALLS; ++turn) {
    if (turn)
      meanwhile(s, index, n, m, turn), t = lay(s->laid);
    fill(t, s->data, s->changing ? (unsigned)turn + 1 : 1);
    long figures[3] = {0, 0, 0};
    fesetround(s->rounding == FIRST_CALL_ALONE && turn ? FE_TONEAREST : modes[s->rounding]);
    if (s->rounding == NO_DENORMALS)
      _mm_setcsr(_mm_getcsr() | 0x8040); // results and operands are flushed to zero
    if (counting_begin)
      counting_begin();
    call(index, t, n, m);
    if (counting_end)
      counting_end(figures);
    fesetround(FE_TONEAREST);
    _mm_setcsr(_mm_getcsr() & ~0x8040u);
    if (turn)
      fprintf(to, "%ld %ld %ld data=%d,laid=%d,caller=%d,between=%d,rounding=%d,changing=%d,call=%d\n", figures[0],
              figures[1], figures[2], s->data, s->laid, s->caller, s->between, s->rounding, s->changing, turn + 1);
  }
}

// In a process of its own: what one scenario leaves behind, no other finds.
static int processes;
static int inProcess(const struct scenario *s, int index, int n, int m, FILE *to) {
  fflush(to);
  ++processes;
  const pid_t child = fork();
  if (!child) {
    alarm(10);
    play(s, index, n, m, to);
    fflush(to);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status)
    fprintf(stderr,
            "operator %d at n=%d,m=%d ended with %d: data=%d,laid=%d,caller=%d,between=%d,rounding=%d,changing=%d\n",
            index, n, m, status, s->data, s->laid, s->caller, s->between, s->rounding, s->changing);
  return status;
}

int main(int argc, char **argv) {
  if (argc < 4)
    return 2;
  const int index = atoi(argv[1]), n = atoi(argv[2]), m = atoi(argv[3]);
  // argv[4]: one scenario, as printed, played in this process.
  struct scenario one;
  if (argc > 4 && sscanf(argv[4], "data=%d,laid=%d,caller=%d,between=%d,rounding=%d,changing=%d", &one.data, &one.laid,
                         &one.caller, &one.between, &one.rounding, &one.changing) == 6) {
    play(&one, index, n, m, stdout);
    return 0;
  }
  FILE *to = tmpfile();
  int bad = 0;
  struct scenario s = {0, 0, 0, 0, 0, 0};
#define PLAY bad |= inProcess(&s, index, n, m, to)
  for (s.data = 0; s.data < 7; ++s.data)
    PLAY;
  s.changing = 1;
  for (s.data = 1; s.data < 7; s.data += 3)
    PLAY;
  s.changing = 0;
  for (s.data = 1; s.data < 6; s.data += 4) {
    for (s.laid = 1; s.laid < 10; ++s.laid)
      PLAY;
    s.laid = 0;
    for (s.caller = 1; s.caller < 4; ++s.caller)
      PLAY;
    s.caller = 0;
    for (s.between = 1; s.between < 8; ++s.between)
      PLAY;
    s.between = 0;
    for (s.rounding = 1; rounding_counts && s.rounding < 6; ++s.rounding)
      PLAY;
    s.rounding = 0;
  }
  // Each footprint once.
  static char lines[4096][160];
  static int widths[4096];
  int kept = 0;
  rewind(to);
  char line[160];
  while (fgets(line, sizeof line, to) && kept < 4096) {
    const int width = (int)(strstr(line, " data=") - line);
    int known = 0;
    for (int k = 0; k < kept && !known; ++k)
      known = widths[k] == width && !memcmp(lines[k], line, (size_t)width);
    if (!known) {
      memcpy(lines[kept], line, sizeof line);
      widths[kept++] = width;
      fputs(line, stdout);
    }
  }
  printf("in %d processes\n", processes);
  return bad ? 1 : 0;
}
