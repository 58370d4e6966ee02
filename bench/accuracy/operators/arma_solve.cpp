// General linear system.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=Armadillo degree=2 smallest=250 flags=-DARMA_DONT_USE_WRAPPER link=-llapack,-lblas
// tensors=size*size,size,size

#include "job.h"

#include <armadillo>

ACCURACY_OPERATOR void arma_solve(const double *In, const double *Right, int size, double *Out) {
  arma::mat A(In, size, size);
  A.diag() += 1e4;
  arma::vec B(Right, size), X;
  arma::solve(X, A, B, arma::solve_opts::fast);
  std::memcpy(Out, X.memptr(), sizeof(double) * X.n_elem);
}
