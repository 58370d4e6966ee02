// The entries of a matrix above a level, as a sparse one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=Eigen symbols=rows,cols smallest=600,500 flags=-I/usr/include/eigen3

#include "../operators/job.h"

#include <Eigen/Dense>
#include <Eigen/Sparse>

ACCURACY_OPERATOR void eigen_sparse_view(const float *In, int rows, int cols, float *Out) {
  Eigen::Map<const Eigen::MatrixXf> Dense(In, rows, cols);
  Eigen::SparseMatrix<float> Kept = Dense.sparseView(70.0f, 1.0f);
  Eigen::Map<Eigen::VectorXf>(Out, rows) = Kept * Eigen::VectorXf::Ones(cols);
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int rows = J.extent();
  int cols = J.extent();
  float *In = J.input<float>(static_cast<long>(rows) * cols);
  float *Out = J.output<float>(rows);
  eigen_sparse_view(In, rows, cols, Out);
  return J.finish();
}
