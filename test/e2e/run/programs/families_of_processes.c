/* fork, vfork, exec and threads.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#define _GNU_SOURCE
#include "instrumented.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile Keep;

static void work(int64_t n) {
  ENTER("work", n);
  SITE;
  Keep = malloc((size_t)n);
  free(Keep);
  LEAVE;
}

static volatile int Stop;

static void *churn(void *unused) {
  while (!Stop)
    free(memset(malloc(100), 1, 100));
  return NULL;
}

int main(int count, char **arguments) {
  if (count > 1) { /* the program that a child turns into */
    work(atoi(arguments[1]));
    return 0;
  }
  int failed = 0, status;
  pthread_t thread;
  pthread_create(&thread, NULL, churn, NULL); /* forks happen while this one allocates */
  for (int child = 1; child <= 20; ++child) {
    pid_t pid = fork();
    if (pid == 0) {
      work(1000 + child);
      _exit(0);
    }
    failed |= waitpid(pid, &status, 0) != pid || status != 0;
  }
  pid_t pid = vfork();
  if (pid == 0) {
    execl("/proc/self/exe", arguments[0], "2000", (char *)NULL);
    _exit(1);
  }
  failed |= waitpid(pid, &status, 0) != pid || status != 0;
  pid = fork();
  if (pid == 0) {
    work(3000);
    execl("/proc/self/exe", arguments[0], "4000", (char *)NULL);
    _exit(1);
  }
  failed |= waitpid(pid, &status, 0) != pid || status != 0;
  Stop = 1;
  pthread_join(thread, NULL);
  work(10);
  puts(failed ? "failed" : "ok");
  return failed;
}
