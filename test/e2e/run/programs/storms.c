/* Forks, modules and signals in masses.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#define _GNU_SOURCE
#include "instrumented.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Threads = 4 };

static volatile int Stop;

static void work(int64_t n) {
  ENTER("work", n);
  SITE;
  void *volatile block = malloc((size_t)n);
  free(block);
  LEAVE;
}

static void *churn(void *unused) {
  void *volatile kept[16] = {NULL};
  for (unsigned i = 0; !Stop; ++i) {
    free(kept[i % 16]);
    kept[i % 16] = malloc(16 + i % 500);
    if (i % 64 == 0)
      work(100);
  }
  for (unsigned i = 0; i < 16; ++i)
    free(kept[i]);
  return NULL;
}

static void startChurn(pthread_t *threads) {
  for (int i = 0; i < Threads; ++i)
    pthread_create(&threads[i], NULL, churn, NULL);
}

static void endChurn(pthread_t *threads) {
  Stop = 1;
  for (int i = 0; i < Threads; ++i)
    pthread_join(threads[i], NULL);
}

/* Sixty children, three at a time, of a process whose threads allocate; every third has a child of its own. */
static int forks(void) {
  pthread_t threads[Threads];
  int failed = 0, status;
  startChurn(threads);
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 3; ++i)
      if (fork() == 0) {
        work(1000 + round);
        if (i == 0) {
          if (fork() == 0) {
            work(2000 + round);
            _exit(0);
          }
          failed |= wait(&status) < 0 || status != 0;
        }
        _exit(failed);
      }
    for (int i = 0; i < 3; ++i)
      failed |= wait(&status) < 0 || status != 0;
  }
  endChurn(threads);
  return failed;
}

static const char *Module;

static void *loadModule(void *unused) {
  for (int i = 0; i < 50; ++i) {
    void *handle = dlopen(Module, RTLD_NOW);
    void (*function)(long) = NULL;
    if (handle)
      *(void **)&function = dlsym(handle, "module_work");
    if (!function)
      return "failed";
    function(100 + i);
    dlclose(handle);
  }
  return NULL;
}

static int modules(const char *path) {
  pthread_t threads[Threads], loaders[Threads];
  int failed = 0;
  Module = path;
  startChurn(threads);
  for (int i = 0; i < Threads; ++i)
    pthread_create(&loaders[i], NULL, loadModule, NULL);
  for (int i = 0; i < Threads; ++i) {
    void *result;
    pthread_join(loaders[i], &result);
    failed |= result != NULL;
  }
  endChurn(threads);
  return failed;
}

static volatile int Handled;

static void onSignal(int signal) {
  ENTER("handler", 1); /* allocates nothing: malloc itself is not allowed here */
  __atomic_fetch_add(&Handled, 1, __ATOMIC_RELAXED);
  LEAVE;
}

static int signals(void) {
  pthread_t threads[Threads];
  struct sigaction action = {0};
  action.sa_handler = onSignal;
  sigaction(SIGUSR1, &action, NULL);
  startChurn(threads);
  for (int i = 0; i < 4000; ++i)
    pthread_kill(threads[i % Threads], SIGUSR1);
  endChurn(threads);
  return Handled == 0;
}

/* Live bytes and their peak as the program itself knows them: `upper` counts a block before it is there and until it is
   gone, `lower` from when it is there until just before it goes. */
struct truth {
  long upper, lower, upper_peak, lower_peak, operations;
};
static struct truth *Truth;

static void add(long *sum, long *peak, long bytes) {
  long now = __atomic_add_fetch(sum, bytes, __ATOMIC_SEQ_CST), most = __atomic_load_n(peak, __ATOMIC_SEQ_CST);
  while (now > most && !__atomic_compare_exchange_n(peak, &most, now, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    ;
}

static void *allocateForEver(void *seed) {
  enum { Slots = 200 };
  unsigned long random = (unsigned long)(uintptr_t)seed * 2654435761u + 1;
  void *kept[Slots] = {NULL};
  long sizes[Slots] = {0};
  for (;;) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    unsigned slot = (unsigned)(random >> 33) % Slots;
    if (kept[slot]) {
      add(&Truth->lower, &Truth->lower_peak, -sizes[slot]);
      free(kept[slot]);
      add(&Truth->upper, &Truth->upper_peak, -sizes[slot]);
      kept[slot] = NULL;
    } else {
      sizes[slot] = 1 + (long)(random >> 40) % 5000;
      add(&Truth->upper, &Truth->upper_peak, sizes[slot]);
      kept[slot] = malloc((size_t)sizes[slot]);
      add(&Truth->lower, &Truth->lower_peak, sizes[slot]);
    }
    __atomic_fetch_add(&Truth->operations, 1, __ATOMIC_RELAXED);
  }
}

/* Until it is killed: writes its truth to the file `path`. With one thread, or with several. */
static int untilKilled(const char *path, int count) {
  pthread_t thread;
  int descriptor = open(path, O_RDWR | O_CREAT, 0600);
  if (descriptor < 0 || ftruncate(descriptor, sizeof *Truth) != 0)
    return 1;
  Truth = mmap(NULL, sizeof *Truth, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  for (int i = 1; i < count; ++i)
    pthread_create(&thread, NULL, allocateForEver, (void *)(uintptr_t)i);
  allocateForEver(NULL);
  return 1;
}

int main(int count, char **arguments) {
  const char *kind = count > 1 ? arguments[1] : "";
  int failed = 1;
  if (strcmp(kind, "forks") == 0)
    failed = forks();
  else if (strcmp(kind, "modules") == 0 && count > 2)
    failed = modules(arguments[2]);
  else if (strcmp(kind, "signals") == 0)
    failed = signals();
  else if (strcmp(kind, "kill") == 0 && count > 3)
    failed = untilKilled(arguments[2], atoi(arguments[3]));
  work(10);
  puts(failed ? "failed" : "ok");
  return failed;
}
