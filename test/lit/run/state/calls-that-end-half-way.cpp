// What a call leaves that does not return.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A caller may catch what the operator throws, or jump out of it. What the call has stored by then stays: a mark that it
// is busy, an entry that it has not taken back, a flag in front of a table that it did not come to. Where the next call
// overwrites that before it looks, or the program ends, all calls that return are alike.
//
// RUN: %held -std=c++20 -O2
// HELD -DKIND=busy n=200 --bounds 0..400
// HELD -DKIND=entered n=200 --bounds 0..none --because earlier_calls
// HELD -DKIND=jumped n=200 --bounds 0..400
// HELD -DKIND=begun n=200 --bounds 0..400
// HELD -DKIND=refilled n=200
// HELD -DKIND=made n=200
// HELD -DKIND=asserted n=200
// HELD -O0 -DKIND=busy n=200 --bounds 0..400
// HELD -O0 -DKIND=asserted n=200
// RUN: %predict --shape n=200 | FileCheck %s --check-prefix=NONE --allow-empty
// NONE-NOT: half-way

#include "../Inputs/taken.h"
#include "../Inputs/twice.h"
#include <csetjmp>
#include <vector>

static bool isBusy, hasBegun, isEntered;
static int table = 1;
static std::vector<int> entries;
std::jmp_buf caller;

static float busy(const float *in, int n) {
  const bool wasBusy = isBusy;
  isBusy = true;
  if (in[0] > 2)
    throw 1;
  const float first = taken(in, wasBusy ? 2 * n : n);
  isBusy = false;
  return first;
}

static float entered(const float *in, int n) {
  entries.push_back(n);
  std::vector<float> all(in, in + n * entries.size());
  const float first = all.at(in[0] > 2 ? 1 << 20 : 0);
  entries.pop_back();
  return first;
}

static float jumped(const float *in, int n) {
  const bool wasEntered = isEntered;
  isEntered = true;
  if (in[0] > 2)
    std::longjmp(caller, 1);
  const float first = taken(in, wasEntered ? 2 * n : n);
  isEntered = false;
  return first;
}

static float begun(const float *in, int n) {
  if (!hasBegun) {
    hasBegun = true;
    if (in[0] > 2)
      throw 1;
    table = 2;
  }
  return taken(in, n * table);
}

static float refilled(const float *in, int n) {
  entries.clear();
  entries.push_back(in[0] > 2 ? throw 1 : 1);
  entries.push_back(n);
  return taken(in, n * int(entries.size())) + float(entries.at(1));
}

static float made(const float *in, int n) {
  static const std::vector<int> widths(1, 2);
  if (in[0] > 2)
    throw 1;
  static const std::vector<int> heights(1, 3);
  return taken(in, n * widths[0] * heights[0]);
}

static float asserted(const float *in, int n) {
  const bool wasBusy = isBusy;
  isBusy = true;
  if (in[0] > 2)
    std::abort();
  const float first = taken(in, wasBusy ? 2 * n : n);
  isBusy = false;
  return first;
}

MEMSHAPE_OPERATOR
float kept(const float *in, int n) { return KIND(in, n); }
