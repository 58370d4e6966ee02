// Operators on xtensor's tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <xtensor/xbuilder.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xpad.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

using Line = xt::xtensor<double, 1>;
using Table = xt::xtensor<double, 2>;
using Volume = xt::xtensor<float, 3>;

//@ operator zscore
//@ shapes x.shape[0]=10,x.shape[1]=7 | x.shape[0]=333,x.shape[1]=101 | x.shape[0]=30000,x.shape[1]=1001
//@ let x = Table(Table::shape_type{(unsigned long)$x.shape[0], (unsigned long)$x.shape[1]})
//@ call zscore(x)
Table zscore(const Table &x) {
  Line mean = xt::mean(x, {0});
  Line deviation = xt::stddev(x, {0});
  return (x - mean) / (deviation + 1e-9);
}

//@ operator laplacian
//@ shapes v.shape[0]=6,v.shape[1]=7,v.shape[2]=8 | v.shape[0]=33,v.shape[1]=41,v.shape[2]=29 | v.shape[0]=301,v.shape[1]=400,v.shape[2]=501
//@ let v = Volume(Volume::shape_type{(unsigned long)$v.shape[0], (unsigned long)$v.shape[1], (unsigned long)$v.shape[2]})
//@ call laplacian(v)
Volume laplacian(const Volume &v) {
  auto all = xt::range(1, -1);
  Volume out = xt::zeros_like(v);
  xt::view(out, all, all, all) =
      xt::view(v, xt::range(2, xt::placeholders::_), all, all) + xt::view(v, xt::range(0, -2), all, all) +
      xt::view(v, all, xt::range(2, xt::placeholders::_), all) + xt::view(v, all, xt::range(0, -2), all) +
      xt::view(v, all, all, xt::range(2, xt::placeholders::_)) + xt::view(v, all, all, xt::range(0, -2)) -
      6.f * xt::view(v, all, all, all);
  return out;
}

//@ operator softmax
//@ shapes x.shape[0]=10,x.shape[1]=7 | x.shape[0]=333,x.shape[1]=101 | x.shape[0]=20000,x.shape[1]=1001
//@ let x = Table(Table::shape_type{(unsigned long)$x.shape[0], (unsigned long)$x.shape[1]})
//@ call softmax(x)
Table softmax(const Table &x) {
  Line top = xt::amax(x, {1});
  Table e = xt::exp(x - xt::view(top, xt::all(), xt::newaxis()));
  Line sum = xt::sum(e, {1});
  return e / xt::view(sum, xt::all(), xt::newaxis());
}

//@ operator moving_energy
//@ shapes x.shape[0]=10,x.shape[1]=17,half=2 | x.shape[0]=333,x.shape[1]=101,half=5 | x.shape[0]=3000,x.shape[1]=10001,half=20
//@ let x = Table(Table::shape_type{(unsigned long)$x.shape[0], (unsigned long)$x.shape[1]})
//@ call moving_energy(x, $half)
Table moving_energy(const Table &x, int half) {
  Table squared = xt::square(x), sums = xt::cumsum(squared, 1);
  Table out = xt::zeros_like(x);
  const std::size_t width = 2 * half + 1, n = x.shape(1);
  xt::view(out, xt::all(), xt::range(half + 1, n - half)) =
      xt::view(sums, xt::all(), xt::range(width, n)) - xt::view(sums, xt::all(), xt::range(0, n - width));
  return out;
}

//@ operator outer
//@ shapes a.shape[0]=10,b.shape[0]=7 | a.shape[0]=333,b.shape[0]=101 | a.shape[0]=9000,b.shape[0]=8001
//@ let a = Line(Line::shape_type{(unsigned long)$a.shape[0]})
//@ let b = Line(Line::shape_type{(unsigned long)$b.shape[0]})
//@ call outer(a, b)
Table outer(const Line &a, const Line &b) {
  return xt::view(a, xt::all(), xt::newaxis()) * xt::view(b, xt::newaxis(), xt::all());
}
