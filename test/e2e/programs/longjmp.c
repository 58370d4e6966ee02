// Jumps past frames that hold memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf out;
static void *held[64];
static int holding;

int dig(int depth, int bottom) {
  double *workspace = malloc(sizeof(double) * (size_t)(bottom + 1));
  held[holding++] = workspace;
  workspace[0] = depth;
  if (depth == bottom)
    longjmp(out, depth + 1);
  int below = dig(depth + 1, bottom);
  free(workspace);
  return below + 1;
}

int main(void) {
  volatile int rounds = 0;
  for (int bottom = 1; bottom < 30; bottom += 7) {
    holding = 0;
    int came = setjmp(out);
    if (came == 0) {
      dig(0, bottom);
      puts("never printed");
    } else {
      double sum = 0;
      for (int i = 0; i < holding; ++i) {
        sum += *(double *)held[i];
        free(held[i]);
      }
      printf("back with %d, %d blocks, sum %g\n", came, holding, sum);
      rounds = rounds + 1;
    }
  }
  printf("%d rounds\n", rounds);
  return rounds;
}
