// Smallest eigenvalue of the structure matrix.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=OpenCV symbols=rows,cols smallest=500,400 flags=-I/usr/include/opencv4
// link=-lopencv_imgproc,-lopencv_core

#include "job.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

ACCURACY_OPERATOR void opencv_corners(const float *In, int rows, int cols, float *Out) {
  cv::setNumThreads(1);
  const cv::Mat Image(rows, cols, CV_32F, const_cast<float *>(In));
  cv::Mat Corners;
  cv::cornerMinEigenVal(Image, Corners, 5);
  std::memcpy(Out, Corners.data, sizeof(float) * static_cast<std::size_t>(rows) * cols);
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int rows = J.extent();
  int cols = J.extent();
  float *In = J.input<float>(static_cast<long>(rows) * cols);
  float *Out = J.output<float>(static_cast<long>(rows) * cols);
  opencv_corners(In, rows, cols, Out);
  return J.finish();
}
