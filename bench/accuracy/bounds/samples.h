// Many data sets for one operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each file of this folder holds operators of one class: what a person bounds in a line or two, whatever data is. A
// file ends with SAMPLES(TYPE, operators...): its program calls each operator with every data set, the hostile ones
// too, at the extents of the command line. What an operator needs at most over them is the truth that its upper bound
// is held against.

#pragma once

#include <memshape/operator.h>

#include <cstdlib>
#include <limits>
#include <type_traits>
#include <vector>

#define BOUND_OPERATOR extern "C" __attribute__((noinline)) MEMSHAPE_OPERATOR

/// Fills a block with what follows from the data and looks at an element of it, so that no compiler leaves it out.
template <class T, class Element> long filled(T *Block, std::size_t Count, const Element *X) {
  const unsigned char Byte = *reinterpret_cast<const unsigned char *>(X);
  for (std::size_t I = 0; I < Count; ++I)
    Block[I] = T(Byte + I % 3);
  return Count ? long(Block[Byte % Count]) : 0;
}

constexpr int DataSets = 24;

inline unsigned nextNoise() {
  static unsigned Noise = 2463534242u;
  Noise ^= Noise << 13, Noise ^= Noise >> 17, Noise ^= Noise << 5;
  return Noise;
}

/// Element I of N in data set Set.
template <class T> T sample(int Set, long I, long N) {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_same_v<T, char>) {
    static const char Words[] = "ab 12,key=value;-7 \t\"quoted\"(((x)))\n";
    switch (Set) {
    case 0:
      return 'a';
    case 1:
      return ' ';
    case 2:
      return ',';
    case 3:
      return '\0';
    case 4:
      return Words[I % long(sizeof Words - 1)];
    case 5:
      return I % 2 ? ',' : 'x';
    case 6:
      return I % 17 ? 'w' : ' ';
    case 7:
      return char('0' + I % 10);
    case 8:
      return I < N / 2 ? '(' : ')';
    case 9:
      return '(';
    case 10:
      return '9';
    case 11:
      return I == N - 1 ? '\n' : 'q';
    case 12:
      return '\n';
    case 13:
      return '"';
    case 14:
      return I ? 'z' : '-';
    case 15:
      return I % 40 == 39 ? '\n' : "k=v,"[I % 4];
    default:
      return Set % 2 ? Words[nextNoise() % (sizeof Words - 1)] : char(nextNoise());
    }
  } else {
    switch (Set) {
    case 0:
      return T(0);
    case 1:
      return Limits::max();
    case 2:
      return Limits::lowest();
    case 3:
      return T(I);
    case 4:
      return T(N - I);
    case 5:
      return T(1);
    case 6:
      return T(-1);
    case 7:
      return T(I % 2);
    case 8:
      return T(N);
    case 9:
      return T(I % 7);
    case 10:
      return T(I / 2);
    case 11:
      return T(I == N / 2 ? N : 0);
    case 12:
      return T(1000 - I % 3);
    case 13:
      return I % 2 ? Limits::max() : Limits::lowest();
    case 14:
      return Limits::has_infinity ? Limits::infinity() : T(1 << 20);
    case 15:
      return Limits::has_quiet_NaN ? Limits::quiet_NaN() : T(255);
    case 16:
      return T(nextNoise() % 10);
    case 17:
      return T(nextNoise() % unsigned(N + 1));
    case 18:
      return T(nextNoise() % 100000) / T(3);
    case 19:
      return T(int(nextNoise()));
    case 20:
      return T(31);
    case 21:
      return T(int(nextNoise() % 2001) - 1000);
    case 22:
      return T(99);
    default:
      return T(nextNoise() % 64);
    }
  }
}

template <class T> void sampleAll(std::initializer_list<long (*)(const T *, int)> Operators, char **Extents) {
  volatile long Sink = 0;
  for (; *Extents; ++Extents) {
    const int N = std::atoi(*Extents);
    std::vector<T> Data(std::size_t(N) + 1); // texts end with a zero
    for (int Set = 0; Set < DataSets; ++Set) {
      for (long I = 0; I < N; ++I)
        Data[std::size_t(I)] = sample<T>(Set, I, N);
      for (auto *Operator : Operators)
        Sink = Sink + Operator(Data.data(), N);
    }
  }
}

#define SAMPLES(TYPE, ...)                                                                                             \
  int main(int, char **Arguments) {                                                                                    \
    sampleAll<TYPE>({__VA_ARGS__}, Arguments + 1);                                                                     \
    return 0;                                                                                                          \
  }
