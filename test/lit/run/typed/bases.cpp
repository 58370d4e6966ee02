// Bases of expressions, lists of matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A template takes the base of all matrices of a library; its instances have the symbols of the matrix meant. Objects
// of fixed size have none.
//
// RUN: %held -std=c++17 -O2 -DNDEBUG -I/usr/include/eigen3
// HELD -DEIGEN -fplugin-arg-memshape-operator=moved p.rows=3,p.cols=40 -- 40 0
// HELD -DARMADILLO -fplugin-arg-memshape-operator=summed -larmadillo f.n_rows=4,f.n_cols=1,f[0].n_rows=30,f[0].n_cols=41,w.n_rows=30,w.n_cols=41 -- 30 41
// HELD -DXTENSOR -fplugin-arg-memshape-operator=weighted x.shape[0]=30,x.shape[1]=41
// HELD -DBOOST -fplugin-arg-memshape-operator=rows x.shape[0]=30,x.shape[1]=41

#include "../Inputs/twice.h"

#if defined(EIGEN)
#include <Eigen/Geometry>
template <class Points> Eigen::MatrixXd moved(const Eigen::MatrixBase<Points> &p, const Eigen::Affine3d &by) {
  Eigen::MatrixXd turned = by.linear() * p;
  return turned.colwise() + by.translation();
}
static double once(long points, long) {
  const Eigen::MatrixXd p = Eigen::MatrixXd::Random(3, points);
  return moved(p, Eigen::Affine3d::Identity())(0, 0);
}
#elif defined(ARMADILLO)
#include <armadillo>
template <class Weights> arma::mat summed(const arma::field<arma::mat> &f, const arma::Base<double, Weights> &w) {
  arma::mat sum(w.get_ref());
  for (arma::uword i = 0; i < f.n_elem; ++i)
    sum += f(i);
  return sum.t();
}
static double once(long rows, long cols) {
  arma::field<arma::mat> f(4, 1);
  for (arma::mat &each : f)
    each.ones(rows, cols);
  return summed(f, arma::mat(rows, cols, arma::fill::ones))(0);
}
#elif defined(XTENSOR)
#include <xtensor/xfixed.hpp>
#include <xtensor/xtensor.hpp>
using Weights = xt::xtensor_fixed<double, xt::xshape<3>>;
template <class E> xt::xtensor<double, 2> weighted(const xt::xexpression<E> &x, const Weights &w) {
  xt::xtensor<double, 2> squares = x.derived_cast() * x.derived_cast();
  return squares * w(0);
}
static double once(unsigned long rows, unsigned long cols) {
  using Table = xt::xtensor<double, 2>;
  return weighted(Table(Table::shape_type{rows, cols}, 0.5), Weights{1, 2, 3})(0, 0);
}
#else
#include <boost/multi_array.hpp>
#include <vector>
std::vector<float> rows(const boost::const_multi_array_ref<float, 2> &x) {
  std::vector<float> sums(x.shape()[0]);
  for (std::size_t i = 0; i < x.shape()[0]; ++i)
    for (std::size_t j = 0; j < x.shape()[1]; ++j)
      sums[i] += x[i][j];
  return sums;
}
static double once(long count, long length) {
  return rows(boost::multi_array<float, 2>(boost::extents[count][length]))[0];
}
#endif

TWICE(sink = once(number(1), number(2)))
