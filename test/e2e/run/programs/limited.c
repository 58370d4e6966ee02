/* A program under limits of its own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* limited SHAPES [RESOURCE VALUE]: sets a limit and calls an operator at so many shapes, each of which the record has to
   keep. limited SHAPES HOW: what happens to SIGXFSZ and to a cancelled thread meanwhile. Prints what it computes. */

#include "instrumented.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static long work(int64_t n) {
  ENTER("work", n);
  SITE;
  char *block = malloc((size_t)n + 1);
  if (block)
    block[n] = 1;
  long sum = block ? block[n] : 0;
  free(block);
  LEAVE;
  return sum;
}

static long workFrom(int64_t first, int64_t count) {
  long sum = 0;
  for (int64_t n = first; n < first + count; ++n)
    sum += work(n);
  return sum;
}

static int limit(int resource, rlim_t most) {
  struct rlimit now;
  getrlimit(resource, &now);
  now.rlim_cur = most < now.rlim_max ? most : now.rlim_max;
  return setrlimit(resource, &now);
}

static volatile sig_atomic_t Handled;
static void handle(int signal) { Handled += signal == SIGXFSZ; }

/* Writes beyond the limit, which the kernel answers with the signal. */
static void writeTooMuch(void) {
  char name[] = "/tmp/limited-XXXXXX";
  int file = mkstemp(name);
  unlink(name);
  if (write(file, "text", 4) != -1 || errno != EFBIG)
    puts("written");
  close(file);
}

static void handled(int64_t shapes) {
  signal(SIGXFSZ, handle);
  limit(RLIMIT_FSIZE, 0);
  long sum = workFrom(1, shapes);
  int before = Handled;
  writeTooMuch();
  printf("%ld %d %d\n", sum, before, (int)Handled);
}

/* A signal that waits for this thread is still there afterwards, and only it. */
static void waiting(int64_t shapes) {
  sigset_t set;
  struct timespec now = {0, 0};
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  limit(RLIMIT_FSIZE, 0);
  writeTooMuch();
  long sum = workFrom(1, shapes);
  int first = sigtimedwait(&set, NULL, &now), second = sigtimedwait(&set, NULL, &now);
  printf("%ld %d %d\n", sum, first, second);
}

static int Done;
static void *changeLimit(void *unused) {
  for (int i = 0; !__atomic_load_n(&Done, __ATOMIC_ACQUIRE); ++i)
    limit(RLIMIT_FSIZE, i % 2 ? 0 : RLIM_INFINITY);
  return unused;
}

/* The limit changes while the record grows. */
static void changing(int64_t shapes) {
  pthread_t thread;
  pthread_create(&thread, NULL, changeLimit, NULL);
  long sum = workFrom(1, shapes);
  __atomic_store_n(&Done, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  printf("%ld\n", sum);
}

static int Cancelled;
static void *workInThread(void *shapes) {
  while (!__atomic_load_n(&Cancelled, __ATOMIC_ACQUIRE))
    ;
  return (void *)workFrom(1, *(int64_t *)shapes);
}

/* Neither malloc nor an operator without system calls is a point where a cancelled thread ends. */
static void cancelled(int64_t shapes) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, workInThread, &shapes);
  pthread_cancel(thread);
  __atomic_store_n(&Cancelled, 1, __ATOMIC_RELEASE);
  pthread_join(thread, &result);
  printf("%ld\n", (long)result);
}

int main(int count, char **arguments) {
  int64_t shapes = count > 1 ? atoll(arguments[1]) : 1;
  if (count > 3) {
    limit(atoi(arguments[2]), (rlim_t)atoll(arguments[3]));
    printf("%ld\n", workFrom(1, shapes));
  } else if (count > 2 && !strcmp(arguments[2], "handled"))
    handled(shapes);
  else if (count > 2 && !strcmp(arguments[2], "waiting"))
    waiting(shapes);
  else if (count > 2 && !strcmp(arguments[2], "changing"))
    changing(shapes);
  else if (count > 2 && !strcmp(arguments[2], "cancelled"))
    cancelled(shapes);
  else
    printf("%ld\n", workFrom(1, shapes));
  return 0;
}
