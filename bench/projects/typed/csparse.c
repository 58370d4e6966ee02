// Operators of CSparse on its sparse matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

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
static cs matrix(int from) { return banded(INTEGER(from), INTEGER(from + 1), INTEGER(from + 2), -1); }
static csi *permutation(int n) {
  csi *p = (csi *)calloc(n, sizeof(csi));
  for (int i = 0; i < n; ++i)
    p[i] = n - 1 - i;
  return p;
}

//@ cs_transpose A.nzmax=298,A.m=100,A.n=100,values=1; A.nz=-1 | A.nzmax=59998,A.m=20000,A.n=20000,values=1; A.nz=-1
OPERATOR(cs_transpose) {
  cs a = matrix(0);
  COUNTED(cs_transpose(&a, INTEGER(3)));
}

//@ cs_add A.nzmax=298,A.m=100,A.n=100,B.nzmax=298,B.m=100,B.n=100; alpha=1,beta=2,A.nz=-1,B.nz=-1 | A.nzmax=59998,A.m=20000,A.n=20000,B.nzmax=59998,B.m=20000,B.n=20000; alpha=1,beta=2,A.nz=-1,B.nz=-1
OPERATOR(cs_add) {
  cs a = matrix(0), b = matrix(3);
  COUNTED(cs_add(&a, &b, NUMBER(6), NUMBER(7)));
}

//@ cs_multiply A.nzmax=298,A.m=100,A.n=100,B.nzmax=298,B.m=100,B.n=100; A.nz=-1,B.nz=-1 | A.nzmax=59998,A.m=20000,A.n=20000,B.nzmax=59998,B.m=20000,B.n=20000; A.nz=-1,B.nz=-1
OPERATOR(cs_multiply) {
  cs a = matrix(0), b = matrix(3);
  COUNTED(cs_multiply(&a, &b));
}

//@ cs_dupl A.nzmax=298,A.m=100,A.n=100; A.nz=-1 | A.nzmax=59998,A.m=20000,A.n=20000; A.nz=-1
OPERATOR(cs_dupl) {
  cs a = matrix(0);
  COUNTED(cs_dupl(&a));
}

//@ cs_permute A.nzmax=298,A.m=100,A.n=100,values=1; A.nz=-1 | A.nzmax=59998,A.m=20000,A.n=20000,values=1; A.nz=-1
OPERATOR(cs_permute) {
  cs a = matrix(0);
  csi *p = permutation((int)a.m), *q = permutation((int)a.n);
  COUNTED(cs_permute(&a, p, q, INTEGER(3)));
}

//@ cs_amd order=1,A.nzmax=298,A.m=100,A.n=100; A.nz=-1 | order=1,A.nzmax=59998,A.m=20000,A.n=20000; A.nz=-1
OPERATOR(cs_amd) {
  cs a = matrix(1);
  COUNTED(cs_amd(INTEGER(0), &a));
}

//@ cs_lusol order=0,A.nzmax=298,A.m=100,A.n=100; tol=1,A.nz=-1 | order=0,A.nzmax=59998,A.m=20000,A.n=20000; tol=1,A.nz=-1
OPERATOR(cs_lusol) {
  cs a = matrix(1);
  double *b = (double *)filled((double)a.n, 'd');
  COUNTED(cs_lusol(INTEGER(0), &a, b, NUMBER(4)));
}

//@ cs_cholsol order=0,A.nzmax=298,A.m=100,A.n=100; A.nz=-1 | order=0,A.nzmax=59998,A.m=20000,A.n=20000; A.nz=-1
OPERATOR(cs_cholsol) {
  cs a = matrix(1);
  double *b = (double *)filled((double)a.n, 'd');
  COUNTED(cs_cholsol(INTEGER(0), &a, b));
}
