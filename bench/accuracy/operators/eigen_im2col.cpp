// Convolution as one matrix product.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=Eigen smallest=90,80,16 flags=-I/usr/include/eigen3
// tensors=height*width,25*filters,filters*height*width

#include "job.h"

#include <Eigen/Dense>

ACCURACY_OPERATOR void eigen_im2col(const float *Image, const float *Weights, int height, int width, int filters,
                                    float *Out) {
  int Rows = height - 4, Cols = width - 4;
  Eigen::MatrixXf Patches(25, Rows * Cols);
  for (int R = 0; R < Rows; ++R)
    for (int C = 0; C < Cols; ++C)
      for (int K = 0; K < 25; ++K)
        Patches(K, R * Cols + C) = Image[(R + K / 5) * width + C + K % 5];
  Eigen::Map<const Eigen::MatrixXf> Kernel(Weights, filters, 25);
  Eigen::Map<Eigen::MatrixXf>(Out, filters, Rows * Cols).noalias() = Kernel * Patches;
}
