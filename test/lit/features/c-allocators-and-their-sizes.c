// RUN: %clang -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// The malloc family, aligned forms, a function that declares itself an allocator, and arrays of variable length.

#define _GNU_SOURCE
#include <alloca.h>
#include <stdlib.h>

void *pool_take(int tag, size_t count, size_t size) __attribute__((alloc_size(2, 3)));

[[memshape::operator]] void family(float *x, size_t n, int k) {
  float *a = malloc(n * sizeof *a);
  double *b = calloc(n, sizeof(double));
  a = realloc(a, 2 * n * sizeof *a);
  void *c = aligned_alloc(64, n << 6);
  void *d;
  if (posix_memalign(&d, 64, n + 64))
    return;
  int *e = pool_take(1, n, 4);
  char *f = alloca(n);
  float g[n][k];
  g[0][0] = f[0] + e[0];
  x[0] = g[0][0] + a[0] + b[0];
  free(a);
  free(b);
  free(c);
  free(d);
}

// CHECK: allocation function={family} name={a} kind={raw} space={host} size_written={n * sizeof *a} {{.*}} growth={no}
// CHECK-NEXT: allocation function={family} name={b} kind={raw} space={host} size_written={n * sizeof(double)}
// CHECK-NEXT: allocation function={family} name={a} kind={raw} space={host} size_written={2 * n * sizeof *a} {{.*}} growth={yes}
// CHECK-NEXT: allocation function={family} name={c} kind={raw} space={host} size_written={n << 6}
// CHECK-NEXT: allocation function={family} name={d} kind={raw} space={host} size_written={n + 64}
// CHECK-NEXT: allocation function={family} name={e} kind={raw} space={host} size_written={n * 4}
// CHECK-NEXT: allocation function={family} name={f} kind={raw} space={stack} size_written={alloca(n)}
// CHECK-NEXT: allocation function={family} name={g} kind={array} space={stack} size_written={n}
// CHECK-NOT: {{^}}allocation
