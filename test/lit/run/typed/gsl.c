/* Vectors and matrices of GSL, in C.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A factory of the library makes the arguments.

   RUN: %held -O2 -fplugin-arg-memshape-operator=fitted -lgsl -lgslcblas -lm
   HELD x.size1=100,x.size2=3,y.size=100 -- 100 3
   RUN: %predict --shape x.size1=100,x.size2=3,y.size=100 | %says "argument x {{.*}} 2,464 bytes" "argument y {{.*}} 856 bytes"
   */

#include "../Inputs/twice.h"
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>

/* The normal equations of y = x*c. */
gsl_vector *fitted(const gsl_matrix *x, const gsl_vector *y) {
  gsl_matrix *square = gsl_matrix_alloc(x->size2, x->size2);
  gsl_vector *right = gsl_vector_alloc(x->size2), *c = gsl_vector_alloc(x->size2);
  gsl_permutation *p = gsl_permutation_alloc(x->size2);
  int sign;
  gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1, x, x, 0, square);
  gsl_blas_dgemv(CblasTrans, 1, x, y, 0, right);
  gsl_linalg_LU_decomp(square, p, &sign);
  gsl_linalg_LU_solve(square, p, right, c);
  gsl_permutation_free(p);
  gsl_vector_free(right);
  gsl_matrix_free(square);
  return c;
}

static double once(long rows, long cols) {
  gsl_matrix *x = gsl_matrix_alloc(rows, cols);
  gsl_vector *y = gsl_vector_alloc(rows), *c;
  double first;
  for (long i = 0; i < rows; ++i) {
    gsl_vector_set(y, i, i % 7);
    for (long j = 0; j < cols; ++j)
      gsl_matrix_set(x, i, j, (i * (j + 3)) % 11);
  }
  c = fitted(x, y);
  first = gsl_vector_get(c, 0);
  gsl_vector_free(c);
  gsl_vector_free(y);
  gsl_matrix_free(x);
  return first;
}
