//===- csparse.c - Operators of CSparse on its sparse matrices ------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "call.h"
#include "cs.h"

/// Three entries in each column, on and beside the diagonal, at most NZMAX.
static cs banded(int nzmax, int m, int n, int nz) {
  cs a = {nzmax, m, n, 0, 0, 0, nz};
  a.p = (csi *)calloc((nz < 0 ? n + 1 : nzmax) + 1, sizeof(csi));
  a.i = (csi *)calloc(nzmax, sizeof(csi));
  a.x = (double *)calloc(nzmax, sizeof(double));
  csi at = 0;
  for (int j = 0; j < n; ++j) {
    if (nz < 0)
      a.p[j] = at;
    for (int i = j - 1; i <= j + 1; ++i)
      if (i >= 0 && i < m && at < nzmax) {
        if (nz >= 0)
          a.p[at] = j;
        a.x[at] = i == j ? 4 : -1;
        a.i[at++] = i;
      }
  }
  if (nz < 0)
    a.p[n] = at;
  return a;
}
static cs matrix(int from) { return banded(INTEGER(from), INTEGER(from + 1), INTEGER(from + 2), INTEGER(from + 3)); }
static csi *permutation(int n) {
  csi *p = (csi *)calloc(n, sizeof(csi));
  for (int i = 0; i < n; ++i)
    p[i] = n - 1 - i;
  return p;
}

//@ cs_transpose A.nzmax=298,A.m=100,A.n=100,A.nz=-1,values=1
OPERATOR(cs_transpose) {
  cs a = matrix(0);
  COUNTED(cs_transpose(&a, INTEGER(4)));
}
