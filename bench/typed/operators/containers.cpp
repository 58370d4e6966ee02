// Operators on containers of the C++ library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <valarray>
#include <vector>

using Floats = std::vector<float>;

//@ operator median_filter
//@ shapes in.size=20,width=3 | in.size=1001,width=15 | in.size=6000001,width=5
//@ let in = Floats($in.size)
//@ call median_filter(in, $width)
Floats median_filter(const Floats &in, int width) {
  Floats out(in.size()), window(width);
  for (std::size_t i = 0; i < in.size(); ++i) {
    for (int k = 0; k < width; ++k)
      window[k] = in[std::clamp<long>(long(i) + k - width / 2, 0, long(in.size()) - 1)];
    std::nth_element(window.begin(), window.begin() + width / 2, window.end());
    out[i] = window[width / 2];
  }
  return out;
}

//@ operator transformed
//@ shapes x.size=16 | x.size=128 | x.size=1048576
//@ let x = std::vector<std::complex<double>>($x.size)
//@ call transformed(x)
// A transform by halves, each of which is a vector of its own.
std::vector<std::complex<double>> transformed(std::vector<std::complex<double>> x) {
  const std::size_t n = x.size();
  if (n < 2)
    return x;
  std::vector<std::complex<double>> even(n / 2), odd(n / 2);
  for (std::size_t i = 0; i < n / 2; ++i) {
    even[i] = x[2 * i];
    odd[i] = x[2 * i + 1];
  }
  even = transformed(std::move(even));
  odd = transformed(std::move(odd));
  for (std::size_t k = 0; k < n / 2; ++k) {
    const std::complex<double> turned = std::polar(1.0, -2 * M_PI * double(k) / double(n)) * odd[k];
    x[k] = even[k] + turned;
    x[k + n / 2] = even[k] - turned;
  }
  return x;
}

//@ operator histogram
//@ shapes in.size=20,bins=4 | in.size=1001,bins=64 | in.size=50000001,bins=1000
//@ let in = Floats($in.size)
//@ call histogram(in, $bins)
std::vector<std::uint64_t> histogram(const Floats &in, int bins) {
  std::vector<std::uint64_t> counts(bins);
  if (in.empty())
    return counts;
  const auto [low, high] = std::minmax_element(in.begin(), in.end());
  const float scale = *high > *low ? float(bins) / (*high - *low) : 0.f;
  for (float x : in)
    ++counts[std::min(bins - 1, int((x - *low) * scale))];
  return counts;
}

//@ operator picks
//@ shapes in.size=20 | in.size=1001 | in.size=10000001
//@ let in = Floats($in.size)
//@ set threshold=0.25
//@ call picks(in, 0.25f)
std::vector<int> picks(const Floats &in, float threshold) {
  std::vector<int> found;
  for (std::size_t i = 1; i + 1 < in.size(); ++i)
    if (in[i] > threshold && in[i] >= in[i - 1] && in[i] > in[i + 1])
      found.push_back(int(i));
  return found;
}

//@ operator transposed_rows
//@ shapes rows.size=5,rows[0].size=7 | rows.size=101,rows[0].size=77 | rows.size=3000,rows[0].size=2001
//@ let rows = std::vector<std::vector<double>>($rows.size, std::vector<double>($rows[0].size))
//@ call transposed_rows(rows)
std::vector<std::vector<double>> transposed_rows(const std::vector<std::vector<double>> &rows) {
  if (rows.empty())
    return {};
  std::vector<std::vector<double>> out(rows.front().size(), std::vector<double>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < out.size(); ++j)
      out[j][i] = rows[i][j];
  return out;
}

//@ operator integrated
//@ shapes in.size=20,times=2 | in.size=1001,times=3 | in.size=9000001,times=2
//@ let in = std::vector<double>($in.size)
//@ call integrated(in, $times)
std::vector<double> integrated(std::vector<double> in, unsigned times) {
  for (unsigned t = 0; t < times; ++t) {
    std::vector<double> next;
    next.reserve(in.size() + 1);
    next.push_back(0);
    for (double x : in)
      next.push_back(next.back() + x);
    in = std::move(next);
  }
  return in;
}
