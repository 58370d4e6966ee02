// Whose definition the program takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A weak function is the strong one of another unit where that is given, and unknown where it is not. A static variable
// of an inline function that hands out its address belongs to every unit that includes it.
//
// RUN: %clangxx -std=c++20 -O2 -DWIDTH=padding(n) -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %clangxx -std=c++20 -O2 -DOTHER_UNIT -fplugin=%plugin -c %s -o %t.other.o
// RUN: %clangxx %t.o %t.other.o -o %t
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --object "%t.o %t.other.o" --shape n=100 -- 100
// RUN: not %predict --shape n=100 2>&1 | %says "it calls 'padding(int)', which the given files define weakly"
// RUN: %clangxx -std=c++20 -O2 -DWIDTH=Config::get().width %operatorxx %t.other.o
// RUN: %compare %t --shape n=100 --bounds 1..none --because unbounded_size -- 100
// RUN: %clangxx -std=c++20 -O2 -DWIDTH=own() %operatorxx %t.other.o
// RUN: %compare %t --shape n=100 -- 100

#include <vector>

struct Config {
  int width = 4;
  static Config &get() {
    static Config only;
    return only;
  }
};

#ifdef OTHER_UNIT
int padding(int n) { return 4 * n; }
void change() { Config::get().width = 50; }
#else
#include "../Inputs/twice.h"

__attribute__((weak)) int padding(int) { return 8; }
void change();

inline int own() {
  static int width = 3;
  return width;
}

MEMSHAPE_OPERATOR
float widened(const float *in, int n) {
  std::vector<float> all(n + WIDTH, in[0]);
  return all[n / 2];
}

TWICE(sink = (change(), widened(data, number(1))))
#endif
