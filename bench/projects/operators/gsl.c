// Operators on GSL.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_fft_real.h>
#include <gsl/gsl_filter.h>
#include <gsl/gsl_histogram.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_poly.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_splinalg.h>
#include <gsl/gsl_spline.h>
#include <gsl/gsl_wavelet.h>
#include <stdlib.h>
#include <string.h>
#define VIEW(p, n) gsl_vector_view_array((double *)(p), n)
#define MAT(p, a, b) gsl_matrix_view_array((double *)(p), a, b)
//@ n=100 | n=1000000
void gsl_fft_r(double *x, int n) {
  gsl_fft_real_wavetable *t = gsl_fft_real_wavetable_alloc(n);
  gsl_fft_real_workspace *w = gsl_fft_real_workspace_alloc(n);
  gsl_fft_real_transform(x, 1, n, t, w);
  gsl_fft_real_wavetable_free(t);
  gsl_fft_real_workspace_free(w);
}
//@ log=7 | log=20
int gsl_wave(double *x, int log) {
  size_t n = (size_t)1 << log;
  gsl_wavelet *w = gsl_wavelet_alloc(gsl_wavelet_daubechies, 4);
  gsl_wavelet_workspace *s = gsl_wavelet_workspace_alloc(n);
  int r = gsl_wavelet_transform_forward(w, x, 1, n, s);
  gsl_wavelet_free(w);
  gsl_wavelet_workspace_free(s);
  return r;
}
//@ n=100 | n=2000
void gsl_histogram_of(const double *x, int n) {
  gsl_histogram *h = gsl_histogram_alloc(n);
  gsl_histogram_set_ranges_uniform(h, 0, 1);
  for (int i = 0; i < n; ++i)
    gsl_histogram_increment(h, x[i]);
  gsl_histogram_free(h);
}
//@ n=10 | n=150
int gsl_lu(double *a, double *b, int n, double *out) {
  gsl_matrix_view m = MAT(a, n, n);
  gsl_vector_view v = VIEW(b, n), x = VIEW(out, n);
  gsl_permutation *p = gsl_permutation_alloc(n);
  int s;
  gsl_linalg_LU_decomp(&m.matrix, p, &s);
  gsl_linalg_LU_solve(&m.matrix, p, &v.vector, &x.vector);
  gsl_permutation_free(p);
  return s;
}
//@ n=10 | n=200
int gsl_chol(double *a, int n) {
  gsl_matrix *m = gsl_matrix_calloc(n, n);
  gsl_matrix_set_identity(m);
  gsl_matrix_view A = MAT(a, n, n);
  gsl_blas_dsyrk(CblasLower, CblasNoTrans, 1, &A.matrix, 1, m);
  int r = gsl_linalg_cholesky_decomp1(m);
  gsl_matrix_free(m);
  return r;
}
//@ n=10 | n=100
void gsl_eigen_symmetric(double *a, int n, double *out) {
  gsl_matrix_view A = MAT(a, n, n);
  gsl_vector_view e = VIEW(out, n);
  gsl_eigen_symm_workspace *w = gsl_eigen_symm_alloc(n);
  gsl_eigen_symm(&A.matrix, &e.vector, w);
  gsl_eigen_symm_free(w);
}
//@ n=10,p=3 | n=5000,p=20
double gsl_fit(double *x, double *y, int n, int p) {
  gsl_multifit_linear_workspace *w = gsl_multifit_linear_alloc(n, p);
  gsl_matrix *cov = gsl_matrix_alloc(p, p);
  gsl_vector *c = gsl_vector_alloc(p);
  gsl_matrix_view X = MAT(x, n, p);
  gsl_vector_view Y = VIEW(y, n);
  double chi;
  gsl_multifit_linear(&X.matrix, &Y.vector, c, cov, &chi, w);
  gsl_multifit_linear_free(w);
  gsl_matrix_free(cov);
  gsl_vector_free(c);
  return chi;
}
//@ n=10 | n=1000000 ; ramp
double gsl_spline_at(const double *x, const double *y, int n) {
  gsl_interp_accel *a = gsl_interp_accel_alloc();
  gsl_spline *s = gsl_spline_alloc(gsl_interp_cspline, n);
  gsl_spline_init(s, x, y, n);
  double v = gsl_spline_eval(s, x[n / 2], a);
  gsl_spline_free(s);
  gsl_interp_accel_free(a);
  return v;
}
//@ n=100,k=5 | n=30000,k=51
void gsl_filter_gauss(double *x, int n, int k, double *out) {
  gsl_filter_gaussian_workspace *w = gsl_filter_gaussian_alloc(k);
  gsl_vector_view X = VIEW(x, n), Y = VIEW(out, n);
  gsl_filter_gaussian(GSL_FILTER_END_PADVALUE, 2.5, 0, &X.vector, &Y.vector, w);
  gsl_filter_gaussian_free(w);
}
//@ n=100 | n=1000000
void *gsl_sorted_index(const double *x, int n) {
  size_t *p = malloc(sizeof(size_t) * n);
  gsl_sort_index(p, x, 1, n);
  return p;
}
//@ limit=100 | limit=1000000
void *gsl_adaptive(int limit) {
  gsl_integration_workspace *w = gsl_integration_workspace_alloc(limit);
  gsl_integration_cquad_workspace *c = gsl_integration_cquad_workspace_alloc(limit);
  gsl_integration_cquad_workspace_free(c);
  return w;
}
//@ degree=5 | degree=60
int gsl_roots(const double *a, int degree, double *z) {
  gsl_poly_complex_workspace *w = gsl_poly_complex_workspace_alloc(degree + 1);
  int r = gsl_poly_complex_solve(a, degree + 1, w, z);
  gsl_poly_complex_workspace_free(w);
  return r;
}
//@ n=100,restart=10 | n=100000,restart=30
void *gsl_gmres(int n, int restart) { return gsl_splinalg_itersolve_alloc(gsl_splinalg_itersolve_gmres, n, restart); }
//@ n=10 | n=60
void gsl_expm(double *a, int n, double *out) {
  gsl_matrix_view A = MAT(a, n, n), E = MAT(out, n, n);
  gsl_linalg_exponential_ss(&A.matrix, &E.matrix, 0);
}
