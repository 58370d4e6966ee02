// Parameters of unusual types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters of unusual types
//
// flags:
// flags: -mavx512fp16
// flags: -mlong-double-128

#include <complex.h>
#include <stdlib.h>

#define WORK(n) free(malloc((size_t)(n)))
typedef float Four __attribute__((vector_size(16)));
typedef int Eight __attribute__((ext_vector_type(8)));
typedef struct {
  float Re, Im;
} Pair;
typedef struct {
  double A;
  long B;
} Split;
typedef struct {
  long A[5];
} Large;
typedef struct {
  char A;
} Tiny;
typedef struct {
} Empty;
typedef union {
  float F;
  int N;
} Either;

__int128 wide(int n, __int128 k) {
  WORK(n);
  return k + n;
}
int bits(int n, _BitInt(17) k, unsigned _BitInt(100) l) {
  WORK(n + (int)k);
  return (int)l;
}
float half(int n, _Float16 x) {
  WORK(n);
  return (float)x;
}
float brain(int n, __bf16 x) {
  WORK(n);
  return (float)x;
}
long double extended(int n, long double x) {
  WORK(n);
  return x;
}
__float128 quadruple(int n, __float128 x) {
  WORK(n);
  return x;
}
float complexes(int n, float complex a, double complex b, long double complex c) {
  WORK(n);
  return crealf(a) + (float)creal(b) + (float)creall(c);
}
Four four(int n, Four x) {
  WORK(n);
  return x + x;
}
Eight eight(int n, Eight x) {
  WORK(n);
  return x;
}
float pair(int n, Pair x) {
  WORK(n);
  return x.Re;
}
Split split(int n, Split x) {
  WORK(n);
  return x;
}
Large large(int n, Large x) {
  WORK(n);
  return x;
}
int tiny(int n, Tiny a, Empty b, Either c) {
  WORK(n);
  return a.A + c.N;
}
int row(int n, int a[n][n]) {
  WORK(n);
  return a[0][0];
}
