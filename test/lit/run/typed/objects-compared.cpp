// The operator asks whether its arguments are one object, or one of the program's: the caller chooses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=c++17 -O2 -fplugin-arg-memshape-operator=Buffer::operator= -fplugin-arg-memshape-operator=Buffer::scaled -fplugin-arg-memshape-operator=sorted
// RUN: %held -std=c++17 -O0 -fplugin-arg-memshape-operator=Buffer::operator= -fplugin-arg-memshape-operator=Buffer::scaled -fplugin-arg-memshape-operator=sorted
// HELD assigned this.n=40,other.n=40 --operator Buffer::operator= --bounds 0..160 -- 40
// HELD scaled this.n=40 --operator Buffer::scaled --bounds 0..160 -- 40
// HELD sorted o.n=40 --bounds 40..160 -- 40

#include "../Inputs/twice.h"
#include <cstring>

struct Buffer {
  int n;
  float *data;
  explicit Buffer(int n) : n(n), data(new float[n]()) {}
  ~Buffer() { delete[] data; }
  Buffer &operator=(const Buffer &other);
  float scaled() const;
};
static Buffer empty(1);
const Buffer &none() { return empty; }

Buffer &Buffer::operator=(const Buffer &other) {
  if (this == &other)
    return *this;
  float *copy = new float[other.n];
  memcpy(copy, other.data, sizeof(float) * other.n);
  delete[] data;
  data = copy;
  n = other.n;
  return *this;
}

float Buffer::scaled() const {
  if (this == &empty)
    return 0;
  float *copy = new float[n];
  memcpy(copy, data, sizeof(float) * n);
  const float last = copy[n - 1] * copy[int(copy[0]) % n];
  delete[] copy;
  return last;
}

struct Order {
  int n;
  int (*less)(int, int);
};
int less(int a, int b) { return a < b; }

char sorted(const Order &o) {
  char *keys = new char[o.less == less ? 4 * o.n : o.n];
  keys[o.n - 1] = 1;
  const char last = keys[o.n - 1 - int(data_storage[0]) % 2];
  delete[] keys;
  return last;
}

static Buffer &buffer(int which, int n) {
  static Buffer *all[2];
  if (!all[which])
    all[which] = new Buffer(n);
  return *all[which];
}
static int greater(int a, int b) { return a > b; }
static Order order(int n) {
  Order made;
  made.n = n, made.less = greater;
  return made;
}

TWICE_OF(assigned, buffer(0, (int)number(1)) = buffer(1, (int)number(1)))
TWICE_OF(scaled, sink = buffer(0, (int)number(1)).scaled())
TWICE_OF(sorted, sink = sorted(order((int)number(1))))
TWICE_EACH
