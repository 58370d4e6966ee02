// What the first calls of threads leave.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread takes its number when it calls first, so that calls of other threads than the one that was followed take
// other numbers of bytes. A buffer of each thread is alike in all of them, beside a table that the first one has filled.
//
// What destructors of a thread's variables do, other threads find later.
//
// RUN: %held -std=c++20 -O2
// HELD -DKIND=buffer n=200
// HELD -DKIND=ended n=200 --bounds 2400..32000
// HELD -O0 -DKIND=ended n=200 --bounds 0..none --because unbounded_size
// HELD -DKIND=numbered n=200 --bounds 0..none --because earlier_calls
// RUN: %predict --shape n=200 | %says "each call leaves other values behind in {{.*}}'threads'"

#include "../Inputs/twice.h"
#include <vector>

static int threads;
static int table[64], is_filled;

static int numbered() {
  static thread_local int own;
  if (!own)
    own = ++threads;
  return own;
}

static int buffer() {
  static thread_local std::vector<int> own;
  if (!is_filled) {
    for (int k = 0; k < 64; ++k)
      table[k] = k % 5 + 1;
    is_filled = 1;
  }
  if (own.empty())
    own.resize(9);
  return table[own.size()];
}

static int level = 3;
struct Ending {
  int used = 1;
  ~Ending() { level = 40; }
};

static int ended() {
  static thread_local Ending own;
  return own.used ? level : 0;
}

MEMSHAPE_OPERATOR
float taken(const float *in, int n) {
  std::vector<float> work(n * KIND());
  work[0] = in[0];
  return work[n / 2];
}
