// Slices of a cube summed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=Armadillo symbols=ni,nx,ns smallest=60,50,60 flags=-DARMA_DONT_USE_WRAPPER link=-llapack,-lblas

#include "job.h"

#include <armadillo>

ACCURACY_OPERATOR void arma_cube_stack(const double *In, int ni, int nx, int ns, double *Out) {
  arma::cube Volume(In, ni, nx, ns);
  arma::cube Scaled = Volume * 2.0;
  Scaled.for_each([](double &Value) { Value = Value * Value; });
  arma::mat Stack = arma::sum(Scaled, 2);
  std::memcpy(Out, Stack.memptr(), sizeof(double) * Stack.n_elem);
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int ni = J.extent();
  int nx = J.extent();
  int ns = J.extent();
  double *In = J.input<double>(static_cast<long>(ni) * nx * ns);
  double *Out = J.output<double>(static_cast<long>(ni) * nx);
  arma_cube_stack(In, ni, nx, ns, Out);
  return J.finish();
}
