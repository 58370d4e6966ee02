// Data decides only the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that never comes back is only declared where the operator calls it: that unit goes on behind the call.
// What data decides is then whether the operator returns, and no call that returns takes another peak.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -DFAILING -c %s -o %t.failing.o
// RUN: rm -f %t.a && ar rc %t.a %t.o %t.failing.o
// RUN: %clang %t.a -o %t
// RUN: %compare %t --object %t.a --shape n=100 -- 100
// RUN: %compare %t --shape n=100 -- 100
//
// The definition of an unoptimised unit does not say so, its code does:
// RUN: %clang -std=c11 -O0 -fplugin=%plugin -I%include -DFAILING -c %s -o %t.slow.o
// RUN: %compare %t --object "%t.o %t.slow.o" --shape n=100 -- 100

#include "../Inputs/twice.h"

#ifdef FAILING
#include <stdarg.h>
#include <stdio.h>
void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  exit(1);
}
#else
void fail(const char *format, ...);

MEMSHAPE_OPERATOR
void slopes(const float *in, int n, float *out) {
  float *steep = (float *)malloc((size_t)(n + 1) * sizeof(float));
  for (int i = 0; i < n - 1; ++i) {
    if (in[i + 1] == in[i])
      fail("two samples are alike: %d\n", i);
    steep[i] = 1 / (in[i + 1] - in[i]);
  }
  for (int i = 0; i < n - 1; ++i)
    out[i] = steep[i];
  free(steep);
}

TWICE(slopes(data, (int)number(1), more))
#endif
