// Products, temporaries and decompositions of Eigen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=c++20 -O2 -I/usr/include/eigen3 -DNDEBUG

#include "../Inputs/twice.h"
#include <Eigen/Dense>

// A product of Eigen matrices. The product's workspace, blocked for the caches of this machine.
// HELD product n=80 n=5
MEMSHAPE_OPERATOR
void product(const double *in, int n, double *out) {
  Eigen::Map<const Eigen::MatrixXd> a(in, n, n);
  Eigen::Map<Eigen::MatrixXd> c(out, n, n);
  c.noalias() = a * a.transpose();
}

// Temporaries of an Eigen expression. What the expression's evaluation allocates, alias copies included.
// HELD update n=64 n=5
MEMSHAPE_OPERATOR
void update(const double *in, int n, double *out) {
  Eigen::Map<const Eigen::MatrixXd> a(in, n, n);
  Eigen::Map<Eigen::MatrixXd> c(out, n, n);
  Eigen::MatrixXd b = a + a;
  c = a * b + b * a;
  c += b * c;
}

// Reflections that data may skip. Eigen skips a reflection where tau is 0. Its workspace is on the stack where it is
// short, and what is written there is no part of a state: all runs are followed, and are alike.
// HELD -UNDEBUG components n=20,d=5
MEMSHAPE_OPERATOR
void components(const float *in, int n, int d, float *out) {
  const Eigen::MatrixXd Data = Eigen::Map<const Eigen::MatrixXf>(in, n, d).cast<double>();
  Eigen::MatrixXd Low = Eigen::MatrixXd::Zero(n, d);
  for (int Turn = 0; Turn < 3; ++Turn) {
    const Eigen::MatrixXd Rest = Data - Low, Gram = Rest.transpose() * Rest;
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> Solver(Gram);
    const Eigen::MatrixXd Few = Solver.eigenvectors().rightCols(std::max(1, d / 4));
    Low += Rest * Few * Few.transpose();
  }
  Eigen::Map<Eigen::MatrixXf>(out, n, d) = Low.cast<float>();
}
