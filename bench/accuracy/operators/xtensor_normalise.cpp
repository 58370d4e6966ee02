// Deviation from the mean of each column.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=xtensor smallest=500,400 tensors=rows*cols,rows*cols

#include "job.h"

#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

ACCURACY_OPERATOR void xtensor_normalise(const double *In, int rows, int cols, double *Out) {
  std::size_t Count = static_cast<std::size_t>(rows) * cols;
  std::array<std::size_t, 2> Extents{static_cast<std::size_t>(rows), static_cast<std::size_t>(cols)};
  auto Data = xt::adapt(In, Count, xt::no_ownership(), Extents);
  xt::xtensor<double, 1> Mean = xt::mean(Data, {0});
  xt::xtensor<double, 2> Centred = Data - Mean;
  xt::xtensor<double, 2> Squares = Centred * Centred;
  xt::xtensor<double, 1> Width = xt::sqrt(xt::mean(Squares, {0})) + 1;
  auto Result = xt::adapt(Out, Count, xt::no_ownership(), Extents);
  Result = Centred / Width;
}
