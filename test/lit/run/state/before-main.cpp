// A call before main.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What exact takes for granted, and what comes of it where that fails: the initialisers of static variables have run.
// This constructor comes before them.
//
// RUN: %held -std=c++20 -O2
// HELD n=200
// RUN: %t before | %says "0 bytes"

#include "../Inputs/twice.h"
#include <cstdio>
#include <vector>

static const std::vector<int> sheets(7);
static std::size_t before_main;

static std::size_t room(int n) { return std::size_t(n) * sheets.size(); }

MEMSHAPE_OPERATOR
float stacked(const float *in, int n) {
  std::vector<float> work(room(n) + 1);
  work[0] = in[0];
  return work[work.size() / 2];
}

__attribute__((constructor(101))) static void early() { before_main = room(200); }

int main(int argc, char **argv) {
  fill_data(argv);
  if (argc > 1 && argv[1][0] == 'b')
    return std::printf("%zu bytes\n", before_main), 0;
  sink = stacked((float *)data_storage, int(number(1)));
  sink = stacked((float *)data_storage, int(number(1)));
}
