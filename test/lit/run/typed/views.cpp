// Views, sparse matrices, arrays of any rank.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A view is built over an object that the caller owns. A sparse matrix has as many elements as its symbol says; where
// they stand is data.
//
// DEFINE: %{compile} = %clangxx -std=c++17 -O2 -DNDEBUG -fplugin=%plugin -I%include -I/usr/include/eigen3 -c %s -o %t.o
// RUN: %{compile} -DREFERENCE -fplugin-arg-memshape-operator=covariance
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape x.rows=300,x.cols=40 -- 300 40
// RUN: %predict --shape x.rows=300,x.cols=40 | %says "argument x {{.*}} 96,000 bytes"
//
// RUN: %{compile} -DMAP -fplugin-arg-memshape-operator=shares
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape x.rows=64,x.cols=65 -- 64 65
//
// RUN: %{compile} -DSPARSE -fplugin-arg-memshape-operator=scaled
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape a.rows=100,a.cols=50,a.nonZeros=500 -- 100 50 500
// 500 elements of 8 bytes and their rows of 4, and 51 numbers of 4 bytes that say where a column begins.
// RUN: %predict --shape a.rows=100,a.cols=50,a.nonZeros=500 | %says "argument a {{.*}} 6,204 bytes"
//
// RUN: %{compile} -DARMADILLO -fplugin-arg-memshape-operator=power
// RUN: %clangxx %t.o -o %t -larmadillo
// RUN: %compare %t --shape a.n_rows=90,a.n_cols=90,a.n_nonzero=400 -- 90 400
//
// RUN: %{compile} -DBOOST -fplugin-arg-memshape-operator=jacobi
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape u.shape[0]=30,u.shape[1]=40 -- 30 40
//
// RUN: %{compile} -DLIST -fplugin-arg-memshape-operator=mean
// RUN: %clangxx %t.o -o %t -lpthread
// RUN: %compare %t --shape l.size=3,l.width=40,l.height=50,l.depth=1,l.spectrum=1 -- 3 40 50
//
// A type whose number of dimensions is chosen when the program runs is not built, whoever says so.
// RUN: %{compile} -DDYNAMIC -fplugin-arg-memshape-operator=summed -fplugin-arg-memshape-summaries=%inputs/array-of-any-rank.json
// RUN: not %predict --shape n=1 2>&1 | FileCheck --check-prefix=DYNAMIC %s
// DYNAMIC: parameter 'x': its type 'survey::Array<double>' is not built: its number of dimensions is chosen when the program runs

#include "../Inputs/twice.h"

#if defined(REFERENCE)
#include <Eigen/Dense>
Eigen::MatrixXd covariance(const Eigen::Ref<const Eigen::MatrixXd> &x) {
  Eigen::RowVectorXd mean = x.colwise().mean();
  Eigen::MatrixXd centred = x.rowwise() - mean;
  return centred.transpose() * centred / double(x.rows());
}
static double once(long rows, long cols, long) { return covariance(Eigen::MatrixXd::Random(rows, cols))(0, 0); }
#elif defined(MAP)
#include <Eigen/Dense>
Eigen::VectorXf shares(Eigen::Map<const Eigen::ArrayXXf> x) {
  Eigen::ArrayXXf squares = x.square();
  Eigen::ArrayXXf parts = squares.rowwise() / squares.colwise().sum();
  return parts.rowwise().sum().matrix();
}
static double once(long rows, long cols, long) {
  Eigen::ArrayXXf x = Eigen::ArrayXXf::Random(rows, cols);
  return shares(Eigen::Map<const Eigen::ArrayXXf>(x.data(), rows, cols))(0);
}
#elif defined(SPARSE)
#include <Eigen/Sparse>
Eigen::SparseMatrix<double> scaled(const Eigen::SparseMatrix<double> &a) {
  Eigen::SparseMatrix<double> copy = a;
  Eigen::VectorXd norm = Eigen::VectorXd::Zero(a.cols());
  using Elements = Eigen::SparseMatrix<double>::InnerIterator;
  for (int j = 0; j < copy.outerSize(); ++j) {
    for (Elements it(copy, j); it; ++it)
      norm[j] += it.value() * it.value();
    for (Elements it(copy, j); it; ++it)
      it.valueRef() /= norm[j];
  }
  return copy;
}
static double once(long rows, long cols, long elements) {
  Eigen::SparseMatrix<double> a(rows, cols);
  a.reserve(Eigen::VectorXi::Constant(cols, int(elements / cols)));
  for (long i = 0; i < elements; ++i)
    a.insert(i % (elements / cols), i / (elements / cols)) = 1 + i;
  a.makeCompressed();
  return scaled(a).nonZeros();
}
#elif defined(ARMADILLO)
#include <armadillo>
arma::vec power(const arma::sp_mat &a) {
  arma::vec x(a.n_rows, arma::fill::ones);
  for (int i = 0; i < 5; ++i) {
    x = a * x;
    x /= arma::norm(x);
  }
  return x;
}
static double once(long rows, long elements, long) {
  arma::umat at(2, elements);
  for (long i = 0; i < elements; ++i) {
    at(0, i) = i % rows;
    at(1, i) = i / rows;
  }
  return power(arma::sp_mat(at, arma::vec(elements, arma::fill::ones), rows, rows))(0);
}
#elif defined(BOOST)
#include <boost/multi_array.hpp>
using Grid = boost::multi_array<double, 2>;
Grid jacobi(const Grid &u) {
  Grid a = u, b(boost::extents[u.shape()[0]][u.shape()[1]]);
  for (int step = 0; step < 5; ++step, a = b)
    for (std::size_t i = 1; i + 1 < u.shape()[0]; ++i)
      for (std::size_t j = 1; j + 1 < u.shape()[1]; ++j)
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
  return a;
}
static double once(long rows, long cols, long) { return jacobi(Grid(boost::extents[rows][cols]))[0][0]; }
#elif defined(LIST)
#define cimg_display 0
#include <CImg.h>
using namespace cimg_library;
CImg<float> mean(const CImgList<float> &l) {
  CImg<float> sum(l[0].width(), l[0].height(), l[0].depth(), l[0].spectrum(), 0.0f);
  cimglist_for(l, i) sum += l[i].get_blur(1.5f);
  return sum / float(l.size());
}
static double once(long size, long width, long height) {
  CImgList<float> l(size, width, height, 1, 1);
  for (auto &image : l)
    image.rand(0, 1);
  return mean(l)(0, 0);
}
#else
#include <vector>
namespace survey {
template <typename T> struct Array {
  explicit Array(int bytes) : elements(bytes) {}
  std::vector<int> shape;
  std::vector<T> elements;
};
} // namespace survey
double summed(const survey::Array<double> &x, int n) { return x.elements[n]; }
static double once(long, long, long) { return 0; }
#endif

TWICE(sink = once(number(1), number(2), argc > 3 ? number(3) : 0))
