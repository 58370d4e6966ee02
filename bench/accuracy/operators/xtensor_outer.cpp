// Outer product of two vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=xtensor smallest=800,600 tensors=left,right,left

#include "job.h"

#include <xtensor/xadapt.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

ACCURACY_OPERATOR void xtensor_outer(const float *A, const float *B, int left, int right, float *Out) {
  auto X = xt::adapt(A, static_cast<std::size_t>(left), xt::no_ownership(),
                     std::array<std::size_t, 1>{static_cast<std::size_t>(left)});
  auto Y = xt::adapt(B, static_cast<std::size_t>(right), xt::no_ownership(),
                     std::array<std::size_t, 1>{static_cast<std::size_t>(right)});
  xt::xtensor<float, 2> Outer = xt::view(X, xt::all(), xt::newaxis()) * Y;
  for (int I = 0; I < left; ++I)
    Out[I] = Outer(I, 0);
}
