// Operators on Boost.MultiArray's arrays.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <boost/multi_array.hpp>
#include <vector>

using Cube = boost::multi_array<float, 3>;
using Plane = boost::multi_array<double, 2>;

//@ operator heat
//@ shapes start.shape[0]=6,start.shape[1]=7,start.shape[2]=8,steps=3 | start.shape[0]=33,start.shape[1]=41,start.shape[2]=29,steps=2 | start.shape[0]=201,start.shape[1]=200,start.shape[2]=301,steps=2
//@ let start = Cube(boost::extents[$start.shape[0]][$start.shape[1]][$start.shape[2]])
//@ call heat(start, $steps)
Cube heat(const Cube &start, int steps) {
  const long n = start.shape()[0], m = start.shape()[1], l = start.shape()[2];
  Cube now = start, next(boost::extents[n][m][l]);
  for (int t = 0; t < steps; ++t) {
    for (long i = 1; i + 1 < n; ++i)
      for (long j = 1; j + 1 < m; ++j)
        for (long k = 1; k + 1 < l; ++k)
          next[i][j][k] =
              now[i][j][k] + 0.1f * (now[i + 1][j][k] + now[i - 1][j][k] + now[i][j + 1][k] + now[i][j - 1][k] +
                                     now[i][j][k + 1] + now[i][j][k - 1] - 6 * now[i][j][k]);
    now = next;
  }
  return now;
}

//@ operator padded
//@ shapes in.shape[0]=6,in.shape[1]=7,in.shape[2]=8,halo=2 | in.shape[0]=33,in.shape[1]=41,in.shape[2]=29,halo=3 | in.shape[0]=301,in.shape[1]=200,in.shape[2]=301,halo=1
//@ let in = Cube(boost::extents[$in.shape[0]][$in.shape[1]][$in.shape[2]])
//@ call padded(in, $halo)
Cube padded(const Cube &in, int halo) {
  using Range = boost::multi_array_types::index_range;
  const long n = in.shape()[0], m = in.shape()[1], l = in.shape()[2];
  Cube out(boost::extents[n + 2 * halo][m + 2 * halo][l + 2 * halo]);
  out[boost::indices[Range(halo, halo + n)][Range(halo, halo + m)][Range(halo, halo + l)]] = in;
  return out;
}
