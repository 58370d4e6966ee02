// Slices of a cube summed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=Armadillo smallest=60,50,60 flags=-DARMA_DONT_USE_WRAPPER link=-llapack,-lblas
// tensors=ni*nx*ns,ni*nx

#include "job.h"

#include <armadillo>

ACCURACY_OPERATOR void arma_cube_stack(const double *In, int ni, int nx, int ns, double *Out) {
  arma::cube Volume(In, ni, nx, ns);
  arma::cube Scaled = Volume * 2.0;
  Scaled.for_each([](double &Value) { Value = Value * Value; });
  arma::mat Stack = arma::sum(Scaled, 2);
  std::memcpy(Out, Stack.memptr(), sizeof(double) * Stack.n_elem);
}
