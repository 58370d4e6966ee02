// What an operator keeps on the stack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -std=c11 -O1 %s -c -o %t.o -fplugin=%plugin -fplugin-arg-memshape-operator='*'
// RUN: %predict --operator variable --shape n=3000000 | FileCheck %s --check-prefix=VARIABLE
// RUN: %predict --operator each_row --shape n=1000,m=30000 | FileCheck %s --check-prefix=ROW
// RUN: %predict --operator kept --shape n=1000,m=300 | FileCheck %s --check-prefix=KEPT
// RUN: %predict --operator mixed --shape n=100,m=300 | FileCheck %s --check-prefix=MIXED
// RUN: %predict --operator fixed --shape n=1000 | FileCheck %s --check-prefix=FIXED
// RUN: %predict --operator deep --shape n=100000 | FileCheck %s --check-prefix=DEEP
// RUN: %predict --operator halved --shape n=100000 | FileCheck %s --check-prefix=HALVED
// RUN: %predict --operator of_data --shape n=1000 | FileCheck %s --check-prefix=DATA
// RUN: %predict --operator ackermann --shape n=3,m=2 | FileCheck %s --check-prefix=CALLS
// RUN: %predict --operator again --shape n=100 | FileCheck %s --check-prefix=AGAIN
// RUN: %predict --operator ordinary --shape n=1000 | FileCheck %s --check-prefix=NONE
// RUN: %predict --operator each_row --shape n=1000,m=30000 --json | FileCheck %s --check-prefix=JSON

#include <alloca.h>
#include <string.h>

// VARIABLE: peak heap {{.*}} 0 bytes exact
// VARIABLE: stack {{.*}} 12,004,111 bytes at most: 4*n + 4111
// VARIABLE: the stack may take 11.45 MiB, and a process that takes more than {{.*}} ends here
void variable(const float *in, int n, float *out) {
  float w[n];
  for (int i = 0; i < n; ++i)
    w[i] = in[i];
  for (int i = 0; i < n; ++i)
    out[i] = w[n - i - 1];
}

// Each row's array takes the place of the one before.
// ROW: stack {{.*}} 124,111 bytes at most: 4*m + 4111
// ROW-NOT: ulimit
// JSON: "stack": {
// JSON-NEXT: "peak_bytes": 124111,
// JSON-NEXT: "lower_bytes": 0,
// JSON-NEXT: "upper_bytes": 124111,
// JSON-NEXT: "exact": false,
// JSON-NEXT: "formula": "4*m + 4111"
void each_row(const float *in, int n, int m, float *out) {
  for (int i = 0; i < n; ++i) {
    float w[m];
    for (int j = 0; j < m; ++j)
      w[j] = in[i * m + j];
    for (int j = 0; j < m; ++j)
      out[i * m + j] = w[m - j - 1];
  }
}

// What alloca() gives stays until the function returns.
// KEPT: stack {{.*}} 1,219,096 bytes at most: 4*n*m + 15*n + 4096
void kept(const float *in, int n, int m, float *out) {
  for (int i = 0; i < n; ++i) {
    float *w = alloca((unsigned)m * 4);
    for (int j = 0; j < m; ++j)
      w[j] = in[i * m + j];
    out[i] = w[in[i] > 0 ? 1 : m - 1];
  }
}

// What the iteration gives back stands above what it keeps.
// MIXED: stack {{.*}} bytes at most: 4*n*m + 15*n + 4*m + 4111
void mixed(const float *in, int n, int m, float *out) {
  for (int i = 0; i < n; ++i) {
    float *kept = alloca((unsigned)m * 4);
    float w[m];
    for (int j = 0; j < m; ++j)
      kept[j] = w[j] = in[i * m + j];
    out[i] = w[in[i] > 0 ? 1 : m - 1] + kept[m / 2];
  }
}

// FIXED: stack {{.*}} 404,096 bytes at most: 404096
void fixed(const float *in, int n, float *out) {
  float w[100000];
  for (int i = 0; i < n; ++i)
    w[i] = in[i] * 2;
  for (int i = 0; i < n; ++i)
    out[i] = w[n - i];
}

static int sum(const int *in, int n) {
  char b[256];
  memset(b, n, sizeof b);
  return n > 0 ? sum(in + 1, n - 1) + b[in[0] & 255] : 0;
}

// A frame of 512 bytes for each call that is open.
// DEEP: stack {{.*}} 51,204,864 bytes at most: 512*n + 4864
// DEEP: the stack may take 48.83 MiB
void deep(const int *in, int n, int *out) { out[0] = sum(in, n); }

static int part(const int *in, int n) {
  char b[256];
  memset(b, n, sizeof b);
  return n > 0 ? part(in, n / 2) + b[in[0] & 255] : 0;
}

// HALVED: stack {{.*}} 51,204,864 bytes at most: 512*n + 4864
void halved(const int *in, int n, int *out) { out[0] = part(in, n); }

// DATA-NOT: {{^}}  stack
// DATA: the stack is not counted, nor in the resident peak: the array at stack.c:[[# @LINE + 2]] has a length without a bound
void of_data(const int *in, int n, float *out) {
  float w[in[0]];
  for (int i = 0; i < n; ++i)
    w[i] = (float)in[i];
  for (int i = 0; i < n; ++i)
    out[i] = w[n - i];
}

static int of_two(const int *in, int n, int m) {
  char b[64];
  memset(b, n, sizeof b);
  if (n == 0)
    return m + b[in[0] & 63];
  return of_two(in, n - 1, m == 0 ? 1 : of_two(in, n, m - 1));
}

// CALLS: the stack is not counted, nor in the resident peak: 'of_two' at stack.c:[[# @LINE - 8]] calls itself
void ackermann(const int *in, int n, int m, int *out) { out[0] = of_two(in, n, m); }

// AGAIN-NOT: {{^}}  stack
// AGAIN: the stack is not counted, nor in the resident peak: 'again' at stack.c:[[# @LINE + 1]] calls itself
void again(const float *in, int n, float *out) {
  float w[n + 1];
  for (int i = 0; i <= n; ++i)
    w[i] = in[i];
  if (n > 0)
    again(in, n - 1, out);
  out[n] = w[n / 2];
}

// NONE-NOT: stack
void ordinary(const int *in, int n, int *out) {
  int w[64] = {0};
  for (int i = 0; i < n; ++i)
    w[in[i] & 63] += i;
  for (int i = 0; i < n; ++i)
    out[i] = w[i & 63];
}
