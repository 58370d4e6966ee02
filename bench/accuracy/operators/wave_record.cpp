// Snapshots of every step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=C smallest=40000,12 tensors=points,points

#include "job.h"

ACCURACY_OPERATOR void wave_record(const float *Start, int points, int steps, float *Out) {
  float **Snapshots = static_cast<float **>(std::malloc(static_cast<std::size_t>(steps) * sizeof(float *)));
  for (int Step = 0; Step < steps; ++Step) {
    Snapshots[Step] = static_cast<float *>(std::malloc(static_cast<std::size_t>(points) * sizeof(float)));
    const float *Last = Step ? Snapshots[Step - 1] : Start;
    for (int P = 0; P < points; ++P)
      Snapshots[Step][P] = 0.5f * (Last[P] + Last[(P + 1) % points]);
  }
  for (int Step = 0; Step < steps; ++Step) {
    for (int P = 0; P < points; ++P)
      Out[P] += Snapshots[Step][P];
    std::free(Snapshots[Step]);
  }
  std::free(Snapshots);
}
