// Operators on Blitz++'s arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <blitz/array.h>

using Plane = blitz::Array<double, 2>;

//@ operator wave_step
//@ shapes now.shape[0]=20,now.shape[1]=31,before.shape[0]=20,before.shape[1]=31 | now.shape[0]=333,now.shape[1]=241,before.shape[0]=333,before.shape[1]=241 | now.shape[0]=4000,now.shape[1]=5001,before.shape[0]=4000,before.shape[1]=5001
//@ set c=0.3
//@ let now = Plane((int)$now.shape[0], (int)$now.shape[1])
//@ let before = Plane((int)$before.shape[0], (int)$before.shape[1])
//@ call wave_step(now, before, 0.3)
Plane wave_step(const Plane &now, const Plane &before, double c) {
  const blitz::Range i(1, now.extent(0) - 2), j(1, now.extent(1) - 2);
  Plane out(now.extent(0), now.extent(1));
  out = 0;
  out(i, j) = 2 * now(i, j) - before(i, j) +
              c * (now(i + 1, j) + now(i - 1, j) + now(i, j + 1) + now(i, j - 1) - 4 * now(i, j));
  return out;
}

//@ operator row_sums
//@ shapes x.shape[0]=20,x.shape[1]=31 | x.shape[0]=333,x.shape[1]=241 | x.shape[0]=4000,x.shape[1]=5001
//@ let x = Plane((int)$x.shape[0], (int)$x.shape[1])
//@ call row_sums(x)
blitz::Array<double, 1> row_sums(const Plane &x) {
  Plane squared(x.shape());
  squared = x * x;
  blitz::Array<double, 1> out(x.extent(0));
  out = blitz::sum(squared, blitz::tensor::j);
  return out;
}
