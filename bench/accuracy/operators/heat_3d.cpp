// Explicit heat equation, two buffers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std smallest=60,50,70 tensors=ni*nx*ns,ni*nx*ns

#include "job.h"

#include <utility>
#include <vector>

ACCURACY_OPERATOR void heat_3d(const float *In, int ni, int nx, int ns, float *Out) {
  long Volume = static_cast<long>(ni) * nx * ns, Plane = static_cast<long>(nx) * ns;
  std::vector<float> Old(In, In + Volume), New(Old);
  for (int Step = 0; Step < 3; ++Step) {
    for (int I = 1; I < ni - 1; ++I)
      for (int X = 1; X < nx - 1; ++X)
        for (int S = 1; S < ns - 1; ++S) {
          long At = I * Plane + static_cast<long>(X) * ns + S;
          New[At] = Old[At] + 0.1f * (Old[At - 1] + Old[At + 1] + Old[At - ns] + Old[At + ns] + Old[At - Plane] +
                                      Old[At + Plane] - 6 * Old[At]);
        }
    std::swap(Old, New);
  }
  for (long At = 0; At < Volume; ++At)
    Out[At] = Old[At];
}
