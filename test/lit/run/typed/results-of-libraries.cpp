// Matrices and images that return.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extents of returned objects of libraries, of pointers to objects, and of operators that take no object at all.
//
// RUN: %clangxx -std=c++17 -O2 -I/usr/include/eigen3 -I%include -fplugin=%plugin -c %s -o %t.o
// RUN: %predict --operator transposed --shape a.rows=100,a.cols=20 | FileCheck %s --check-prefix MATRIX
// MATRIX: What it returns
// MATRIX-NEXT: result.rows 20 a.cols
// MATRIX-NEXT: result.cols 100 a.rows
//
// RUN: %predict --operator cropped --shape in.width=30,in.height=20,in.depth=1,in.spectrum=3 --json \
// RUN:   | FileCheck %s --check-prefix %if clang-19 %{UNTOLD%} %else %{IMAGE%}
// Under clang 19 more than an accessor stays of what the extents of this image, and of the
// tensor below, are read from, and none is told.
// UNTOLD: "output_shape": {}
// IMAGE: "output_shape": {
// IMAGE-NEXT: "result.width": 28,
// IMAGE-NEXT: "result.height": 18,
// IMAGE-NEXT: "result.depth": 1,
// IMAGE-NEXT: "result.spectrum": 3
// IMAGE-NEXT: },
//
// RUN: %predict --operator made --shape n=7 --json | FileCheck %s --check-prefix MADE
// MADE: "peak_bytes": 392,
// MADE: "exact": true
// MADE: "output_shape": {
// MADE-NEXT: "result.rows": 7,
// MADE-NEXT: "result.cols": 14
// MADE-NEXT: },
// MADE: "result.cols": "2*n"
//
// RUN: %predict --operator owned --shape n=7 --json | FileCheck %s --check-prefix OWNED
// OWNED: "output_shape": {
// OWNED-NEXT: "result.size": 8
// OWNED-NEXT: },
//
// RUN: %predict --operator scaled --shape 'x.dimension[0]=3,x.dimension[1]=4' \
// RUN:   | FileCheck %s --check-prefix %if clang-19 %{SILENT%} %else %{TENSOR%}
// SILENT-NOT: What it returns
// TENSOR: What it returns
// TENSOR-NEXT: result.dimension[0] 3 x.dimension[0]
// TENSOR-NEXT: result.dimension[1] 4 x.dimension[1]
//
// A matrix whose rank data decides: one extent is known, the other is named.
// RUN: %predict --operator basis --shape a.rows=100,a.cols=20 --json | FileCheck %s --check-prefix BASIS
// BASIS: "output_shape": {
// BASIS-NEXT: "result.rows": 100
// BASIS-NEXT: },
// BASIS: "symbol": "result.cols",
// BASIS-NEXT: "file": "{{.*}}results-of-libraries.cpp",

#define cimg_display 0
#include <CImg.h>
#include <Eigen/Dense>
#include <unsupported/Eigen/CXX11/Tensor>
#include <memory>
#include <memshape/operator.h>
#include <vector>

MEMSHAPE_OPERATOR
Eigen::MatrixXf transposed(const Eigen::MatrixXf &a) { return a.transpose(); }

MEMSHAPE_OPERATOR
cimg_library::CImg<float> cropped(const cimg_library::CImg<float> &in) {
  return in.get_crop(1, 1, in.width() - 2, in.height() - 2);
}

MEMSHAPE_OPERATOR
Eigen::MatrixXf made(int n) { return Eigen::MatrixXf::Zero(n, 2 * n); }

MEMSHAPE_OPERATOR
std::unique_ptr<std::vector<double>> owned(int n) { return std::make_unique<std::vector<double>>(n + 1); }

MEMSHAPE_OPERATOR
Eigen::Tensor<float, 2> scaled(const Eigen::Tensor<float, 2> &x) { return 2.0f * x; }

MEMSHAPE_OPERATOR
Eigen::MatrixXf basis(const Eigen::MatrixXf &a) {
  int rank = 0;
  for (int i = 0; i < a.cols(); ++i)
    if (a(0, i) > 1)
      ++rank;
  return Eigen::MatrixXf::Zero(a.rows(), rank);
}
