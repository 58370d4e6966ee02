// Functions that another unit instantiates.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that is too large to be inlined, and that another unit instantiates, has a body here which the compiler
// drops. A prediction from this unit alone sees through it; the program still calls the other unit's.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=halves -I%include -c %s -o %t.o
// RUN: %clangxx -std=c++20 -O2 -DINSTANTIATES -I%include -c %s -o %t.other.o
// RUN: %clangxx %t.o %t.other.o -o %t
// RUN: %compare %t --object %t.o --shape n=101 -- 101
// RUN: %predict --shape n=101 | %says "peak heap {{.*}} 604 bytes exact"
// RUN: nm %t.o | %says "U _ZN9Amplifier{{.*}}"

#include "../Inputs/twice.h"
#include <cmath>

template <class T> struct Amplifier {
  T *copy(const T *in, long n) {
    T *out = static_cast<T *>(std::malloc(n * sizeof(T)));
    for (long i = 0; i < n; ++i) {
      T x = in[i];
      for (int k = 0; k < 5; ++k)
        x += std::sin(x) * std::cos(x + k) + std::exp(x - k);
      if (x > 3)
        x = std::tan(x) + std::sqrt(std::fabs(x)) + std::pow(x, T(1.5));
      else if (x < 1)
        x = std::log(x) + std::atan(x) + std::sinh(x) + std::tanh(x) + std::cosh(x);
      else
        x = std::asin(x) + std::acos(x) + std::cbrt(x) + std::fmod(x, T(3));
      out[i] = x;
    }
    return out;
  }
};

#ifdef INSTANTIATES
template struct Amplifier<float>;
#else
extern template struct Amplifier<float>;

float halves(const float *in, int n) {
  Amplifier<float> amplifier;
  float *all = amplifier.copy(in, n), *half = amplifier.copy(in, n / 2);
  const float sum = all[n / 2] + half[n / 4];
  std::free(all);
  std::free(half);
  return sum;
}

TWICE(sink = halves(data, static_cast<int>(number(1))))
#endif
