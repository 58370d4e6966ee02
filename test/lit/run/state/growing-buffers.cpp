// Buffers that are kept, and grow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was large enough once is large enough ever after, whatever calls at other shapes come between: exact. A capacity
// that other calls take back, that is not raised to what is needed, that makes other sizes, or that a second one
// depends on, is not.
//
// RUN: %held -std=c++20 -O2
// HELD -DKEPT=resized n=100 --among-others
// HELD -DKEPT=enlarged n=100 --among-others
// HELD -DKEPT=assigned n=100 --among-others
// HELD -DKEPT=cleared n=100 --among-others
// HELD -DKEPT=workspace n=100 --among-others
// HELD -DKEPT=given_back n=100 --among-others --bounds 0..1196
// HELD -DKEPT=swapped n=100 --among-others --bounds 0..1196
// HELD -DKEPT=too_little n=100 --among-others --bounds 0..804
// HELD -DKEPT=copied n=100 --among-others --bounds 0..none --because earlier_calls
// HELD -DKEPT=by_turns n=100 --among-others --bounds 0..900
// HELD -DKEPT=as_data_say n=100 --among-others --bounds 0..1996
// HELD -DKEPT=keyed n=100 --among-others --bounds 0..864
// HELD -DKEPT=keyed_in_thread n=100 --among-others --bounds 0..896
// HELD -DKEPT=last n=100 --among-others --bounds 0..800

#include "../Inputs/twice.h"
#include <map>
#include <vector>

using Floats = std::vector<float>;
static Floats buffer, other;

static float resized(const float *in, int n) {
  buffer.resize(n);
  return buffer[0] = in[0];
}

static float enlarged(const float *in, int n) {
  if (buffer.size() < std::size_t(n))
    buffer.resize(n);
  return buffer[0] = in[0];
}

static float assigned(const float *in, int n) {
  buffer.assign(2 * n, in[0]);
  return buffer[n];
}

static float cleared(const float *in, int n) {
  buffer.clear();
  buffer.resize(n);
  return buffer[0] = in[0];
}

struct Workspace {
  Floats rows;
  std::vector<double> sums;
  float *raw;
  int capacity;
};
static Workspace workspace_of_all;

static float workspace(const float *in, int n) {
  Workspace &its = workspace_of_all;
  its.rows.resize(n);
  its.sums.reserve(3 * std::size_t(n));
  if (its.capacity < n) {
    delete[] its.raw;
    its.raw = new float[n];
    its.capacity = n;
  }
  its.raw[0] = in[1];
  return its.rows[0] = in[0];
}

static float given_back(const float *in, int n) {
  if (n > 1000)
    Floats().swap(buffer);
  buffer.resize(n);
  return buffer[0] = in[0];
}

static float swapped(const float *in, int n) {
  buffer.resize(n);
  buffer.swap(other);
  return other[0] = in[0];
}

static float too_little(const float *in, int n) {
  if (buffer.size() < std::size_t(n))
    buffer.resize(n / 2 + 1);
  return buffer[0] = in[0];
}

static float copied(const float *in, int n) {
  enlarged(in, n);
  Floats copy(in, in + buffer.size());
  return copy[n / 2];
}

// Whether the third one is enough depends on which of the others have grown before.
static float by_turns(const float *in, int n) {
  static int first, second, third;
  static char *blocks[3];
  const bool grows = first < n;
  if (grows)
    blocks[0] = static_cast<char *>(realloc(blocks[0], first = n));
  if (n == 30)
    return 0;
  const bool too = second < n;
  if (too)
    blocks[1] = static_cast<char *>(realloc(blocks[1], second = n));
  const int need = !grows && too ? 2 : 3 * n;
  if (third < need)
    blocks[2] = static_cast<char *>(realloc(blocks[2], third = need));
  blocks[0][0] = blocks[1][0] = blocks[2][0] = 1;
  return in[0];
}

static float as_data_say(const float *in, int n) {
  buffer.resize(in[0] > 0 ? 2 * n : n);
  return buffer[0] = in[0];
}

static float keyed(const float *in, int n) {
  static std::map<int, Floats> tables;
  return tables.try_emplace(n, n).first->second[0] = in[0];
}

// With a destructor to be registered.
static float keyed_in_thread(const float *in, int n) {
  thread_local std::map<int, Floats> tables;
  return tables.try_emplace(n, n).first->second[0] = in[0];
}

static float last(const float *in, int n) {
  static int shape;
  static char *table;
  if (n != shape) {
    free(table);
    table = static_cast<char *>(malloc(4 * std::size_t(n)));
    shape = n;
  }
  table[0] = 1;
  return in[0];
}

MEMSHAPE_OPERATOR
float keep(const float *in, int n) {
  Floats work(in, in + n);
  return work[n / 2] + KEPT(in, n);
}

static const int shapes[] = {30, 2000, 1, 99};

TWICE({
  for (int shape : shapes) {
    sink = keep(data, shape);
    sink = keep(data, number(1));
    sink = keep(data, number(1));
  }
})
