/* Children that end in every way.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#define _GNU_SOURCE
#include "instrumented.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void *volatile Keep;

static void child(int64_t n) {
  ENTER("child", n);
  SITE;
  Keep = malloc((size_t)n);
  free(Keep);
  LEAVE;
}

static void end(int how, char *self) {
  char *again[] = {self, "6", NULL};
  child(how);
  switch (how) {
  case 1: exit(0);
  case 2: _exit(0);
  case 3: abort();
  case 4: kill(getpid(), SIGKILL); break;
  case 5: execvp("/proc/self/exe", again);
  }
  exit(1);
}

/* No exec that fails may look like an end. */
static int fail(char *self) {
  char *arguments[] = {self, NULL};
  int failures = 0;
  failures += execl("/nonexistent", self, "1", (char *)NULL) == -1 && errno == ENOENT;
  failures += execlp("nonexistent", self, "1", (char *)NULL) == -1 && errno == ENOENT;
  failures += execle("/nonexistent", self, "1", (char *)NULL, environ) == -1 && errno == ENOENT;
  failures += execv("/nonexistent", arguments) == -1 && errno == ENOENT;
  failures += execve("/nonexistent", arguments, environ) == -1 && errno == ENOENT;
  failures += execvp("nonexistent", arguments) == -1 && errno == ENOENT;
  failures += execvpe("nonexistent", arguments, environ) == -1 && errno == ENOENT;
  failures += fexecve(-1, arguments, environ) == -1;
  child(1);
  return failures != 8;
}

/* Children that no handler of fork hears of, one by the system call and one by _Fork. Each allocates and ends. */
static int unannounced(void) {
  int failed = 0;
  for (int how = 0; how < 2; ++how) {
    child(100);
    pid_t pid = how ? _Fork() : (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid == 0) {
      for (int i = 0; i < 1000; ++i)
        child(5000);
      _exit(0);
    }
    int status;
    failed |= waitpid(pid, &status, 0) != pid || status != 0;
  }
  return failed;
}

int main(int count, char **arguments) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (count > 1 && arguments[1][0] == 'f')
    return fail(arguments[0]);
  if (count > 1 && arguments[1][0] == 'u')
    return unannounced();
  if (count > 1) { /* what an exec leads to */
    child(atoi(arguments[1]));
    return 0;
  }
  for (int how = 1; how <= 5; ++how) {
    pid_t pid = fork();
    if (pid == 0)
      end(how, arguments[0]);
    waitpid(pid, NULL, 0);
  }
  char *spawned[] = {arguments[0], "7", NULL};
  pid_t pid;
  if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, spawned, environ) == 0)
    waitpid(pid, NULL, 0);
  return 0;
}
