// Labels as values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Labels as values
//
// flags:

#include <stdlib.h>

int walked(const unsigned char *in, int n) {
  static void *const Steps[] = {&&Grow, &&Shrink, &&End};
  void *Work = malloc(1);
  int At = 0, Size = 1;
  goto *Steps[in[At] % 3];
Grow:
  Work = realloc(Work, (size_t)(Size *= 2));
  goto *Steps[in[++At] % 3];
Shrink:
  Work = realloc(Work, (size_t)(Size = Size / 2 + 1));
  goto *Steps[in[++At % n] % 3];
End:
  free(Work);
  return Size;
}
