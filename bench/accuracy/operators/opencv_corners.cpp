// Smallest eigenvalue of the structure matrix.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=OpenCV smallest=500,400 flags=-I/usr/include/opencv4 link=-lopencv_imgproc,-lopencv_core
// tensors=rows*cols,rows*cols

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
