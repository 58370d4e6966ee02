// RUN: %clang -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// Members of a local structure keep the values they were given, until one is written.

#include <stdlib.h>

struct grid {
  int rows, columns, halo;
};

static float *cells(struct grid g) { return malloc(sizeof(float) * (g.rows + 2 * g.halo) * g.columns); }

[[memshape::operator]] void fill(float *out, int ny, int nx) {
  struct grid g = {ny, nx, 3};
  struct grid h = {.rows = ny, .columns = nx};
  float *a = cells(g);
  h.columns = 7 * h.columns;
  float *b = calloc(h.rows, h.columns);
  double *c = calloc(h.rows, sizeof(double));
  out[0] = a[0] + b[0] + c[0];
  free(a);
  free(b);
  free(c);
}

// CHECK: allocation function={cells} {{.*}} size_written={sizeof(float) * (g.rows + 2 * g.halo) * g.columns} depends_on={shape}
// CHECK-NEXT: allocation function={fill} name={b} {{.*}} size_written={h.rows * h.columns} depends_on={shape}
// CHECK-NEXT: allocation function={fill} name={c} {{.*}} size_written={h.rows * sizeof(double)} depends_on={shape}
