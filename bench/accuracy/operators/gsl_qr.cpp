// Least squares by Householder reflections.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=GSL smallest=2000,40 link=-lgsl,-lgslcblas tensors=rows*cols,rows,cols

#include "job.h"

#include <gsl/gsl_linalg.h>

ACCURACY_OPERATOR void gsl_qr(const double *In, const double *Right, int rows, int cols, double *Out) {
  gsl_matrix *A = gsl_matrix_alloc(rows, cols);
  for (int R = 0; R < rows; ++R)
    for (int C = 0; C < cols; ++C)
      gsl_matrix_set(A, R, C, In[static_cast<long>(R) * cols + C] + (R == C ? 1000 : 0));
  gsl_vector *Scales = gsl_vector_alloc(cols), *Rest = gsl_vector_alloc(rows);
  gsl_linalg_QR_decomp(A, Scales);
  gsl_vector_const_view B = gsl_vector_const_view_array(Right, rows);
  gsl_vector_view X = gsl_vector_view_array(Out, cols);
  gsl_linalg_QR_lssolve(A, Scales, &B.vector, &X.vector, Rest);
  gsl_vector_free(Rest);
  gsl_vector_free(Scales);
  gsl_matrix_free(A);
}
