/* Asks before a call whether its memory is there. */
#include "stack_memory.h"

#include <errno.h>
#include <memshape/guard.h>
#include <stdio.h>

static int stacked(int gathers, int fold, int samples) {
  return memshape_fits(stack_gathers_upper_bytes(gathers, fold, samples)) ? 0 : ENOMEM;
}

int main(void) {
  const int enough = stacked(30, 7, 1001), too_much = stacked(2147483647, 7, 2147483647);
  printf("%d %d\n", enough, too_much == ENOMEM);
  return 0;
}
