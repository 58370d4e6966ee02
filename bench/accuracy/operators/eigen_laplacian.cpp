// Sparse Laplacian times a field.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=Eigen smallest=160,120 flags=-I/usr/include/eigen3 tensors=rows*cols,rows*cols

#include "job.h"

#include <Eigen/Sparse>
#include <vector>

ACCURACY_OPERATOR void eigen_laplacian(const double *In, int rows, int cols, double *Out) {
  int Count = rows * cols;
  std::vector<Eigen::Triplet<double>> Entries;
  Entries.reserve(5 * static_cast<std::size_t>(Count));
  for (int R = 0; R < rows; ++R)
    for (int C = 0; C < cols; ++C) {
      int At = R * cols + C;
      Entries.emplace_back(At, At, 4.0);
      if (C > 0)
        Entries.emplace_back(At, At - 1, -1.0);
      if (R > 0)
        Entries.emplace_back(At, At - cols, -1.0);
    }
  Eigen::SparseMatrix<double> Laplacian(Count, Count);
  Laplacian.setFromTriplets(Entries.begin(), Entries.end());
  Eigen::Map<Eigen::VectorXd>(Out, Count) = Laplacian * Eigen::Map<const Eigen::VectorXd>(In, Count);
}
