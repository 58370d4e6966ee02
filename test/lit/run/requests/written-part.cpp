// Requested, and written in part.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes resident is what is written: of a padded image the rows, of a vector that grows what was pushed, of a
// reserve what was used, and the output only after the scratch block is gone. Without types of pointers in memory (clang
// 19) vectors count whole.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include %s -o %t
// RUN: %python %inputs/resident.py %memshape %t --shape rows=1500,cols=2500 %if clang-19 %{--at-most%} -- 1500 2500
// RUN: %python %inputs/resident.py %memshape %t --shape rows=6000,cols=700 %if clang-19 %{--at-most%} -- 6000 700
// RUN: %memshape predict %t --shape rows=1500,cols=2500 --json | %says '"exact": true' '"touched_bytes": {{[0-9]+}}'

#include <cstdio>
#include <cstdlib>
#include <memshape/operator.h>
#include <vector>

extern "C" __attribute__((noinline)) MEMSHAPE_OPERATOR void partly(int rows, int cols, float *out) {
  const std::size_t Wide = 3 * static_cast<std::size_t>(cols);
  float *Padded = static_cast<float *>(std::calloc(Wide * rows, sizeof(float)));
  for (int R = 0; R < rows; ++R)
    for (int C = 0; C < cols; ++C)
      Padded[R * Wide + C] = static_cast<float>(R ^ C);
  std::vector<float> Grown, Reserved;
  Reserved.reserve(4 * static_cast<std::size_t>(rows) * cols);
  for (int R = 0; R < rows; ++R)
    for (int C = 0; C < cols; ++C) {
      Grown.push_back(Padded[R * Wide + C]);
      Reserved.push_back(Grown[C]);
    }
  std::free(Padded);
  for (int R = 0; R < rows; ++R)
    for (int C = 0; C < cols; ++C)
      out[static_cast<std::size_t>(R) * cols + C] = Grown[R] + Reserved[C];
}

static long residentPeak() {
  long Kilobytes = 0;
  char Line[256];
  std::FILE *File = std::fopen("/proc/self/status", "r");
  while (std::fgets(Line, sizeof Line, File))
    if (std::sscanf(Line, "VmHWM: %ld", &Kilobytes) == 1)
      break;
  std::fclose(File);
  return 1024 * Kilobytes;
}

int main(int, char **Arguments) {
  const int Rows = std::atoi(Arguments[1]), Cols = std::atoi(Arguments[2]);
  float *Out = static_cast<float *>(std::calloc(static_cast<std::size_t>(Rows) * Cols, sizeof(float)));
  const long Before = residentPeak();
  partly(Rows, Cols, Out);
  std::printf("%ld\n", residentPeak() - Before);
}
