// Bytes of arguments beside those of their blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensors of a prediction have the bytes that malloc saw for the arguments: Eigen's, Armadillo's in the object and
// out of it, CImg's, xtensor's, and those of vectors. COUNT makes the unit that counts, compiled without the flag.
//
// RUN: %clangxx -std=c++17 -O2 -fno-builtin -DCOUNT -c %s -o %t-count.o
// RUN: %clangxx -std=c++17 -O2 -DNDEBUG -fplugin=%plugin -I/usr/include/eigen3 -fplugin-arg-memshape-operator=shifted \
// RUN:   -fplugin-arg-memshape-operator=halved -fplugin-arg-memshape-operator=centred \
// RUN:   -fplugin-arg-memshape-operator=doubled -fplugin-arg-memshape-operator=squared \
// RUN:   -fplugin-arg-memshape-operator=mirrored -fplugin-arg-memshape-operator=scaled \
// RUN:   -fplugin-arg-memshape-operator=copied -fplugin-arg-memshape-operator=sums \
// RUN:   -fplugin-arg-memshape-operator=ranks -c %s -o %t.o
// RUN: %clangxx %t.o %t-count.o -o %t -lpthread
// RUN: %python %inputs/typed-held.py %memshape %t

#ifdef COUNT

#include <cstddef>

extern "C" {
void *__libc_malloc(std::size_t);
void *__libc_memalign(std::size_t, std::size_t);

static long Requested;

/// Bytes of all blocks so far. Nothing that makes an argument frees one.
long requested() { return Requested; }

void *malloc(std::size_t Bytes) { return Requested += long(Bytes), __libc_malloc(Bytes); }
void *aligned_alloc(std::size_t Alignment, std::size_t Bytes) {
  return Requested += long(Bytes), __libc_memalign(Alignment, Bytes);
}
int posix_memalign(void **Block, std::size_t Alignment, std::size_t Bytes) {
  *Block = aligned_alloc(Alignment, Bytes);
  return *Block == nullptr;
}
}

#else

#include <cstdio>
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

extern "C" long requested();

/// A line for the reader: the operator, a shape of it, and the bytes that Make requests for its argument.
template <class Maker> void tell(const char *Name, const char *Shape, Maker Make) {
  const long Before = requested();
  auto Argument = Make();
  asm volatile("" : : "r"(&Argument) : "memory");
  std::fprintf(stderr, "%s %s %ld\n", Name, Shape, requested() - Before);
}

int main() {
  tell("shifted", "a.rows=3,a.cols=5", [] { return Eigen::MatrixXd(3, 5); });
  tell("shifted", "a.rows=77,a.cols=63", [] { return Eigen::MatrixXd(77, 63); });
  tell("halved", "a.rows=4999", [] { return Eigen::VectorXf(4999); });
  tell("centred", "a.n_rows=3,a.n_cols=5", [] { return arma::mat(3, 5); }); // within the object
  tell("centred", "a.n_rows=71,a.n_cols=69", [] { return arma::mat(71, 69); });
  tell("doubled", "a.n_rows=2,a.n_cols=3,a.n_slices=2", [] { return arma::cube(2, 3, 2); });
  tell("doubled", "a.n_rows=17,a.n_cols=19,a.n_slices=13", [] { return arma::cube(17, 19, 13); });
  tell("squared", "a.width=8,a.height=9,a.depth=7,a.spectrum=5", [] { return Image(8, 9, 7, 5); });
  tell("mirrored", "a.width=31,a.height=9,a.depth=1,a.spectrum=3", [] { return Image(31, 9, 1, 3); });
  tell("scaled", "a.shape[0]=71,a.shape[1]=69", [] { return Table(Table::shape_type{71, 69}); });
  tell("copied", "a.shape[0]=17,a.shape[1]=19,a.shape[2]=13", [] { return Volume(Volume::shape_type{17, 19, 13}); });
  tell("sums", "a.size=5001", [] { return std::vector<double>(5001); });
  tell("ranks", "a.size=13", [] { return std::vector<int>(13); });
}

#endif
