// Indices and values above a level.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=Armadillo symbols=rows,cols smallest=500,400 flags=-DARMA_DONT_USE_WRAPPER link=-llapack,-lblas

#include "../operators/job.h"

#include <armadillo>

ACCURACY_OPERATOR void arma_find(const float *In, int rows, int cols, float *Out) {
  const arma::fmat A(const_cast<float *>(In), rows, cols, false, true);
  arma::uvec Hits = arma::find(A > 50);
  arma::fvec Values = A.elem(Hits);
  *Out = arma::accu(Values);
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int rows = J.extent();
  int cols = J.extent();
  float *In = J.input<float>(static_cast<long>(rows) * cols);
  float *Out = J.output<float>(1);
  arma_find(In, rows, cols, Out);
  return J.finish();
}
