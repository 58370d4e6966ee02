// Calls operators in every way that a caller may.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Usage: program ASKED SEED SEQUENCES, with counting.c preloaded. The file ASKED has lines "operator n m". Each random
// sequence of calls is a process of its own. Printed is each footprint that a call at an asked line had, where its
// process had made this call before, with the first sequence that showed it:
//   line peak total allocations has-changed-environment sequence=K,call=L
// -1 -1 -1 is a call that did not return. "program ASKED SEED sequence=K" plays one, and prints each call.

#define _GNU_SOURCE
#include "counting.h"
#include "hostile.h"
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#pragma STDC FENV_ACCESS ON

int omp_get_thread_num(void), omp_get_num_threads(void); // not every clang comes with omp.h
// Of counting.c, where it is preloaded.
#pragma weak counting_begin
#pragma weak counting_end

enum { LENGTH = 1024, ROOM = 4096, ASKED = 512, FOOTPRINTS = 24, REACHED = 32 };
static _Alignas(64) float floats[ROOM];
static _Alignas(64) int ints[ROOM], fewInts[ROOM];
static _Alignas(64) char letters[ROOM];

struct question {
  int index, n, m;
};
static struct question asked[ASKED];
static int numberAsked;

// What all processes write to: which footprints each question had, and which of them is being made.
struct footprint {
  long figures[3], hasChangedEnvironment;
  int sequence, step;
};
static struct record {
  struct footprint seen[ASKED][FOOTPRINTS];
  int numberSeen[ASKED];
  int inside; // the question whose call has not returned, or -1
  int step;
} *record;

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
    case 1: number = drawn >> 24, value = (float)(drawn >> 20) / 512.f; break;
    case 2: number = q, value = (float)q; break;
    case 3: number = -(q & 63), value = -(float)(q & 63) / 8.f; break;
    case 4: number = drawn, value = (float)drawn / 2147483648.f; break;
    case 5: number = (drawn >> 16) & 7, value = (float)((drawn >> 16) & 7); break;
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
  case 1: t.out = t.in, t.state = t.ints; break;
  case 2: t.out = t.in + 3, t.state = t.ints + 2; break;
  case 3: t.in += 1, t.out += 3, t.ints += 1, t.state += 5, t.text += 7; break;
  case 4: t.in = floats + 2048, t.out = floats, t.state = ints, t.ints = fewInts; break;
  case 5: t.text = (char *)(t.state = t.ints + 1); break;
  case 6: t.state = hostile_exposed; break;
  case 7: t.out = hostile_exposed_floats, t.ints = ints + 100; break;
  case 8: t.text = (char *)t.ints; break;
  case 9: t.state = hostile_kept ? hostile_kept : t.state; break;
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

static long hasChangedEnvironment;

// What a caller may have done before the call, all of it allowed.
static void prepare(int caller) {
  static char words[] = "one two three four";
  static char variable[] = "HOSTILE_VALUE=7777777";
  if (!caller)
    return;
  hasChangedEnvironment = 1;
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

// Blocks and variables that operators have handed out: returned, or left in `text` behind HOSTILE_MARK. Each has room for
// two integers and stays.
static int *reached[REACHED];
static unsigned numberReached;

static void reach(void *p) {
  if (p)
    reached[numberReached++ % REACHED] = p;
}

static void call(int index, struct tensors t, int n, int m) {
  unsigned long mark;
  int *left;
  void *given = operators[index].call(t.in, t.ints, t.text, n, m, t.out, t.state);
  if (operators[index].gives)
    reach(given);
  memcpy(&mark, t.text + 504, sizeof mark);
  memcpy(&left, t.text + 512, sizeof left);
  if ((mark ^ (unsigned long)left) == HOSTILE_MARK)
    reach(left);
}

static void enterCall(int question, int step) {
  record->step = step;
  record->inside = question;
  if (counting_begin)
    counting_begin();
}

static void leaveCall(long *figures) {
  if (counting_end) {
    const struct requested all = counting_end();
    figures[0] = all.peak, figures[1] = all.total, figures[2] = all.requests;
  }
  record->inside = -1;
}

static void note(int question, const long *figures, int sequence, int step) {
  struct footprint *seen = record->seen[question], now = {{0}, hasChangedEnvironment, sequence, step};
  int *number = &record->numberSeen[question];
  memcpy(now.figures, figures, sizeof now.figures);
  for (int k = 0; k < *number; ++k)
    if (!memcmp(&seen[k], &now, offsetof(struct footprint, sequence)))
      return;
  if (*number < FOOTPRINTS)
    seen[(*number)++] = now;
}

static void setRounding(int mode, int isFirst) {
  static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_UPWARD, FE_TONEAREST};
  enum { FIRST_CALL_ALONE = 4, NO_DENORMALS = 5 };
  fesetround(mode == FIRST_CALL_ALONE && !isFirst ? FE_TONEAREST : modes[mode]);
  if (mode == NO_DENORMALS)
    _mm_setcsr(_mm_getcsr() | 0x8040); // results and operands are flushed to zero
}

static void resetRounding(void) {
  fesetround(FE_TONEAREST);
  _mm_setcsr(_mm_getcsr() & ~0x8040u);
}

// One step of a random sequence, made by whichever thread it says.
struct step {
  struct question of;
  struct tensors tensors;
  int question, rounding, number;
  long figures[3];
};

static void *makeStep(void *given) {
  struct step *s = given;
  setRounding(s->rounding, 0);
  // What a thread has of its own, and its team, are there when the thread has made the call before.
  for (int left = threads_keep ? 2 : 1; left; --left) {
    enterCall(s->question, s->number);
    call(s->of.index, s->tensors, s->of.n, s->of.m);
    leaveCall(s->figures);
  }
  resetRounding();
  return NULL;
}

static void makeStepIn(struct step *s, unsigned place) {
  pthread_t thread;
  switch (place) {
  case 1:
    if (!pthread_create(&thread, NULL, makeStep, s))
      pthread_join(thread, NULL);
    return;
#ifdef _OPENMP
  case 2:
#pragma omp parallel num_threads(2)
#pragma omp single
    makeStep(s);
    return;
  case 3:
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() + 1 == omp_get_num_threads())
      makeStep(s);
    return;
#endif
  default: makeStep(s);
  }
}

// What a caller may do between calls.
static void act(unsigned chosen, unsigned value) {
  static void *blocks[16];
  switch (chosen) {
  case 0:
  case 1: hostile_set((int)value); break;
  case 2:
  case 3:
    for (unsigned k = 0; k < numberReached && k < REACHED; ++k)
      reached[k][chosen & 1] = (int)value;
    break;
  case 4: hostile_exposed[value] = (int)(value * 7 % 50), hostile_exposed_floats[value] = (float)value; break;
  case 5:
    hostile_counter = value;
    if (hostile_kept)
      hostile_kept[value] = (int)(value * 5 % 50);
    break;
  case 6:
    free(blocks[value & 15]);
    blocks[value & 15] = malloc(value * 9 + 1);
    break;
  case 7: prepare((int)(value & 3)); break;
  case 8: shuffleFreeBlocks(value);
  }
}

// Up to 64 calls. Of four sequences one repeats a call and does nothing else, one does one thing besides.
static void playSequence(unsigned long seed, int number, int isTalking) {
  enum { DATA, LAID, BEGUN, ACTS, ROUNDING, PLACES, OTHERS, SHAPES, TRAITS, LONGEST = 64, MOST_OTHERS = 4 };
  static char begun[] = "some words that the caller has begun to read";
  static unsigned char isMade[ASKED];
  unsigned drawn = (unsigned)seed * 2654435761u ^ ((unsigned)number + 1) * 2246822519u;
#define DRAW(below) ((next(&drawn) >> 10) % (unsigned)(below))
#define MAY(trait, below) (traits >> (trait) & 1 ? DRAW(below) : 0)
  const int kind = number / numberAsked % 4, first = number % numberAsked;
  const unsigned traits = !kind ? 0 : kind == 1 ? 1u << DRAW(TRAITS) : ~0u, length = kind ? 4 + DRAW(61) : LONGEST;
  const unsigned acts = MAY(ACTS, 4), place = MAY(PLACES, 5), data = MAY(DATA, 8), laid = MAY(LAID, 11),
                 others = MAY(OTHERS, 5);
  int pool[1 + MOST_OTHERS] = {first};
  for (unsigned k = 1; k <= others; ++k) {
    pool[k] = (int)DRAW(numberAsked);
    if (operators[asked[pool[k]].index].ends)
      pool[k] = first;
  }
  strtok(begun, " ");
  hcreate(16);
  prepare((int)MAY(BEGUN, 4));
  for (unsigned turn = 0; turn < length; ++turn) {
    struct step s = {.question = pool[DRAW(3) ? 0 : DRAW(others + 1)], .number = (int)turn};
    s.of = asked[s.question];
    const int isAsked = MAY(SHAPES, 4) != 1 || operators[s.of.index].ends;
    if (!isAsked) {
      const unsigned large = DRAW(16);
      s.question = -1, s.of.n = large ? 1 + (int)DRAW(70) : 5003, s.of.m = large == 1 ? 3001 : 1 + (int)DRAW(50);
    }
    for (unsigned k = 0; k < acts; ++k) {
      const unsigned chosen = DRAW(9);
      act(chosen, DRAW(64));
    }
    // Always the same, or each time another one.
    s.tensors = lay((int)(laid < 10 ? laid : DRAW(10)));
    const unsigned filled = data < 7 ? data : DRAW(7), variant = MAY(DATA, 5), here = place < 4 ? place : DRAW(4);
    fill(s.tensors, (int)filled, variant);
    s.rounding = rounding_counts ? (int)MAY(ROUNDING, 6) : 0;
    makeStepIn(&s, here);
    if (isAsked && isMade[s.question])
      note(s.question, s.figures, number, (int)turn);
    if (isAsked)
      isMade[s.question] = 1;
    if (isTalking)
      printf("call %u: operator %d at n=%d,m=%d in place %u, data %u.%u: %ld %ld %ld\n", turn + 1, s.of.index, s.of.n,
             s.of.m, here, filled, variant, s.figures[0], s.figures[1], s.figures[2]);
  }
}

// In a process of its own: what one leaves behind, no other finds.
static void inProcess(unsigned long seed, int number) {
  record->inside = -1;
  const pid_t child = fork();
  if (!child) {
    const struct rlimit seconds = {10, 10};
    setrlimit(RLIMIT_CPU, &seconds);
    alarm(600);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO); // what a program says as it ends
    playSequence(seed, number, 0);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  const int inside = record->inside;
  if (!status && inside < 0)
    return;
  // The call, and with it the process, has ended.
  const long nothing[3] = {-1, -1, -1};
  if (inside >= 0 && operators[asked[inside].index].ends && WTERMSIG(status) != SIGALRM && WTERMSIG(status) != SIGXCPU)
    note(inside, nothing, number, record->step);
  else
    fprintf(stderr, "operator %d ended with %d: sequence=%d,call=%d\n", inside < 0 ? -1 : asked[inside].index, status,
            number, record->step + 1);
}

int main(int argc, char **argv) {
  int one;
  FILE *from = argc > 3 ? fopen(argv[1], "r") : NULL;
  while (from && numberAsked < ASKED &&
         fscanf(from, "%d %d %d", &asked[numberAsked].index, &asked[numberAsked].n, &asked[numberAsked].m) == 3)
    ++numberAsked;
  if (!numberAsked)
    return 2;
  fclose(from);
  const unsigned long seed = strtoul(argv[2], NULL, 10);
  record = mmap(NULL, sizeof *record, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (sscanf(argv[3], "sequence=%d", &one) == 1) {
    playSequence(seed, one, 1);
    return 0;
  }
  for (int number = 0; number < atoi(argv[3]); ++number)
    inProcess(seed, number);
  for (int question = 0; question < numberAsked; ++question)
    for (int k = 0; k < record->numberSeen[question]; ++k) {
      const struct footprint *f = &record->seen[question][k];
      printf("%d %ld %ld %ld %ld sequence=%d,call=%d\n", question, f->figures[0], f->figures[1], f->figures[2],
             f->hasChangedEnvironment, f->sequence, f->step + 1);
    }
  return 0;
}
