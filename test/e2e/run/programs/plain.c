/* A program without operators.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

/* Without buffers of stdio: 1000 + 2000 bytes are all that it allocates. */
int main(int count, char **arguments) {
  void *volatile a = malloc(1000);
  void *volatile b = malloc(2000);
  free(a);
  int descriptor = open("/dev/null", O_RDONLY); /* the runtime keeps none open: the first free one is 3 */
  char text[64];
  int length = snprintf(text, sizeof text, "%d %d %d\n", count, descriptor, errno);
  if (write(1, text, (size_t)length) != length)
    return 1;
  free(b);
  return count > 1 ? atoi(arguments[1]) : 0;
}
