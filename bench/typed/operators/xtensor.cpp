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

//@ operator outer
//@ shapes a.shape[0]=10,b.shape[0]=7 | a.shape[0]=333,b.shape[0]=101 | a.shape[0]=9000,b.shape[0]=8001
//@ let a = Line(Line::shape_type{(unsigned long)$a.shape[0]})
//@ let b = Line(Line::shape_type{(unsigned long)$b.shape[0]})
//@ call outer(a, b)
Table outer(const Line &a, const Line &b) {
  return xt::view(a, xt::all(), xt::newaxis()) * xt::view(b, xt::newaxis(), xt::all());
}
