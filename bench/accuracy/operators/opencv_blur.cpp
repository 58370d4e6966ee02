// Gaussian blur of a float image.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=OpenCV smallest=700,500 flags=-I/usr/include/opencv4 link=-lopencv_imgproc,-lopencv_core
// tensors=rows*cols,rows*cols

#include "job.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

ACCURACY_OPERATOR void opencv_blur(const float *In, int rows, int cols, float *Out) {
  cv::setNumThreads(1);
  const cv::Mat Image(rows, cols, CV_32F, const_cast<float *>(In));
  cv::Mat Smooth;
  cv::GaussianBlur(Image, Smooth, cv::Size(9, 9), 2.0);
  std::memcpy(Out, Smooth.data, sizeof(float) * static_cast<std::size_t>(rows) * cols);
}
