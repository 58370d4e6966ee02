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
//@ tags by-value recursion
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

//@ operator resampled
//@ tags exception
//@ shapes in.size=20,factor=3 | in.size=1001,factor=7 | in.size=10000001,factor=4
//@ let in = Floats($in.size)
//@ call resampled(in, $factor)
// Cubic interpolation; the samples are padded by two on each side.
std::vector<double> resampled(std::span<const float> in, int factor) {
  if (in.empty() || factor < 1)
    throw std::invalid_argument("nothing to resample");
  std::vector<double> padded;
  padded.reserve(in.size() + 4);
  padded.insert(padded.end(), 2, in.front());
  padded.insert(padded.end(), in.begin(), in.end());
  padded.insert(padded.end(), 2, in.back());
  std::vector<double> out(in.size() * factor);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double *p = &padded[i / factor + 1], t = double(i % factor) / factor;
    out[i] =
        p[1] +
        0.5 * t * (p[2] - p[0] + t * (2 * p[0] - 5 * p[1] + 4 * p[2] - p[3] + t * (3 * (p[1] - p[2]) + p[3] - p[0])));
  }
  return out;
}

//@ operator polynomial
//@ shapes x.size=20,c.size=4 | x.size=1001,c.size=9 | x.size=20000001,c.size=6
//@ let x = std::valarray<double>($x.size)
//@ let c = std::valarray<double>($c.size)
//@ call polynomial(x, c)
std::valarray<double> polynomial(const std::valarray<double> &x, const std::valarray<double> &c) {
  std::valarray<double> out(0.0, x.size());
  for (std::size_t i = c.size(); i-- > 0;)
    out = out * x + c[i];
  std::valarray<double> squared = out * out;
  return out / std::sqrt(squared.sum() + 1e-300);
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
//@ tags decision
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

//@ operator edit_distance
//@ shapes a.size=20,b.size=31 | a.size=1001,b.size=700 | a.size=9000,b.size=2001
//@ let a = std::string($a.size, 'a')
//@ let b = std::string($b.size, 'b')
//@ call edit_distance(a, b)
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> cost(a.size() + 1, std::vector<int>(b.size() + 1));
  std::iota(cost[0].begin(), cost[0].end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    cost[i][0] = int(i);
    for (std::size_t j = 1; j <= b.size(); ++j)
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
  }
  return cost.back().back();
}

//@ operator cross_correlation
//@ tags span
//@ shapes a.size=20,b.size=7,out.size=14 | a.size=1001,b.size=64,out.size=938 | a.size=3000001,b.size=31,out.size=2999971
//@ let a = Floats($a.size)
//@ let b = Floats($b.size)
//@ let out = Floats($out.size)
//@ call cross_correlation(a, b, out)
void cross_correlation(std::span<const float> a, std::span<const float> b, std::span<float> out) {
  std::vector<double> energy(a.size() + 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    energy[i + 1] = energy[i] + double(a[i]) * a[i];
  const double own = std::inner_product(b.begin(), b.end(), b.begin(), 0.0);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double sum = std::inner_product(b.begin(), b.end(), a.begin() + i, 0.0);
    out[i] = float(sum / std::sqrt(own * (energy[i + b.size()] - energy[i]) + 1e-12));
  }
}

//@ operator ranks
//@ shapes in.size=20 | in.size=1001 | in.size=3000001
//@ let in = Floats($in.size)
//@ call ranks(in)
// Stably sorted: the sort has a buffer of its own.
std::vector<std::size_t> ranks(const Floats &in) {
  std::vector<std::size_t> order(in.size()), out(in.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return in[a] < in[b]; });
  for (std::size_t i = 0; i < order.size(); ++i)
    out[order[i]] = i;
  return out;
}

//@ operator transposed_rows
//@ tags nested
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
//@ tags by-value moved
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
