// Reflections that data may skip.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Eigen skips a reflection where tau is 0. Its workspace is on the stack where it is short, and what is written there
// is no part of a state: all runs are followed, and are alike.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -isystem /usr/include/eigen3 -c %s -o %t.o
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape n=20,d=5 -- 20 5

#include "../Inputs/twice.h"
#include <Eigen/Dense>

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

TWICE(components(data, number(1), number(2), more))
