// Operators on classes of the user's own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

/// A volume whose rows are padded to 16 floats.
class Volume {
public:
  Volume(int ni, int nx, int ns)
      : ni(ni), nx(nx), ns(ns), pitch((ns + 15) / 16 * 16), samples(std::size_t(ni) * nx * pitch) {
    if (ni < 0 || nx < 0 || ns < 0)
      throw std::invalid_argument("negative extent");
  }
  float *trace(int i, int x) { return samples.data() + (std::size_t(i) * nx + x) * pitch; }
  const float *trace(int i, int x) const { return samples.data() + (std::size_t(i) * nx + x) * pitch; }
  int inlines() const { return ni; }
  int crosslines() const { return nx; }
  int length() const { return ns; }
  float *data() { return samples.data(); }
  std::size_t size() const { return samples.size(); }

  Volume transposed() const;
  void gain(double exponent);

private:
  int ni, nx, ns, pitch;
  std::vector<float> samples;
};

/// A square matrix of which the lower half is kept.
template <class T> class Packed {
public:
  explicit Packed(std::size_t order) : order(order), entries(new T[order * (order + 1) / 2]()) {}
  Packed(const Packed &other) : Packed(other.order) {
    std::memcpy(entries.get(), other.entries.get(), size() * sizeof(T));
  }
  T &operator()(std::size_t i, std::size_t j) { return entries[i * (i + 1) / 2 + j]; }
  T operator()(std::size_t i, std::size_t j) const { return entries[i * (i + 1) / 2 + j]; }
  std::size_t rows() const { return order; }
  std::size_t size() const { return order * (order + 1) / 2; }
  T *data() { return entries.get(); }

private:
  std::size_t order;
  std::unique_ptr<T[]> entries;
};

/// A filter of finite length, whose taps are those of a windowed sinc.
class Lowpass {
public:
  explicit Lowpass(int half) : taps(2 * half + 1) {
    for (int k = -half; k <= half; ++k)
      taps[k + half] = k ? float(std::sin(0.5 * k) / k) : 0.5f;
  }
  void apply(std::span<const float> in, std::span<float> out) const;
  std::vector<float> decimated(const std::vector<float> &in, int factor) const;

private:
  std::vector<float> taps;
};

/// The last samples of a stream: capacity is a power of two above what was asked.
class History {
public:
  explicit History(std::size_t wanted) : capacity(16) {
    while (capacity < wanted)
      capacity *= 2;
    samples = std::make_unique<double[]>(capacity);
  }
  std::vector<double> autocorrelation(int lags) const;

private:
  std::size_t capacity, begin = 0;
  std::unique_ptr<double[]> samples;
};

//@ operator Volume::transposed
//@ declare none
//@ shapes this.ni=3,this.nx=4,this.ns=5 | this.ni=17,this.nx=31,this.ns=41 | this.ni=301,this.nx=400,this.ns=501
//@ let object = Volume($this.ni, $this.nx, $this.ns)
//@ call object.transposed()
Volume Volume::transposed() const {
  Volume out(ns, nx, ni);
  for (int i = 0; i < ni; ++i)
    for (int x = 0; x < nx; ++x)
      for (int s = 0; s < ns; ++s)
        out.trace(s, x)[i] = trace(i, x)[s];
  return out;
}

//@ operator Volume::gain
//@ declare none
//@ shapes this.ni=3,this.nx=4,this.ns=5 | this.ni=17,this.nx=31,this.ns=41 | this.ni=301,this.nx=400,this.ns=1501
//@ let object = Volume($this.ni, $this.nx, $this.ns)
//@ set exponent=1.5
//@ call object.gain(1.5)
void Volume::gain(double exponent) {
  std::vector<double> weights(ns);
  for (int s = 0; s < ns; ++s)
    weights[s] = std::pow(s + 1.0, exponent);
  for (int i = 0; i < ni; ++i)
    for (int x = 0; x < nx; ++x)
      for (int s = 0; s < ns; ++s)
        trace(i, x)[s] = float(trace(i, x)[s] * weights[s]);
}

//@ operator cholesky_solved
//@ data noise
//@ shapes a.order=5,b.size=5 | a.order=77,b.size=77 | a.order=3000,b.size=3000
//@ let a = Packed<double>($a.order)
//@ let b = std::vector<double>($b.size)
//@ do for (long i = 0; i < $a.order; ++i) a(i, i) = 1e6;
//@ call cholesky_solved(a, b)
std::vector<double> cholesky_solved(const Packed<double> &a, std::vector<double> b) {
  Packed<double> l = a;
  for (std::size_t j = 0; j < l.rows(); ++j) {
    for (std::size_t k = 0; k < j; ++k)
      l(j, j) -= l(j, k) * l(j, k);
    if (l(j, j) <= 0)
      throw std::domain_error("not positive definite");
    l(j, j) = std::sqrt(l(j, j));
    for (std::size_t i = j + 1; i < l.rows(); ++i) {
      for (std::size_t k = 0; k < j; ++k)
        l(i, j) -= l(i, k) * l(j, k);
      l(i, j) /= l(j, j);
    }
  }
  for (std::size_t i = 0; i < l.rows(); ++i) {
    for (std::size_t k = 0; k < i; ++k)
      b[i] -= l(i, k) * b[k];
    b[i] /= l(i, i);
  }
  for (std::size_t i = l.rows(); i-- > 0;) {
    for (std::size_t k = i + 1; k < l.rows(); ++k)
      b[i] -= l(k, i) * b[k];
    b[i] /= l(i, i);
  }
  return b;
}

//@ operator Lowpass::apply
//@ declare none
//@ shapes this.half=2,in.size=20,out.size=20 | this.half=15,in.size=1001,out.size=1001 | this.half=7,in.size=9000001,out.size=9000001
//@ let object = Lowpass($this.half)
//@ let in = std::vector<float>($in.size)
//@ let out = std::vector<float>($out.size)
//@ call object.apply(in, out)
void Lowpass::apply(std::span<const float> in, std::span<float> out) const {
  const std::size_t half = taps.size() / 2;
  std::vector<float> padded(in.size() + 2 * half);
  std::copy(in.begin(), in.end(), padded.begin() + half);
  for (std::size_t i = 0; i < out.size(); ++i) {
    float sum = 0;
    for (std::size_t k = 0; k < taps.size(); ++k)
      sum += padded[i + k] * taps[k];
    out[i] = sum;
  }
}

//@ operator Lowpass::decimated
//@ declare none
//@ shapes this.half=2,in.size=20,factor=3 | this.half=15,in.size=1001,factor=4 | this.half=7,in.size=9000001,factor=2
//@ let object = Lowpass($this.half)
//@ let in = std::vector<float>($in.size)
//@ call object.decimated(in, $factor)
std::vector<float> Lowpass::decimated(const std::vector<float> &in, int factor) const {
  std::vector<float> smooth(in.size());
  apply(in, smooth);
  std::vector<float> out;
  out.reserve((in.size() + factor - 1) / factor);
  for (std::size_t i = 0; i < smooth.size(); i += factor)
    out.push_back(smooth[i]);
  return out;
}

//@ operator History::autocorrelation
//@ declare none
//@ shapes this.wanted=20,lags=5 | this.wanted=1001,lags=64 | this.wanted=3000001,lags=20
//@ let object = History($this.wanted)
//@ call object.autocorrelation($lags)
std::vector<double> History::autocorrelation(int lags) const {
  std::vector<double> ordered(capacity), out(lags);
  for (std::size_t i = 0; i < capacity; ++i)
    ordered[i] = samples[(begin + i) & (capacity - 1)];
  for (int lag = 0; lag < lags; ++lag)
    for (std::size_t i = lag; i < capacity; ++i)
      out[lag] += ordered[i] * ordered[i - lag];
  return out;
}
