// Matrices and arrays of dlib.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// REQUIRES: dlib
// RUN: %held -std=c++14 -O2 -DDLIB_DISABLE_ASSERTS -ldlib -l:libblas.so.3
// HELD -DMATRIX -fplugin-arg-memshape-operator=spread x.nr=60,x.nc=7
// HELD -DCOLUMN -fplugin-arg-memshape-operator=standardised x.nr=60 -- 60 1
// HELD -DEXPRESSION -fplugin-arg-memshape-operator=squares x.nr=60,x.nc=7
// HELD -DARRAY -fplugin-arg-memshape-operator=halved in.nr=60,in.nc=50,out.nr=0,out.nc=0 -- 60 50

#include "../Inputs/twice.h"

#if defined(MATRIX)
#include <dlib/matrix.h>
using Table = dlib::matrix<double>;
Table spread(const Table &x) {
  const dlib::matrix<double, 1, 0> mean = dlib::sum_rows(x) / x.nr();
  Table centred(x.nr(), x.nc());
  for (long r = 0; r < x.nr(); ++r)
    dlib::set_rowm(centred, r) = dlib::rowm(x, r) - mean;
  return dlib::trans(centred) * centred / x.nr();
}
static double once(long rows, long cols) { return spread(dlib::ones_matrix<double>(rows, cols))(0, 0); }
#elif defined(COLUMN)
#include <dlib/matrix.h>
using Column = dlib::matrix<double, 0, 1>;
Column standardised(const Column &x) {
  const Column centred = x - dlib::mean(x);
  return centred / dlib::stddev(x);
}
static double once(long rows, long) { return standardised(dlib::ones_matrix<double>(rows, 1))(0); }
#elif defined(EXPRESSION)
#include <dlib/matrix.h>
using Table = dlib::matrix<double>;
template <class E> Table squares(const dlib::matrix_exp<E> &x) {
  const Table all = dlib::squared(x);
  return dlib::trans(all);
}
static double once(long rows, long cols) {
  const Table x = dlib::ones_matrix<double>(rows, cols);
  return squares(x)(0, 0);
}
#else
#include <dlib/array2d.h>
using Image = dlib::array2d<float>;
void halved(const Image &in, Image &out) {
  Image rows(in.nr() / 2, in.nc());
  for (long r = 0; r < rows.nr(); ++r)
    for (long c = 0; c < rows.nc(); ++c)
      rows[r][c] = (in[2 * r][c] + in[2 * r + 1][c]) / 2;
  out.set_size(rows.nr(), in.nc() / 2);
  for (long r = 0; r < out.nr(); ++r)
    for (long c = 0; c < out.nc(); ++c)
      out[r][c] = (rows[r][2 * c] + rows[r][2 * c + 1]) / 2;
}
static double once(long rows, long cols) {
  Image in(rows, cols), out;
  for (float &each : in)
    each = 1;
  halved(in, out);
  return out[0][0];
}
#endif

TWICE(sink = once(number(1), number(2)))
