// Operators on objects, and what the objects hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     operators                          names the operators, each with its symbols
//     operators OPERATOR EXTENT...       builds its argument, fills it, calls the operator, and prints how many bytes the
//                                        argument's blocks have, and how many the process held resident at most
//
// blocks.cpp counts the blocks.

#include "blocks.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
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

//===- Operators --------------------------------------------------------------

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

//===- Calls ------------------------------------------------------------------

namespace {

long most() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0)
      return std::atol(line.c_str() + 6) * 1024;
  return 0;
}

template <class Make, class Call> void measure(Make make, Call call) {
  const long before = liveBytes();
  auto argument = make();
  const long held = liveBytes() - before;
  auto result = call(argument);
  const long peak = most();
  (void)result;
  std::printf("%ld %ld\n", held, peak);
}

using Shape = std::vector<std::size_t>;
struct Operator {
  const char *name, *symbols;
  std::function<void(const Shape &)> run;
};

const Operator operators[] = {
    {"shifted", "a.rows a.cols",
     [](const Shape &n) { measure([&] { return Eigen::MatrixXd::Ones(n[0], n[1]).eval(); }, shifted); }},
    {"halved", "a.rows", [](const Shape &n) { measure([&] { return Eigen::VectorXf::Ones(n[0]).eval(); }, halved); }},
    {"centred", "a.n_rows a.n_cols",
     [](const Shape &n) { measure([&] { return arma::mat(n[0], n[1], arma::fill::ones); }, centred); }},
    {"doubled", "a.n_rows a.n_cols a.n_slices",
     [](const Shape &n) { measure([&] { return arma::cube(n[0], n[1], n[2], arma::fill::ones); }, doubled); }},
    {"squared", "a.width a.height a.depth a.spectrum",
     [](const Shape &n) { measure([&] { return Image(n[0], n[1], n[2], n[3], 1.0f); }, squared); }},
    {"mirrored", "a.width a.height a.depth a.spectrum",
     [](const Shape &n) { measure([&] { return Image(n[0], n[1], n[2], n[3], 1.0f); }, mirrored); }},
    {"scaled", "a.shape[0] a.shape[1]",
     [](const Shape &n) { measure([&] { return Table({n[0], n[1]}, 1.0); }, scaled); }},
    {"copied", "a.shape[0] a.shape[1] a.shape[2]",
     [](const Shape &n) { measure([&] { return Volume({n[0], n[1], n[2]}, 1.0f); }, copied); }},
    {"sums", "a.size", [](const Shape &n) { measure([&] { return std::vector<double>(n[0], 1.0); }, sums); }},
    {"ranks", "a.size", [](const Shape &n) { measure([&] { return std::vector<int>(n[0], 1); }, ranks); }},
};

} // namespace

int main(int count, char **values) {
  for (const Operator &each : operators) {
    if (count == 1)
      std::printf("%s %s\n", each.name, each.symbols);
    if (count == 1 || std::strcmp(values[1], each.name) != 0)
      continue;
    Shape shape;
    for (int i = 2; i < count; ++i)
      shape.push_back(std::size_t(std::atol(values[i])));
    each.run(shape);
    return 0;
  }
  return count != 1;
}
