// Quadrants split while their values differ.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std symbols=rows,cols smallest=512,512

#include "../operators/job.h"

#include <algorithm>
#include <memory>

struct Quadrant {
  float Mean = 0;
  std::unique_ptr<Quadrant> Parts[4];
};

static std::unique_ptr<Quadrant> split(const float *In, int Stride, int Rows, int Cols) {
  auto Here = std::make_unique<Quadrant>();
  float Low = In[0], High = In[0];
  for (int R = 0; R < Rows; ++R)
    for (int C = 0; C < Cols; ++C) {
      float Value = In[static_cast<long>(R) * Stride + C];
      Low = std::min(Low, Value), High = std::max(High, Value);
    }
  Here->Mean = (Low + High) / 2;
  if (High - Low > 60 && Rows > 1 && Cols > 1)
    for (int Part = 0; Part < 4; ++Part) {
      int Top = Part / 2 * (Rows / 2), Left = Part % 2 * (Cols / 2);
      Here->Parts[Part] = split(In + static_cast<long>(Top) * Stride + Left, Stride,
                                Part / 2 ? Rows - Rows / 2 : Rows / 2, Part % 2 ? Cols - Cols / 2 : Cols / 2);
    }
  return Here;
}

ACCURACY_OPERATOR void quad_tree(const float *In, int rows, int cols, float *Out) {
  std::unique_ptr<Quadrant> Root = split(In, cols, rows, cols);
  *Out = Root->Mean;
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int rows = J.extent();
  int cols = J.extent();
  float *In = J.input<float>(static_cast<long>(rows) * cols);
  float *Out = J.output<float>(1);
  quad_tree(In, rows, cols, Out);
  return J.finish();
}
