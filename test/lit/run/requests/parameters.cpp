// Parameters of all types, and blocks of new.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=c++20 -O2

#include "../Inputs/twice.h"
#include <cmath>
#include <new>
#include <vector>

// Shape symbols of all widths. Signed and unsigned, narrower and wider than int.
// HELD sizes a=100,b=60000,c=3,d=5 a=1,b=200,c=70000,d=5
MEMSHAPE_OPERATOR
int sizes(const float *in, signed char a, unsigned short b, unsigned c, long long d) {
  std::vector<float> first(a), second(b), third(c), fourth(d);
  first[0] = in[0];
  return static_cast<int>(first[0] + second[0] + third[0] + fourth[0]);
}

// Floating-point and bool parameters. Settings enter sizes through arithmetic and libm.
// HELD kernel n=100 --set sigma=1.5,scale=0.25,twice=true -- 100 1
// HELD kernel n=100 --set sigma=1.5,scale=0.25,twice=false -- 100 0
MEMSHAPE_OPERATOR
float kernel(const float *in, int n, float sigma, double scale, bool twice) {
  int radius = static_cast<int>(std::ceil(3 * sigma));
  std::vector<double> weights(2 * radius + 1);
  std::vector<float> blurred(static_cast<std::size_t>(n * scale));
  std::vector<float> again(twice ? n : 0);
  weights[0] = in[0];
  return static_cast<float>(weights[0]) + blurred[0];
}

TWICE_OF(kernel, sink = kernel(data, number(1), 1.5f, 0.25, number(2)))

// A table made at the first call. A static local variable: its bytes are those of the first call alone.
// HELD look n=10 n=5000 --one-time
static const std::vector<double> &table() {
  static const std::vector<double> values(1000, 1.5);
  return values;
}

MEMSHAPE_OPERATOR
double look(const float *in, int n) {
  std::vector<double> copy(n);
  copy[0] = in[0];
  return table()[n % 1000] + copy[0];
}

// operator new with an alignment. The C++ library rounds the size up to a multiple of the alignment.
// HELD lines n=100 n=7
struct alignas(64) Line {
  float values[13];
};

MEMSHAPE_OPERATOR
float lines(const float *in, int n) {
  auto *block = new Line[n];
  auto *one = ::operator new(n + 1, std::align_val_t(128));
  block[0].values[0] = in[0];
  float first = block[0].values[0];
  ::operator delete(one, std::align_val_t(128));
  delete[] block;
  return first;
}

// new[] of a class with a destructor. The count of elements is kept in front of the first one, and read again to
// destroy them.
// HELD owners n=100 n=7
struct Owner {
  char *block;
  Owner() : block(new char[3]) {}
  ~Owner() { delete[] block; }
};

MEMSHAPE_OPERATOR
int owners(const float *in, int n) {
  auto *all = new Owner[n];
  all[n - 1].block[0] = in[0] > 0;
  int last = all[n - 1].block[0];
  delete[] all;
  return last;
}

// A thread_local buffer that only grows. The second call finds what the first has left.
// HELD scratch n=100 n=7
MEMSHAPE_OPERATOR
float scratch(const float *in, int n) {
  thread_local std::vector<float> buffer;
  if (buffer.size() < static_cast<std::size_t>(n))
    buffer.resize(n);
  std::vector<float> copy(in, in + n);
  buffer[0] = copy[0];
  return buffer[0];
}
