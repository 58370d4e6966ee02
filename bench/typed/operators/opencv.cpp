// Operators on OpenCV's images.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

//@ operator edges
//@ shapes in.rows=20,in.cols=31 | in.rows=333,in.cols=241 | in.rows=6000,in.cols=5001
//@ let in = cv::Mat((int)$in.rows, (int)$in.cols, CV_32FC1)
//@ call edges(in)
cv::Mat edges(const cv::Mat &in) {
  cv::Mat gx, gy, out;
  cv::Sobel(in, gx, CV_32F, 1, 0);
  cv::Sobel(in, gy, CV_32F, 0, 1);
  cv::magnitude(gx, gy, out);
  return out;
}

//@ operator half_pyramid
//@ shapes in.rows=64,in.cols=48,levels=2 | in.rows=333,in.cols=241,levels=4 | in.rows=6000,in.cols=5001,levels=3
//@ let in = cv::Mat((int)$in.rows, (int)$in.cols, CV_32FC1)
//@ call half_pyramid(in, $levels)
std::vector<cv::Mat> half_pyramid(const cv::Mat &in, int levels) {
  std::vector<cv::Mat> out;
  out.reserve(levels + 1);
  out.push_back(in.clone());
  for (int level = 0; level < levels; ++level) {
    cv::Mat smaller;
    cv::resize(out.back(), smaller, cv::Size((out.back().cols + 1) / 2, (out.back().rows + 1) / 2), 0, 0,
               cv::INTER_AREA);
    out.push_back(smaller);
  }
  return out;
}
