// A child that allocates on, while the parent waits.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* With -fplugin-arg-memshape-operator=* an operator that never returns in the child. */
pid_t start(int child, char *shared) {
  pid_t pid = fork();
  if (pid == 0) {
    char *own = malloc(1000u * (child + 1));
    snprintf(own, 1000, "child %d has \"%s\"", child, shared);
    puts(own);
    free(own);
    free(shared);
    fflush(stdout);
    _exit(child + 40);
  }
  return pid;
}

int main(void) {
  char *shared = malloc(4096);
  strcpy(shared, "from before the fork");
  setvbuf(stdout, NULL, _IOLBF, 4096);
  for (int child = 0; child < 3; ++child) {
    fflush(stdout);
    pid_t pid = start(child, shared);
    if (pid < 0)
      return 1;
    int status = 0;
    waitpid(pid, &status, 0);
    printf("child %d: exited %d with %d\n", child, WIFEXITED(status), WEXITSTATUS(status));
  }
  char *grown = realloc(shared, 100000);
  printf("parent still has \"%s\"\n", grown);
  free(grown);
  return 0;
}
