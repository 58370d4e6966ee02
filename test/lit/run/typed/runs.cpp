// Shapes of calls that take objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run reads the shape of a call from its arguments, so that history knows operators on objects. What a null pointer,
// or an object that keeps no size, would have to tell is unknown, and such calls are not learned from.
//
// DEFINE: %{operators} = -fplugin-arg-memshape-operator=summed -fplugin-arg-memshape-operator=smooth \
// DEFINE:   -fplugin-arg-memshape-operator=squared -fplugin-arg-memshape-operator=total \
// DEFINE:   -fplugin-arg-memshape-operator=Grid::copy -fplugin-arg-memshape-operator=odd \
// DEFINE:   -fplugin-arg-memshape-operator=spanned
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx -std=c++20 -O2 -DNDEBUG -fplugin=%plugin -I/usr/include/eigen3 %{operators} -c %s -o %t/a.o
// RUN: %clangxx %t/a.o -o %t/a -lpthread
// RUN: %memshape run --record %t/runs.sqlite --json %t/run.json -- %t/a 2> %t/err
// RUN: %memshape run --full -- %t/a 2>&1 | FileCheck %s --check-prefix=PAGE
// RUN: FileCheck %s --check-prefix=ERR --input-file %t/err
// RUN: %python -c "import json; [print(c['operator'], *c['shape'].values(), *c['settings'].values(), c['calls']) \
// RUN:   for c in json.load(open('%t/run.json'))['calls']]" | FileCheck %s
// RUN: %memshape history list --store %t/runs.sqlite | FileCheck %s --check-prefix=LIST --implicit-check-not=odd
// RUN: %memshape predict --operator summed --store %t/runs.sqlite --shape a.rows=500,a.cols=3 | FileCheck %s --check-prefix=HISTORY
// RUN: %memshape check --baseline %t/memshape.lock --update %t/a.o
// RUN: %memshape check --baseline %t/memshape.lock %t/a.o
// RUN: FileCheck %s --check-prefix=LOCK --input-file %t/memshape.lock
//
// An operator is called as it was, also where the unit is not optimised and objects travel in registers.
// RUN: %clangxx -std=c++20 -O0 -DSMALL -fplugin=%plugin -I/usr/include/eigen3 %{operators} %s -o %t/b
// RUN: %t/b
// RUN: %memshape run --json %t/small.json -- %t/b
// RUN: %python -c "import json; [print(c['operator'], *c['shape'].values(), *c['settings'].values(), c['calls']) \
// RUN:   for c in json.load(open('%t/small.json'))['calls']]" | FileCheck %s --check-prefix=SMALL

#include <span>
#include <vector>

std::vector<float> smooth(const std::vector<float> &in, int width) {
  std::vector<float> out(in.size());
  for (size_t i = width; i < in.size(); ++i)
    out[i] = in[i] - in[i - width];
  return out;
}

struct Cube {
  int ni, nx;
  float *data;
};
long total(const Cube *c, float by) {
  if (!c)
    return 0;
  std::vector<double> sums(c->nx, by);
  return long(sums[0]) + c->ni;
}

std::vector<float> spanned(std::span<const float> s) { return {s.begin(), s.end()}; }

class Grid {
  int ni_, nx_;
  std::vector<float> d;
  void check() {
    if (d.empty())
      d.resize(1);
  }

public:
  Grid(int ni, int nx) : ni_(ni), nx_(nx), d(ni * nx) { check(); }
  std::vector<float> copy() const { return d; }
};

class Odd {
  int n_;

public:
  std::vector<float> d;
  Odd(int n) : n_(n), d(n) { n_ += 1; }
};
std::vector<float> odd(const Odd &o) { return o.d; }

// SMALL:      smooth 100 3 1
// SMALL-NEXT: total 10 4 2.5 1
// SMALL-NEXT: Grid::copy 10 7 1
// SMALL-NEXT: spanned 40 1
// SMALL-NEXT: odd None 3
// SMALL-NEXT: smooth 400 3 1
// SMALL:      total None None 2.5 1

#ifdef SMALL
static double onMatrices(int) { return 0; }
#else
#include <Eigen/Core>
#define cimg_display 0
#include <CImg.h>
using Image = cimg_library::CImg<float>;
Eigen::MatrixXd summed(const Eigen::MatrixXd &a) { return a.array() + a.sum(); }
Image squared(const Image &v) { return v.get_sqr(); }
static double onMatrices(int n) {
  return summed(Eigen::MatrixXd::Random(n, 2 * n))(0, 0) + squared(Image(n, n + 1, 1, 2, 0.5f))(0, 0);
}
#endif

int main() {
  double sum = 0;
  for (int n : {10, 20, 35}) {
    std::vector<float> data(n * 4);
    Cube cube{n, 4, data.data()};
    sum += onMatrices(n) + smooth(std::vector<float>(n * n), 3)[0] + total(&cube, 2.5) + Grid(n, 7).copy()[0] +
           spanned(data)[0] + odd(Odd(n))[0];
  }
  return total(nullptr, 2.5) + sum == 12345;
}

// PAGE: summed a.rows=10 a.cols=20 (1 call)
// PAGE: total c.ni=10 c.nx=4 by=2.5 (1 call)
// PAGE: odd o.n=? (3 calls)
// ERR: memshape: 2 of the operators and shapes were not kept: the arguments of these calls do not tell their shape
//
// CHECK-DAG: summed 10 20 1
// CHECK-DAG: summed 20 40 1
// CHECK-DAG: summed 35 70 1
// CHECK-DAG: squared 35 36 1 2 1
// CHECK-DAG: smooth 1225 3 1
// CHECK-DAG: total 35 4 2.5 1
// CHECK-DAG: Grid::copy 35 7 1
// CHECK-DAG: spanned 140 1
// CHECK-DAG: odd None 3
// CHECK-DAG: total None None 2.5 1
//
// LIST-DAG: summed
// LIST-DAG: squared
// LIST-DAG: smooth
// LIST-DAG: total
// LIST-DAG: Grid::copy
// LIST-DAG: spanned
//
// HISTORY: summed a.cols=3 a.rows=500 (from 3 past runs)
// HISTORY: heap peak {{.*}} 12,000 B
//
// LOCK-DAG: "a.rows"
// LOCK-DAG: "v.spectrum"
// LOCK-DAG: "this.nx"
