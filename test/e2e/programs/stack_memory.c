// Variable-length arrays and alloca.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <alloca.h>
#include <stdio.h>
#include <string.h>

long filter(int samples, int taps) {
  double trace[samples], kernel[taps];
  long hash = 0;
  for (int s = 0; s < samples; ++s)
    trace[s] = s % 17;
  for (int t = 0; t < taps; ++t)
    kernel[t] = 1.0 / (t + 1);
  for (int s = 0; s + taps <= samples; ++s) {
    double *window = alloca(sizeof(double) * (size_t)(s % 3 + 1));
    window[0] = 0;
    for (int t = 0; t < taps; ++t)
      window[0] += trace[s + t] * kernel[t];
    hash = hash * 31 % 1000003 + (long)(window[0] * 1000);
  }
  return hash;
}

static int reverse(const char *text, char *out) {
  size_t length = strlen(text);
  char copy[length + 1];
  memcpy(copy, text, length + 1);
  for (size_t i = 0; i < length; ++i)
    out[i] = copy[length - 1 - i];
  out[length] = '\0';
  return (int)sizeof copy;
}

int main(void) {
  char out[64];
  for (int samples = 10; samples < 2000; samples *= 3)
    printf("%d: %ld\n", samples, filter(samples, samples / 5 + 1));
  printf("%d %s\n", reverse("redrawing the live trace", out), out);
  return 0;
}
