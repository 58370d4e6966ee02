/* Operators in a signal handler, amid malloc.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#define _GNU_SOURCE
#include "instrumented.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

static void *volatile Keep;
static volatile int Interruptions;

static void quiet(int64_t n) {
  ENTER("quiet", n);
  LEAVE;
}

static void onAlarm(int signal) {
  quiet(1); /* allocates nothing: malloc itself is not allowed here */
  ++Interruptions;
}

static void work(int64_t n) {
  ENTER("work", n);
  for (int64_t i = 0; i < n; ++i) {
    SITE;
    Keep = malloc(1000 + (size_t)(i % 10));
    free(Keep);
  }
  LEAVE;
}

int main(void) {
  struct sigaction action = {0};
  struct itimerval often = {{0, 100}, {0, 100}};
  action.sa_handler = onAlarm;
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &often, NULL);
  while (Interruptions < 500)
    work(20000);
  puts("ok");
  return 0;
}
