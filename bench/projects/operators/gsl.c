// Operators on GSL.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Above each operator the shapes at which measure.py asks for it; behind a semicolon the kind of data that it needs.

#include <gsl/gsl_blas.h>
#include <gsl/gsl_bspline.h>
#include <gsl/gsl_chebyshev.h>
#include <gsl/gsl_combination.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_fft_complex.h>
#include <gsl/gsl_fft_halfcomplex.h>
#include <gsl/gsl_fft_real.h>
#include <gsl/gsl_filter.h>
#include <gsl/gsl_histogram.h>
#include <gsl/gsl_histogram2d.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_interp.h>
#include <gsl/gsl_interp2d.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_movstat.h>
#include <gsl/gsl_multifit.h>
#include <gsl/gsl_permutation.h>
#include <gsl/gsl_poly.h>
#include <gsl/gsl_rstat.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_spblas.h>
#include <gsl/gsl_splinalg.h>
#include <gsl/gsl_spline.h>
#include <gsl/gsl_spline2d.h>
#include <gsl/gsl_spmatrix.h>
#include <gsl/gsl_statistics.h>
#include <gsl/gsl_sum.h>
#include <gsl/gsl_wavelet.h>
#include <gsl/gsl_wavelet2d.h>
#include <stdlib.h>
#include <string.h>
#define VIEW(p, n) gsl_vector_view_array((double *)(p), n)
#define MAT(p, a, b) gsl_matrix_view_array((double *)(p), a, b)
//@ n=100 | n=999999
void gsl_fft_c(double *x, int n) {
  gsl_fft_complex_wavetable *t = gsl_fft_complex_wavetable_alloc(n);
  gsl_fft_complex_workspace *w = gsl_fft_complex_workspace_alloc(n);
  gsl_fft_complex_forward(x, 1, n, t, w);
  gsl_fft_complex_wavetable_free(t);
  gsl_fft_complex_workspace_free(w);
}
//@ n=100 | n=1000000
void gsl_fft_r(double *x, int n) {
  gsl_fft_real_wavetable *t = gsl_fft_real_wavetable_alloc(n);
  gsl_fft_real_workspace *w = gsl_fft_real_workspace_alloc(n);
  gsl_fft_real_transform(x, 1, n, t, w);
  gsl_fft_real_wavetable_free(t);
  gsl_fft_real_workspace_free(w);
}
//@ n=128,m=3 | n=1024,m=1500
void gsl_fft_many(double *x, int n, int m) {
  for (int i = 0; i < m; ++i) {
    gsl_fft_real_wavetable *t = gsl_fft_real_wavetable_alloc(n);
    gsl_fft_real_workspace *w = gsl_fft_real_workspace_alloc(n);
    gsl_fft_real_transform(x + (long)i * n, 1, n, t, w);
    gsl_fft_real_wavetable_free(t);
    gsl_fft_real_workspace_free(w);
  }
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
//@ n=64 | n=1024
int gsl_wave2d(double *x, int n) {
  gsl_wavelet *w = gsl_wavelet_alloc(gsl_wavelet_haar, 2);
  gsl_wavelet_workspace *s = gsl_wavelet_workspace_alloc(n);
  int r = gsl_wavelet2d_transform_forward(w, x, n, n, n, s);
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
//@ nx=10,ny=20 | nx=1000,ny=2000
void *gsl_histogram_2(const double *x, int nx, int ny) {
  gsl_histogram2d *h = gsl_histogram2d_alloc(nx, ny);
  gsl_histogram2d_set_ranges_uniform(h, 0, 1, 0, 1);
  for (int i = 0; i < nx; ++i)
    gsl_histogram2d_increment(h, x[i], x[i + 1]);
  return h;
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
//@ n=10 | n=150
void gsl_invert(double *a, int n, double *out) {
  gsl_matrix *m = gsl_matrix_alloc(n, n);
  memcpy(m->data, a, sizeof(double) * n * n);
  gsl_matrix_view o = MAT(out, n, n);
  gsl_permutation *p = gsl_permutation_alloc(n);
  int s;
  gsl_linalg_LU_decomp(m, p, &s);
  gsl_linalg_LU_invert(m, p, &o.matrix);
  gsl_permutation_free(p);
  gsl_matrix_free(m);
}
//@ m=20,n=10 | m=300,n=120
void gsl_qr_solve(double *a, double *b, int m, int n, double *out) {
  gsl_matrix_view A = MAT(a, m, n);
  gsl_vector_view B = VIEW(b, m), X = VIEW(out, n);
  gsl_vector *tau = gsl_vector_alloc(n), *r = gsl_vector_alloc(m);
  gsl_linalg_QR_decomp(&A.matrix, tau);
  gsl_linalg_QR_lssolve(&A.matrix, tau, &B.vector, &X.vector, r);
  gsl_vector_free(tau);
  gsl_vector_free(r);
}
//@ m=20,n=10 | m=200,n=80
void gsl_svd(double *a, int m, int n) {
  gsl_matrix_view A = MAT(a, m, n);
  gsl_matrix *V = gsl_matrix_alloc(n, n);
  gsl_vector *S = gsl_vector_alloc(n), *w = gsl_vector_alloc(n);
  gsl_linalg_SV_decomp(&A.matrix, V, S, w);
  gsl_matrix_free(V);
  gsl_vector_free(S);
  gsl_vector_free(w);
}
//@ m=20,n=10 | m=200,n=60
void gsl_svd_jacobi(double *a, int m, int n) {
  gsl_matrix_view A = MAT(a, m, n);
  gsl_matrix *V = gsl_matrix_alloc(n, n);
  gsl_vector *S = gsl_vector_alloc(n);
  gsl_linalg_SV_decomp_jacobi(&A.matrix, V, S);
  gsl_matrix_free(V);
  gsl_vector_free(S);
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
//@ n=10 | n=100
void gsl_eigen_vectors(double *a, int n, double *out) {
  gsl_matrix_view A = MAT(a, n, n);
  gsl_vector_view e = VIEW(out, n);
  gsl_eigen_symmv_workspace *w = gsl_eigen_symmv_alloc(n);
  gsl_matrix *v = gsl_matrix_alloc(n, n);
  gsl_eigen_symmv(&A.matrix, &e.vector, v, w);
  gsl_eigen_symmv_sort(&e.vector, v, GSL_EIGEN_SORT_VAL_ASC);
  gsl_eigen_symmv_free(w);
  gsl_matrix_free(v);
}
//@ n=10 | n=60
void gsl_eigen_general(double *a, int n) {
  gsl_matrix_view A = MAT(a, n, n);
  gsl_vector_complex *e = gsl_vector_complex_alloc(n);
  gsl_eigen_nonsymm_workspace *w = gsl_eigen_nonsymm_alloc(n);
  gsl_eigen_nonsymm(&A.matrix, e, w);
  gsl_eigen_nonsymm_free(w);
  gsl_vector_complex_free(e);
}
//@ n=10 | n=2000
void *gsl_eigen_spaces(int n) {
  void *all[4] = {gsl_eigen_herm_alloc(n), gsl_eigen_hermv_alloc(n), gsl_eigen_gen_alloc(n), gsl_eigen_genv_alloc(n)};
  gsl_eigen_hermv_free(all[1]);
  gsl_eigen_genv_free(all[3]);
  return all[0];
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
//@ n=30,p=3 | n=2000,p=8
double gsl_fit_robust(double *x, double *y, int n, int p) {
  gsl_multifit_robust_workspace *w = gsl_multifit_robust_alloc(gsl_multifit_robust_bisquare, n, p);
  gsl_matrix *cov = gsl_matrix_alloc(p, p);
  gsl_vector *c = gsl_vector_alloc(p);
  gsl_matrix_view X = MAT(x, n, p);
  gsl_vector_view Y = VIEW(y, n);
  gsl_multifit_robust(&X.matrix, &Y.vector, c, cov, w);
  gsl_multifit_robust_free(w);
  gsl_matrix_free(cov);
  gsl_vector_free(c);
  return 0;
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
//@ n=10 | n=1000000 ; ramp
void gsl_akima(const double *x, const double *y, int n) {
  gsl_interp *s = gsl_interp_alloc(gsl_interp_akima, n);
  gsl_interp_init(s, x, y, n);
  gsl_interp_free(s);
}
//@ n=10 | n=1000 ; ramp
void gsl_polynomial_interp(const double *x, const double *y, int n) {
  gsl_interp *s = gsl_interp_alloc(gsl_interp_polynomial, n);
  gsl_interp_init(s, x, y, n);
  gsl_interp_free(s);
}
//@ nx=10,ny=12 | nx=300,ny=400 ; ramp
void gsl_bicubic(const double *x, const double *y, const double *z, int nx, int ny) {
  gsl_spline2d *s = gsl_spline2d_alloc(gsl_interp2d_bicubic, nx, ny);
  gsl_spline2d_init(s, x, y, z, nx, ny);
  gsl_spline2d_free(s);
}
//@ order=4,n=20 | order=4,n=3000
void gsl_basis(int order, int n) {
  gsl_bspline_workspace *w = gsl_bspline_alloc(order, n);
  gsl_vector *b = gsl_vector_alloc(gsl_bspline_ncoeffs(w));
  gsl_bspline_knots_uniform(0, 1, w);
  gsl_vector_free(b);
  gsl_bspline_free(w);
}
//@ n=100,k=5 | n=1000000,k=7
void gsl_moving_mean(double *x, int n, int k, double *out) {
  gsl_movstat_workspace *w = gsl_movstat_alloc(k);
  gsl_vector_view X = VIEW(x, n), Y = VIEW(out, n);
  gsl_movstat_mean(GSL_MOVSTAT_END_PADVALUE, &X.vector, &Y.vector, w);
  gsl_movstat_free(w);
}
//@ n=100,k=5 | n=30000,k=701
void gsl_moving_median(double *x, int n, int k, double *out) {
  gsl_movstat_workspace *w = gsl_movstat_alloc(k);
  gsl_vector_view X = VIEW(x, n), Y = VIEW(out, n);
  gsl_movstat_median(GSL_MOVSTAT_END_PADZERO, &X.vector, &Y.vector, w);
  gsl_movstat_free(w);
}
//@ n=100,k=5 | n=30000,k=51
void gsl_filter_gauss(double *x, int n, int k, double *out) {
  gsl_filter_gaussian_workspace *w = gsl_filter_gaussian_alloc(k);
  gsl_vector_view X = VIEW(x, n), Y = VIEW(out, n);
  gsl_filter_gaussian(GSL_FILTER_END_PADVALUE, 2.5, 0, &X.vector, &Y.vector, w);
  gsl_filter_gaussian_free(w);
}
//@ n=100,k=5 | n=30000,k=51
void gsl_filter_med(double *x, int n, int k, double *out) {
  gsl_filter_rmedian_workspace *w = gsl_filter_rmedian_alloc(k);
  gsl_vector_view X = VIEW(x, n), Y = VIEW(out, n);
  gsl_filter_rmedian(GSL_FILTER_END_PADVALUE, &X.vector, &Y.vector, w);
  gsl_filter_rmedian_free(w);
}
//@ n=100 | n=1000000
void *gsl_sorted_index(const double *x, int n) {
  size_t *p = malloc(sizeof(size_t) * n);
  gsl_sort_index(p, x, 1, n);
  return p;
}
//@ n=100 | n=100000
double gsl_robust_scale(double *x, int n) {
  double *w = malloc(sizeof(double) * 3 * n);
  int *wi = malloc(sizeof(int) * 5 * n);
  gsl_sort(x, 1, n);
  double r = gsl_stats_Sn_from_sorted_data(x, 1, n, w);
  free(w);
  free(wi);
  return r;
}
//@ limit=100 | limit=1000000
void *gsl_adaptive(int limit) {
  gsl_integration_workspace *w = gsl_integration_workspace_alloc(limit);
  gsl_integration_cquad_workspace *c = gsl_integration_cquad_workspace_alloc(limit);
  gsl_integration_cquad_workspace_free(c);
  return w;
}
//@ n=10 | n=1500
double gsl_legendre(int n) {
  gsl_integration_glfixed_table *t = gsl_integration_glfixed_table_alloc(n);
  double x, w;
  gsl_integration_glfixed_point(0, 1, 0, &x, &w, t);
  gsl_integration_glfixed_table_free(t);
  return x;
}
//@ degree=5 | degree=60
int gsl_roots(const double *a, int degree, double *z) {
  gsl_poly_complex_workspace *w = gsl_poly_complex_workspace_alloc(degree + 1);
  int r = gsl_poly_complex_solve(a, degree + 1, w, z);
  gsl_poly_complex_workspace_free(w);
  return r;
}
//@ n=10 | n=1000000
int gsl_permute_vec(double *x, int n) {
  gsl_permutation *p = gsl_permutation_calloc(n), *q = gsl_permutation_alloc(n);
  gsl_permutation_reverse(p);
  gsl_permutation_inverse(q, p);
  int r = gsl_permutation_valid(p);
  gsl_permutation_free(p);
  gsl_permutation_free(q);
  return r;
}
//@ n=8,k=3 | n=20,k=6
long gsl_combinations(int n, int k) {
  gsl_combination *c = gsl_combination_calloc(n, k);
  long count = 0;
  do
    ++count;
  while (gsl_combination_next(c) == GSL_SUCCESS);
  gsl_combination_free(c);
  return count;
}
//@ rows=10,columns=12 | rows=300,columns=200
void gsl_product(double *a, double *b, int rows, int columns, double *out) {
  gsl_matrix_view A = MAT(a, rows, columns), B = MAT(b, columns, rows), C = MAT(out, rows, rows);
  gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, &A.matrix, &B.matrix, 0, &C.matrix);
}
//@ rows=10,columns=12 | rows=5000,columns=4000
double gsl_matrix_copy(double *a, int rows, int columns) {
  gsl_matrix_view A = MAT(a, rows, columns);
  gsl_matrix *t = gsl_matrix_alloc(columns, rows);
  gsl_matrix_transpose_memcpy(t, &A.matrix);
  gsl_vector *row = gsl_vector_alloc(rows);
  gsl_matrix_get_row(row, t, 0);
  double r = gsl_vector_get(row, 0);
  gsl_vector_free(row);
  gsl_matrix_free(t);
  return r;
}
//@ n=10,m=12 | n=1000,m=800
void gsl_sparse_poisson(int n, int m) {
  gsl_spmatrix *a = gsl_spmatrix_alloc(n, m);
  for (int i = 0; i < n && i < m; ++i)
    gsl_spmatrix_set(a, i, i, 2.0);
  gsl_spmatrix_free(a);
}
//@ n=10,nz=50 | n=10000,nz=200000
void gsl_sparse_nz(int n, int nz) {
  gsl_spmatrix *a = gsl_spmatrix_alloc_nzmax(n, n, nz, GSL_SPMATRIX_TRIPLET);
  for (int i = 0; i < n; ++i)
    gsl_spmatrix_set(a, i, i, 2.0);
  gsl_spmatrix *c = gsl_spmatrix_compcol(a);
  gsl_spmatrix_free(a);
  gsl_spmatrix_free(c);
}
//@ n=100,restart=10 | n=100000,restart=30
void *gsl_gmres(int n, int restart) { return gsl_splinalg_itersolve_alloc(gsl_splinalg_itersolve_gmres, n, restart); }
//@ n=10 | n=100000
void gsl_levin(double *x, int n) {
  gsl_sum_levin_utrunc_workspace *w = gsl_sum_levin_utrunc_alloc(n);
  double s, e;
  gsl_sum_levin_utrunc_accel(x, n, w, &s, &e);
  gsl_sum_levin_utrunc_free(w);
}
//@ n=10 | n=1000
void *gsl_levin_u(int n) { return gsl_sum_levin_u_alloc(n); }
static double curve(double x, void *p) {
  (void)p;
  return x * x;
}
//@ n=10 | n=2000
double gsl_chebyshev(int n) {
  gsl_cheb_series *c = gsl_cheb_alloc(n);
  gsl_function f = {curve, NULL};
  gsl_cheb_init(c, &f, 0, 1);
  double r = gsl_cheb_eval(c, 0.5);
  gsl_cheb_free(c);
  return r;
}
//@ n=100 | n=1000000
double gsl_running(const double *x, int n) {
  gsl_rstat_workspace *w = gsl_rstat_alloc();
  for (int i = 0; i < n; ++i)
    gsl_rstat_add(x[i], w);
  double r = gsl_rstat_sd(w);
  gsl_rstat_free(w);
  return r;
}
//@ n=10 | n=60
void gsl_expm(double *a, int n, double *out) {
  gsl_matrix_view A = MAT(a, n, n), E = MAT(out, n, n);
  gsl_linalg_exponential_ss(&A.matrix, &E.matrix, 0);
}
//@ m=20,n=10 | m=200,n=100
int gsl_rank(double *a, int m, int n) {
  gsl_matrix_view A = MAT(a, m, n);
  int k = m < n ? m : n;
  gsl_vector *tq = gsl_vector_alloc(k), *tz = gsl_vector_alloc(k), *w = gsl_vector_alloc(n);
  gsl_permutation *p = gsl_permutation_alloc(n);
  size_t rank;
  gsl_linalg_COD_decomp(&A.matrix, tq, tz, p, &rank, w);
  gsl_vector_free(tq);
  gsl_vector_free(tz);
  gsl_vector_free(w);
  gsl_permutation_free(p);
  return rank;
}
