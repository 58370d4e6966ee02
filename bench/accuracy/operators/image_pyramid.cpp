// Halved images kept until the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std smallest=700,600 tensors=rows*cols,1

#include "job.h"

#include <vector>

ACCURACY_OPERATOR void image_pyramid(const float *In, int rows, int cols, float *Out) {
  std::vector<std::vector<float>> Levels;
  Levels.emplace_back(In, In + static_cast<long>(rows) * cols);
  int R = rows, C = cols;
  while (R > 8 && C > 8) {
    std::vector<float> Half(static_cast<long>(R / 2) * (C / 2));
    for (int Y = 0; Y < R / 2; ++Y)
      for (int X = 0; X < C / 2; ++X)
        Half[static_cast<long>(Y) * (C / 2) + X] = Levels.back()[static_cast<long>(2 * Y) * C + 2 * X];
    Levels.push_back(std::move(Half));
    R /= 2, C /= 2;
  }
  for (const std::vector<float> &Level : Levels)
    Out[0] += Level.front();
}
