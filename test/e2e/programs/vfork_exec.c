// Another program in the place of a child, then in our own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc > 1) {
    char *copy = strdup(argv[1]);
    printf("exec'ed with %s\n", copy);
    free(copy);
    return 5;
  }
  char **arguments = calloc(3, sizeof *arguments);
  arguments[0] = argv[0];
  arguments[1] = strdup("vfork");
  pid_t pid = vfork();
  if (pid < 0)
    return 1;
  if (pid == 0) {
    execv("/proc/self/exe", arguments);
    _exit(9);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  printf("child exited with %d\n", WEXITSTATUS(status));
  fflush(stdout);
  free(arguments[1]);
  arguments[1] = strdup("exec");
  execv("/proc/self/exe", arguments);
  return 8;
}
