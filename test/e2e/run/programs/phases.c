/* A program that declares its phases and a pool.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "instrumented.h"

#include <memshape/annotate.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile Keep;

/* Hands out 48 bytes at a time from 1000. */
static void work(int64_t n) {
  ENTER("work", n);
  char *chunk = malloc(1000);
  memshape_pool_create(&chunk, "cells");
  memshape_pool_holds(&chunk, 1000);
  for (int i = 0; i < n; ++i)
    memshape_pool_alloc(&chunk, chunk + 48 * i, 48);
  for (int i = 0; i < 2; ++i)
    memshape_pool_free(&chunk, chunk + 48 * i);
  memshape_pool_free(&chunk, chunk + 1); /* no block of the pool's */
  memshape_pool_clear(&chunk);
  memshape_pool_alloc(&chunk, chunk, 10);
  memshape_pool_destroy(&chunk);
  memshape_pool_alloc(&chunk, chunk, 10); /* of a pool that is no more */
  free(chunk);
  LEAVE;
}

int main(int count, char **arguments) {
  memshape_phase_begin("load");
  char *volatile input = malloc(5000);
  memshape_phase_end("load");
  memshape_phase_begin("solve");
  for (int i = 1; i <= 3; ++i) {
    memshape_phase_begin("step");
    Keep = malloc((size_t)(1000 * i));
    free(Keep);
    memshape_phase_end("step");
  }
  memshape_phase_end("step"); /* not open */
  memshape_phase_end("solve");
  work(10);
  memshape_phase_begin("rest"); /* until the end */
  if (count > 1 && strcmp(arguments[1], "fork") == 0) {
    int status = 0;
    pid_t pid = fork();
    if (pid == 0) {
      Keep = malloc(70);
      free(Keep);
      memshape_phase_end("rest");
      exit(0);
    }
    waitpid(pid, &status, 0);
  }
  Keep = malloc(7);
  if (count > 1 && strcmp(arguments[1], "abort") == 0)
    abort();
  free(input);
  return 0;
}
