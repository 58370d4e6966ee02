// Sizes from real numbers of data that the source bounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clamps, products and sums, with what each may round to. -7777 stands for what is no number: fmin and fmax pass it by.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 0..1923 -- 100 2000 999 255 255 2000
// RUN: %compare %t --shape n=100 --bounds 0..1923 -- 100 -3 -1 0 0 -7777
// RUN: %compare %t --shape n=7 --bounds 0..1090 -- 7 6 999 17 3 -7777
// RUN: %clangxx -std=c++20 -O0 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 0..1923 -- 100 2000 999 255 255 2000

#include "../Inputs/twice.h"
#include <algorithm>
#include <cmath>
#include <vector>

MEMSHAPE_OPERATOR
float bounded(const float *in, const unsigned char *pixels, int n) {
  std::vector<float> clamped(int(std::clamp(in[0], 0.f, float(n)) + .5f), 1.0f);
  std::vector<char> share(int(std::min(std::max(in[1], 0.f), 1.f) * float(n - 1)), 1);
  std::vector<short> mixed(int(.5f * pixels[0] + pixels[1]), short(1));
  std::vector<double> least(long(std::floor(std::fmin(std::fmax(in[2], 0.f), n / 2.f))), 1.0);
  float sum = 0;
  for (float each : clamped)
    sum += each;
  for (char each : share)
    sum += each;
  for (short each : mixed)
    sum += each;
  for (double each : least)
    sum += float(each);
  return sum;
}

TWICE({
  for (int at = 0; at < 2; ++at)
    data[at] = float(number(2 + at));
  data[2] = number(6) == -7777 ? NAN : float(number(6));
  unsigned char *pixels = reinterpret_cast<unsigned char *>(more);
  pixels[0] = (unsigned char)number(4);
  pixels[1] = (unsigned char)number(5);
  sink = bounded(data, pixels, int(number(1)));
})
