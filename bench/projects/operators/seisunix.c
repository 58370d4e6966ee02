// Operators on SeisUnix.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cwp.h"
#include <string.h>
//@ n1=10,n2=7 | n1=1500,n2=2000
void *su_alloc2(int n1, int n2) { return alloc2float(n1, n2); }
//@ n1=10,n2=7,n3=5 | n1=462,n2=95,n3=65
void su_copy3(const float *x, int n1, int n2, int n3) {
  float ***a = alloc3float(n1, n2, n3);
  memcpy(a[0][0], x, sizeof(float) * n1 * n2 * n3);
  free3float(a);
}
//@ n1=3,n2=4,n3=5,n4=6 | n1=50,n2=20,n3=30,n4=20
void su_alloc5(int n1, int n2, int n3, int n4) { free5float(alloc5float(n1, n2, n3, n4, 3)); }
//@ n=100 | n=200000
void su_spectrum(const float *in, int n, float *out) {
  int nfft = npfaro(n, 2 * n);
  float *rt = alloc1float(nfft);
  complex *ct = alloc1complex(nfft / 2 + 1);
  memset(rt, 0, nfft * sizeof(float));
  memcpy(rt, in, n * sizeof(float));
  pfarc(1, nfft, rt, ct);
  for (int i = 0; i < nfft / 2; ++i)
    out[i] = rcabs(ct[i]);
  free1float(rt);
  free1complex(ct);
}
//@ nt=100,nx=30 | nt=1500,nx=1200
void su_fk(const float *in, int nt, int nx) {
  int ntfft = npfar(nt), nxfft = npfa(nx), nw = ntfft / 2 + 1;
  float **p = alloc2float(ntfft, nxfft);
  complex **c = alloc2complex(nw, nxfft);
  for (int ix = 0; ix < nxfft; ++ix)
    for (int it = 0; it < ntfft; ++it)
      p[ix][it] = ix < nx && it < nt ? in[ix * nt + it] : 0;
  pfa2rc(1, 1, ntfft, nx, p[0], c[0]);
  pfa2cc(-1, 2, nw, nxfft, c[0]);
  free2float(p);
  free2complex(c);
}
//@ n=100 | n=5000
void su_hilbert(float *x, int n, float *y) { hilbert(n, x, y); }
//@ n=100 | n=50000
void su_spline(float *x, float *y, int n) {
  float(*yd)[4] = (float(*)[4])alloc1float(n * 4);
  csplin(n, x, y, yd);
  free1float((float *)yd);
}
//@ n=100 | n=100000
void *su_abel(int n) { return abelalloc(n); }
//@ n=100 | n=1000000
void su_sorted(float *x, int n) { qksort(n, x); }
//@ n=100 | n=1000000
float su_quantile(float *x, int n) { return quest(0.5f, n, x); }
//@ lx=100,ly=20 | lx=100000,ly=101
void su_convolve(float *x, float *y, int lx, int ly, float *z) { convolve_cwp(lx, 0, x, ly, 0, y, lx + ly - 1, 0, z); }
//@ n=10 | n=500
void su_toeplitz(float *r, float *g, int n, float *f) {
  float *a = alloc1float(n);
  stoepf(n, r, g, f, a);
  free1float(a);
}
//@ n=10 | n=100000
void su_tridiagonal(float *a, float *b, float *c, float *r, int n, float *u) { tridif(n, a, b, c, r, u); }
//@ n=100 | n=100000
void su_wavelet(int n, float *w) { ricker1_wavelet(n, 0.004f, 25.0f, w); }
//@ n=5 | n=25
void su_differentiator(int n, float *d) { mkdiff(4 * n, 1.0f, 1.0f, -2 * n, 2 * n, d); }
//@ n=100 | n=100000
void su_unwrap(float *re, float *im, float *phase, int n) { oppenheim_unwrap_phase(n, 1, 0, 3.1f, re, im, phase); }
//@ n=100 | n=100000
void su_hanning(int n, float *w) { hanningnWindow(n, w); }
//@ n=100 | n=100000
void su_slope(float *x, float *y, int n, float *out) { linear_regression(y, x, n, out); }
//@ n=100 | n=20000
void su_shift(float *x, int n, float *y) { shfs8r(1.0f, n, 0.0f, x, 0.0f, 0.0f, n, 0.3f, y); }
//@ n=100,m=50 | n=30000,m=60000
void su_invert_monotone(float *y, int n, int m, float *x) { yxtoxy(n, 1.0f, 0.0f, y, m, 1.0f, 0.0f, 0.0f, n, x); }
//@ bytes=4,n1=10,n2=20 | bytes=4,n1=300,n2=200
void *su_big(int bytes, int n1, int n2) { return bmalloc(bytes, n1, n2); }
