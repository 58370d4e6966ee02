// What a static variable leads to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Another unit includes the same inline function, and changes what its static variable leads to, or calls it with
// another argument. What nobody can reach is exact.
//
// RUN: %clangxx -std=c++20 -O2 -DOTHER_UNIT -c %s -o %t.other.o
// RUN: %held -std=c++20 -O2 %t.other.o
// HELD -DWIDTH=plain().width n=100 --bounds 0..none --because unbounded_size
// HELD -DWIDTH=owned().width n=100 --bounds 0..none --because unbounded_size
// HELD -DWIDTH=element(2) n=100 --bounds 0..none --because unbounded_size
// HELD -DWIDTH=constant->width n=100 --bounds 1..none --because unbounded_size
// HELD -DWIDTH=set_by_callers(0) n=100 --bounds 1..none --because unbounded_size
// HELD -DWIDTH=own(2) n=100
// HELD -DWIDTH=table.at(2) n=100

#include <memory>
#include <vector>

struct Config {
  int width = 4;
};

inline Config &plain() {
  static Config *only = new Config;
  return *only;
}

inline Config &owned() {
  static std::unique_ptr<Config> only = std::make_unique<Config>();
  return *only;
}

inline int &element(int at) {
  static std::vector<int> all(8, 3);
  return all[at];
}

inline const std::unique_ptr<Config> constant = std::make_unique<Config>();
inline const std::vector<int> table(8, 3);

inline int set_by_callers(int width) {
  static int kept = 4;
  if (width)
    kept = width;
  return kept;
}

// Each call finds the elements as the first one has left them.
inline int own(int at) {
  static std::vector<int> all(8, 3);
  return all[at];
}

#ifdef OTHER_UNIT
void change() {
  plain().width = owned().width = element(2) = constant->width = 50;
  set_by_callers(50);
  own(5);
}
#else
#include "../Inputs/twice.h"

void change();

MEMSHAPE_OPERATOR
float widened(const float *in, int n) {
  std::vector<float> all(n + WIDTH, in[0]);
  return all[n / 2];
}

TWICE(sink = (change(), widened(data, number(1))))
#endif
