// Matrices of OpenCV.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of a cv::Mat are a setting, which has a default: CV_32FC1.
//
// REQUIRES: opencv
// DEFINE: %{compile} = %clangxx -std=c++17 -O2 -fplugin=%plugin -I%include -I/usr/include/opencv4 -c %s -o %t.o
// DEFINE: %{link} = %clangxx %t.o -o %t -lopencv_core -lopencv_imgproc
// RUN: %{compile} -DPLAIN -fplugin-arg-memshape-operator=unsharp
// RUN: %{link}
// RUN: %compare %t --shape img.rows=170,img.cols=200 -- 170 200 5
// RUN: %compare %t --shape img.rows=170,img.cols=200 --set img.type=6 -- 170 200 6
// CV_64FC1: 8 bytes for each element, and what the library keeps beside them.
// RUN: %predict --shape img.rows=170,img.cols=200 --set img.type=6 | %says "argument img {{.*}} 272,176 bytes"
// RUN: %{compile} -DTYPED -fplugin-arg-memshape-operator=response
// RUN: %{link}
// RUN: %compare %t --shape img.rows=170,img.cols=200 -- 170 200 5
// RUN: %{compile} -DARRAYS -fplugin-arg-memshape-operator=edges
// RUN: %{link}
// RUN: %compare %t --shape src.rows=170,src.cols=200 -- 170 200 5

#include "../Inputs/twice.h"
#include <opencv2/imgproc.hpp>

#if defined(PLAIN)
cv::Mat unsharp(const cv::Mat &img) {
  cv::Mat blurred, out;
  cv::GaussianBlur(img, blurred, cv::Size(7, 7), 1.5);
  cv::addWeighted(img, 1.5, blurred, -0.5, 0, out);
  return out;
}
static double once(const cv::Mat &img) { return unsharp(img).rows; }
#elif defined(TYPED)
cv::Mat_<float> response(const cv::Mat_<float> &img) {
  cv::Mat_<float> x, y, out(img.rows, img.cols);
  cv::Sobel(img, x, CV_32F, 1, 0);
  cv::Sobel(img, y, CV_32F, 0, 1);
  for (int r = 0; r < img.rows; ++r)
    for (int c = 0; c < img.cols; ++c)
      out(r, c) = x(r, c) * x(r, c) + y(r, c) * y(r, c);
  return out;
}
static double once(const cv::Mat &img) { return response(img).rows; }
#else
void edges(cv::InputArray src, cv::OutputArray dst) {
  cv::Mat blurred;
  cv::blur(src, blurred, cv::Size(3, 3));
  cv::Laplacian(blurred, dst, CV_32F);
}
static double once(const cv::Mat &img) {
  cv::Mat out;
  edges(img, out);
  return out.rows;
}
#endif

TWICE({
  static cv::Mat img(number(1), number(2), number(3), cv::Scalar::all(1));
  sink = once(img);
})
