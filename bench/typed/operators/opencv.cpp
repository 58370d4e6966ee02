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

//@ operator unsharp
//@ shapes in.rows=20,in.cols=31 | in.rows=333,in.cols=241 | in.rows=6000,in.cols=5001
//@ set sigma=2,amount=0.5
//@ let in = cv::Mat((int)$in.rows, (int)$in.cols, CV_32FC1)
//@ call unsharp(in, 2, 0.5)
cv::Mat unsharp(const cv::Mat &in, double sigma, double amount) {
  cv::Mat smooth, out;
  cv::GaussianBlur(in, smooth, cv::Size(), sigma);
  cv::addWeighted(in, 1 + amount, smooth, -amount, 0, out);
  return out;
}

//@ operator local_variance
//@ shapes in.rows=20,in.cols=31,radius=2 | in.rows=333,in.cols=241,radius=5 | in.rows=5000,in.cols=5001,radius=3
//@ let in = cv::Mat_<float>((int)$in.rows, (int)$in.cols)
//@ call local_variance(in, $radius)
// From two integral images.
cv::Mat_<float> local_variance(const cv::Mat_<float> &in, int radius) {
  cv::Mat_<double> sums(in.rows + 1, in.cols + 1, 0.0), squares(in.rows + 1, in.cols + 1, 0.0);
  for (int r = 0; r < in.rows; ++r)
    for (int c = 0; c < in.cols; ++c) {
      sums(r + 1, c + 1) = in(r, c) + sums(r, c + 1) + sums(r + 1, c) - sums(r, c);
      squares(r + 1, c + 1) = in(r, c) * in(r, c) + squares(r, c + 1) + squares(r + 1, c) - squares(r, c);
    }
  cv::Mat_<float> out(in.rows, in.cols);
  for (int r = 0; r < in.rows; ++r)
    for (int c = 0; c < in.cols; ++c) {
      const int r0 = std::max(0, r - radius), r1 = std::min(in.rows, r + radius + 1);
      const int c0 = std::max(0, c - radius), c1 = std::min(in.cols, c + radius + 1);
      const double n = double(r1 - r0) * (c1 - c0);
      const double s = sums(r1, c1) - sums(r0, c1) - sums(r1, c0) + sums(r0, c0);
      const double q = squares(r1, c1) - squares(r0, c1) - squares(r1, c0) + squares(r0, c0);
      out(r, c) = float(q / n - s / n * (s / n));
    }
  return out;
}

//@ operator half_pyramid
//@ tags nested
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
