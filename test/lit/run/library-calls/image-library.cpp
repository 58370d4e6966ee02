// A closed library on images.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library is called for real on zeros: headers are real, pixels are not computed, and its blocks are counted.
//
// REQUIRES: opencv
// RUN: %clangxx -std=c++20 -O2 -I/usr/include/opencv4 %operatorxx -lopencv_imgproc -lopencv_core
// RUN: %compare %t --shape ny=64,nx=48 -- 64 48
// RUN: %compare %t --object %t.o --shape ny=101,nx=133 -- 101 133

#include "../Inputs/twice.h"
#include <cstring>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

MEMSHAPE_OPERATOR
void edges(const float *in, int ny, int nx, float *out) {
  cv::setNumThreads(1);
  const cv::Mat image(ny, nx, CV_32F, const_cast<float *>(in));
  std::vector<float> halved(std::size_t(ny / 2) * (nx / 2));
  cv::Mat small(ny / 2, nx / 2, CV_32F, halved.data()), smooth, across(image.size(), CV_32F), down;
  cv::GaussianBlur(image, smooth, cv::Size(7, 7), 1.5);
  cv::resize(smooth, small, small.size());
  cv::Sobel(smooth, across, CV_32F, 1, 0);
  cv::Sobel(smooth, down, CV_32F, 0, 1);
  cv::Mat strength;
  cv::magnitude(across, down, strength);
  std::vector<float> copy(strength.total());
  std::memcpy(copy.data(), strength.ptr<float>(), copy.size() * sizeof(float));
  out[0] = copy[0] + halved[0];
}

TWICE(edges(data, number(1), number(2), more))
