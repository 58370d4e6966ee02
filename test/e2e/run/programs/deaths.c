/* Ends of all kinds after two finished calls.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "instrumented.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *volatile Keep;

static void finished(int64_t n) {
  ENTER("finished", n);
  SITE;
  Keep = malloc((size_t)n);
  free(Keep);
  LEAVE;
}

static void dying(const char *how) {
  ENTER("dying", 1);
  Keep = malloc(77);
  if (strcmp(how, "exit") == 0)
    exit(3);
  if (strcmp(how, "_exit") == 0)
    _exit(4);
  if (strcmp(how, "quick_exit") == 0)
    quick_exit(4);
  if (strcmp(how, "abort") == 0)
    abort();
  if (strcmp(how, "kill") == 0)
    kill(getpid(), SIGKILL);
  if (strcmp(how, "segv") == 0)
    raise(SIGSEGV);
  while (strcmp(how, "eat") == 0) {
    SITE;
    memset(Keep = malloc(1 << 20), 1, 1 << 20);
  }
  if (strcmp(how, "wait") == 0)
    for (;;)
      pause();
  LEAVE;
}

int main(int count, char **arguments) {
  finished(1000);
  finished(1000);
  puts("working");
  fflush(stdout);
  dying(count > 1 ? arguments[1] : "return");
  return 5;
}
