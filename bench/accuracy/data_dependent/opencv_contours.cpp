// Outlines of what lies above a level.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=OpenCV symbols=rows,cols smallest=700,600 flags=-I/usr/include/opencv4
// link=-lopencv_imgproc,-lopencv_core

#include "../operators/job.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

ACCURACY_OPERATOR void opencv_contours(const float *In, int rows, int cols, float *Out) {
  cv::Mat Image(rows, cols, CV_32F, const_cast<float *>(In)), Above;
  cv::compare(Image, 60, Above, cv::CMP_GT);
  std::vector<std::vector<cv::Point>> Contours;
  cv::findContours(Above, Contours, cv::RETR_LIST, cv::CHAIN_APPROX_NONE);
  for (const std::vector<cv::Point> &Contour : Contours)
    *Out += static_cast<float>(Contour.size());
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int rows = J.extent();
  int cols = J.extent();
  float *In = J.input<float>(static_cast<long>(rows) * cols);
  float *Out = J.output<float>(1);
  opencv_contours(In, rows, cols, Out);
  return J.finish();
}
