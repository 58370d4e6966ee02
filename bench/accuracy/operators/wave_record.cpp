// Snapshots of every step.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=C symbols=points,steps smallest=40000,12

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

int main(int, char **Arguments) {
  Job J(Arguments);
  int points = J.extent();
  int steps = J.extent();
  float *Start = J.input<float>(points);
  float *Out = J.output<float>(points);
  wave_record(Start, points, steps, Out);
  return J.finish();
}
