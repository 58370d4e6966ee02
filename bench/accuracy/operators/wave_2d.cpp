// Acoustic wave, three calloc-ed fields.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=C smallest=500,400,4 tensors=nz*nx,nz*nx

#include "job.h"

ACCURACY_OPERATOR void wave_2d(const float *Speed, int nz, int nx, int steps, float *Out) {
  std::size_t Count = static_cast<std::size_t>(nz) * nx;
  float *Old = static_cast<float *>(std::calloc(Count, sizeof(float)));
  float *Now = static_cast<float *>(std::calloc(Count, sizeof(float)));
  float *New = static_cast<float *>(std::calloc(Count, sizeof(float)));
  Now[Count / 2] = 1;
  for (int Step = 0; Step < steps; ++Step) {
    for (int Z = 1; Z < nz - 1; ++Z)
      for (int X = 1; X < nx - 1; ++X) {
        long At = static_cast<long>(Z) * nx + X;
        New[At] = 2 * Now[At] - Old[At] +
                  Speed[At] * 1e-4f * (Now[At - 1] + Now[At + 1] + Now[At - nx] + Now[At + nx] - 4 * Now[At]);
      }
    float *Last = Old;
    Old = Now, Now = New, New = Last;
  }
  std::memcpy(Out, Now, Count * sizeof(float));
  std::free(Old);
  std::free(Now);
  std::free(New);
}
