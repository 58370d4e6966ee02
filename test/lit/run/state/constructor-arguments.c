// What the loader hands to constructors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constructor is given argc, argv and envp: the caller's. What it makes of them is data; what one makes that takes and
// ignores them is not. So is what a function makes that atexit is given, for others may still call the operator then.
//
// RUN: %clang -std=gnu11 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %python %S/../refused.py %memshape %t.o counts:n=200 name:n=200 kept:n=200 left:n=200 table:n=200 program:n=200 | FileCheck %s
//
// RUN: %clang -std=gnu11 -O2 -DALONE %operator
// RUN: %compare %t --shape n=200 -- 200

#define _GNU_SOURCE
#include "../Inputs/twice.h"
#include <errno.h>

static int fixed = 1;
__attribute__((constructor)) static void ignores(int argc, char **argv, char **envp) { fixed = 3; }

#ifndef ALONE
static int given = 1, behind = 1, early = 1;
static unsigned long length = 1;
static char **words;

__attribute__((constructor(200))) static void takes(int argc, char **argv) { given = argc; }

// CHECK-LABEL: counts at n=200: status 0
// CHECK: peak heap
// CHECK-NOT: exact
MEMSHAPE_OPERATOR
void counts(const char *in, int n, char *out) {
  char *p = malloc((long)n * given);
  p[0] = in[0];
  out[0] = p[n / 2];
  free(p);
}

__attribute__((noinline)) static void note(char **argv) {
  length = strlen(argv[0]);
  words = argv;
}
__attribute__((constructor)) static void measures(int argc, char **argv, char **envp) { note(argv); }

// CHECK-LABEL: name at n=200: status 0
// CHECK: peak heap
// CHECK-NOT: exact
MEMSHAPE_OPERATOR
void name(const char *in, int n, char *out) {
  char *p = malloc((long)n + length);
  p[0] = in[0];
  out[0] = p[n / 2];
  free(p);
}

// CHECK-LABEL: kept at n=200: status 0
// CHECK: peak heap
// CHECK-NOT: exact
MEMSHAPE_OPERATOR
void kept(const char *in, int n, char *out) {
  char *p = malloc((long)n + (words[1] ? 100 : 0));
  p[0] = in[0];
  out[0] = p[n / 2];
  free(p);
}

static void ends(void) { behind = 5; }
__attribute__((constructor)) static void registers(void) { atexit(ends); }

// CHECK-LABEL: left at n=200: status 0
// CHECK: peak heap
// CHECK-NOT: exact
MEMSHAPE_OPERATOR
void left(const char *in, int n, char *out) {
  char *p = malloc((long)n * behind);
  p[0] = in[0];
  out[0] = p[n / 2];
  free(p);
}

static void starts(int argc, char **argv, char **envp) { early = argc; }
__attribute__((used, section(".preinit_array"))) static void (*const first)(int, char **, char **) = starts;

// CHECK-LABEL: table at n=200: status 0
// CHECK: peak heap
// CHECK-NOT: exact
MEMSHAPE_OPERATOR
void table(const char *in, int n, char *out) {
  char *p = malloc((long)n * early);
  p[0] = in[0];
  out[0] = p[n / 2];
  free(p);
}

// CHECK-LABEL: program at n=200: status 0
// CHECK: peak heap
// CHECK-NOT: exact
MEMSHAPE_OPERATOR
void program(const char *in, int n, char *out) {
  char *p = malloc((long)n + strlen(program_invocation_short_name));
  p[0] = in[0];
  out[0] = p[n / 2];
  free(p);
}

#else
MEMSHAPE_OPERATOR
void constant(const char *in, int n, char *out) {
  char *p = malloc((long)n * fixed);
  p[0] = in[0];
  out[0] = p[n / 2];
  free(p);
}

TWICE(constant((char *)data, (int)number(1), (char *)more))
#endif
