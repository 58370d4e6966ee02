// Operators on matrices, images, tensors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of libraries are built from what their accessors tell. An extent that the type fixes is no symbol.
//
// RUN: %held -std=c++17 -O2 -DNDEBUG -I/usr/include/eigen3
// HELD -DEIGEN -fplugin-arg-memshape-operator=gram a.rows=300,a.cols=40
// HELD -DFIXED -fplugin-arg-memshape-operator=moved p=500 -- 500 0
// HELD -DARMADILLO -fplugin-arg-memshape-operator=centred -larmadillo a.n_rows=100,a.n_cols=20
// HELD -DCIMG -fplugin-arg-memshape-operator=edges -lpthread v.width=64,v.height=50,v.depth=1,v.spectrum=1 -- 64 50
// HELD -DXTENSOR -fplugin-arg-memshape-operator=centred x.shape[0]=100,x.shape[1]=30

#include "../Inputs/twice.h"

#if defined(EIGEN)
#include <Eigen/Dense>
Eigen::MatrixXd gram(const Eigen::MatrixXd &a) { return a.transpose() * a; }
// Another function of the unit asks for the sizes of caches, too.
Eigen::MatrixXd product(const Eigen::MatrixXd &a, const Eigen::MatrixXd &b) { return a * b; }
static double once(long rows, long cols) { return gram(Eigen::MatrixXd::Random(rows, cols))(0, 0); }
#elif defined(FIXED)
#include <Eigen/Dense>
Eigen::Matrix3Xd moved(const Eigen::Matrix3Xd &p, const Eigen::Vector3d &by) { return p.colwise() + by; }
static double once(long points, long) { return moved(Eigen::Matrix3Xd::Random(3, points), {1, 2, 3})(0, 0); }
#elif defined(ARMADILLO)
#include <armadillo>
arma::mat centred(const arma::mat &a) {
  arma::rowvec mean = arma::mean(a, 0);
  return a.each_row() - mean;
}
static double once(long rows, long cols) { return centred(arma::mat(rows, cols, arma::fill::randu))(0, 0); }
#elif defined(CIMG)
#define cimg_display 0
#include <CImg.h>
using Image = cimg_library::CImg<float>;
Image edges(const Image &v) {
  cimg_library::CImgList<float> g = v.get_gradient("xy", 2);
  return (g[0].sqr() + g[1].sqr()).sqrt();
}
static double once(long width, long height) { return edges(Image(width, height, 1, 1, 0.5f))(0, 0); }
#else
#include <xtensor/xmath.hpp>
#include <xtensor/xtensor.hpp>
using Table = xt::xtensor<double, 2>;
Table centred(const Table &x) {
  xt::xtensor<double, 1> mean = xt::mean(x, {0});
  return x - mean;
}
static double once(unsigned long rows, unsigned long cols) {
  return centred(Table(Table::shape_type{rows, cols}, 0.5))(0, 0);
}
#endif
