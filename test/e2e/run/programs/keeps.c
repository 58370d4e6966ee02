/* A program without operators that frees nothing.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include <stdlib.h>
#include <string.h>

/* 5000 bytes that the program asks for, and 10 that the C library asks for on its behalf. */
void *volatile Kept[2];

int main(void) {
  Kept[0] = malloc(5000);
  Kept[1] = strdup("nine more");
  return 0;
}
