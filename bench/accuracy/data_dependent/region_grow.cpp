// A region grown from the middle while values are alike.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std symbols=rows,cols smallest=700,600

#include "../operators/job.h"

#include <cmath>
#include <deque>
#include <vector>

ACCURACY_OPERATOR void region_grow(const float *In, int rows, int cols, float *Out) {
  std::vector<char> Seen(static_cast<std::size_t>(rows) * cols);
  std::deque<std::pair<int, int>> Front{{rows / 2, cols / 2}};
  while (!Front.empty()) {
    auto [R, C] = Front.front();
    Front.pop_front();
    if (R < 0 || C < 0 || R >= rows || C >= cols)
      continue;
    long At = static_cast<long>(R) * cols + C;
    if (Seen[At] || std::abs(In[At] - 60) > 45)
      continue;
    Seen[At] = 1;
    *Out += In[At];
    Front.insert(Front.end(), {{R + 1, C}, {R - 1, C}, {R, C + 1}, {R, C - 1}});
  }
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int rows = J.extent();
  int cols = J.extent();
  float *In = J.input<float>(static_cast<long>(rows) * cols);
  float *Out = J.output<float>(1);
  region_grow(In, rows, cols, Out);
  return J.finish();
}
