// Padding that is reserved and half used.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=C smallest=600,500 tensors=rows*cols,rows*cols

#include "job.h"

ACCURACY_OPERATOR void zero_padded(const float *In, int rows, int cols, float *Out) {
  std::size_t Wide = 2 * static_cast<std::size_t>(cols), Tall = 2 * static_cast<std::size_t>(rows);
  float *Padded = static_cast<float *>(std::calloc(Wide * Tall, sizeof(float)));
  for (int R = 0; R < rows; ++R)
    std::memcpy(Padded + R * Wide, In + static_cast<long>(R) * cols, static_cast<std::size_t>(cols) * sizeof(float));
  for (int R = 0; R < rows; ++R)
    for (int C = 0; C < cols; ++C)
      Out[static_cast<long>(R) * cols + C] = Padded[R * Wide + C] + Padded[R * Wide + C + 1];
  std::free(Padded);
}
