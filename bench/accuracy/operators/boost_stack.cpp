// Planes of a multi array summed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=Boost smallest=60,70,80 tensors=ni*nx*ns,ni*nx

#include "job.h"

#include <boost/multi_array.hpp>

ACCURACY_OPERATOR void boost_stack(const float *In, int ni, int nx, int ns, float *Out) {
  boost::multi_array<float, 3> Volume(boost::extents[ni][nx][ns]);
  std::memcpy(Volume.data(), In, sizeof(float) * Volume.num_elements());
  boost::multi_array<double, 2> Stack(boost::extents[ni][nx]);
  for (int I = 0; I < ni; ++I)
    for (int X = 0; X < nx; ++X) {
      for (int S = 0; S < ns; ++S)
        Stack[I][X] += Volume[I][X][S];
      Out[static_cast<long>(I) * nx + X] = static_cast<float>(Stack[I][X]);
    }
}
