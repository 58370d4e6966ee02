// Rows less their mean, scaled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=Armadillo smallest=500,400 flags=-DARMA_DONT_USE_WRAPPER link=-llapack,-lblas
// tensors=rows*cols,rows*cols

#include "job.h"

#include <armadillo>

ACCURACY_OPERATOR void arma_center(const double *In, int rows, int cols, double *Out) {
  arma::mat Data(In, rows, cols);
  arma::rowvec Mean = arma::mean(Data, 0);
  Data.each_row() -= Mean;
  arma::mat Squares = arma::square(Data);
  arma::rowvec Width = arma::sqrt(arma::sum(Squares, 0)) + 1;
  Data.each_row() /= Width;
  std::memcpy(Out, Data.memptr(), sizeof(double) * Data.n_elem);
}
