// Bytes of arguments beside those of their blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensors of a prediction have the bytes that malloc saw for the arguments: Eigen's, Armadillo's in the object and
// out of it, CImg's, xtensor's, and those of vectors.
//
// RUN: %clang -O2 -c %counting -o %t-counted.o
// RUN: %clangxx -std=c++17 -O2 -DNDEBUG -fplugin=%plugin -I/usr/include/eigen3 -fplugin-arg-memshape-operator=shifted \
// RUN:   -fplugin-arg-memshape-operator=halved -fplugin-arg-memshape-operator=centred \
// RUN:   -fplugin-arg-memshape-operator=doubled -fplugin-arg-memshape-operator=squared \
// RUN:   -fplugin-arg-memshape-operator=mirrored -fplugin-arg-memshape-operator=scaled \
// RUN:   -fplugin-arg-memshape-operator=copied -fplugin-arg-memshape-operator=sums -fplugin-arg-memshape-operator=ranks -c %s -o %t.o
// RUN: %clangxx %t.o %t-counted.o -o %t -lpthread
// RUN: %python %S/../typed.py %memshape %t.o %t

#include "../Inputs/counted.h"
#include <vector>

#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>
#define ARMA_DONT_USE_WRAPPER
#define ARMA_DONT_USE_BLAS
#define ARMA_DONT_USE_LAPACK
#include <armadillo>
#define cimg_display 0
#include <CImg.h>
#include <xtensor/xtensor.hpp>

using Image = cimg_library::CImg<float>;
using Table = xt::xtensor<double, 2>;
using Volume = xt::xtensor<float, 3>;

Eigen::MatrixXd shifted(const Eigen::MatrixXd &a) { return a.array() - a.mean(); }
Eigen::VectorXf halved(const Eigen::VectorXf &a) { return a * 0.5f; }
arma::mat centred(const arma::mat &a) { return a.each_row() - arma::rowvec(arma::mean(a, 0)); }
arma::cube doubled(const arma::cube &a) { return a * 2.0; }
Image squared(const Image &a) { return a.get_sqr(); }
Image mirrored(const Image &a) { return a.get_mirror('x'); }
Table scaled(const Table &a) {
  Table out = a;
  out *= 3.0;
  return out;
}
Volume copied(const Volume &a) { return a; }
std::vector<double> sums(const std::vector<double> &a) {
  std::vector<double> out(a.size() + 1);
  for (std::size_t i = 0; i < a.size(); ++i)
    out[i + 1] = out[i] + a[i];
  return out;
}
std::vector<int> ranks(std::vector<int> a) {
  std::vector<int> out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    out[i] = a[i] + int(i);
  return out;
}

int main() {
  COUNTED(shifted, "a.rows=3,a.cols=5", (Eigen::MatrixXd(3, 5)));
  COUNTED(shifted, "a.rows=77,a.cols=63", (Eigen::MatrixXd(77, 63)));
  COUNTED(halved, "a.rows=4999", (Eigen::VectorXf(4999)));
  COUNTED(centred, "a.n_rows=3,a.n_cols=5", (arma::mat(3, 5))); // within the object
  COUNTED(centred, "a.n_rows=71,a.n_cols=69", (arma::mat(71, 69)));
  COUNTED(doubled, "a.n_rows=2,a.n_cols=3,a.n_slices=2", (arma::cube(2, 3, 2)));
  COUNTED(doubled, "a.n_rows=17,a.n_cols=19,a.n_slices=13", (arma::cube(17, 19, 13)));
  COUNTED(squared, "a.width=8,a.height=9,a.depth=7,a.spectrum=5", (Image(8, 9, 7, 5)));
  COUNTED(mirrored, "a.width=31,a.height=9,a.depth=1,a.spectrum=3", (Image(31, 9, 1, 3)));
  COUNTED(scaled, "a.shape[0]=71,a.shape[1]=69", (Table(Table::shape_type{71, 69})));
  COUNTED(copied, "a.shape[0]=17,a.shape[1]=19,a.shape[2]=13", (Volume(Volume::shape_type{17, 19, 13})));
  COUNTED(sums, "a.size=5001", (std::vector<double>(5001)));
  COUNTED(ranks, "a.size=13", (std::vector<int>(13)));
}
