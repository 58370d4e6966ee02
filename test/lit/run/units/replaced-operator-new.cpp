// The program's own operator new.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where its unit is given with its code, it counts what it asks malloc for. Where it is linked without, what it takes
// is not known. What the C++ library's operator new[] takes is what it takes. Libraries use the program's, too: what is
// called of them for real takes an unknown part with it, whether its unit is given with its code or not.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %clangxx -std=c++20 -O2 -DOWN -fplugin=%plugin -I%include -c %s -o %t.own.o
// RUN: %clangxx %t.o %t.own.o -o %t
// RUN: %compare %t --shape n=200 -- 200
// RUN: %clangxx -std=c++20 -O2 -DOWN -I%include -c %s -o %t.own.o
// RUN: %clangxx %t.o %t.own.o -o %t
// RUN: %compare %t --shape n=200 --bounds 0..none --because missing_units -- 200
// RUN: %memshape predict %t --shape n=200 | %says "has a function operator {{.*}} of its own, from a unit without -fplugin=memshape"
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape n=200 -- 200
//
// RUN: %clangxx -std=c++20 -O2 -DNAMED %operatorxx %t.own.o
// RUN: %compare %t --shape n=200 --bounds 0..none --because missing_units -- 200
// RUN: %clangxx -std=c++20 -O2 -DOWN -fplugin=%plugin -I%include -c %s -o %t.own.o
// RUN: %clangxx %t.o %t.own.o -o %t
// RUN: %compare %t --shape n=200 --bounds 0..none --because missing_units -- 200
// RUN: %memshape predict %t --shape n=200 | %says "has a function operator {{.*}} of its own, which the libraries that are called use, too"
// RUN: %clangxx %t.o -o %t
// RUN: %compare %t --shape n=200 -- 200
//
// An exception that is caught is not followed: the operator itself is run.
//
// RUN: %clangxx -std=c++20 -O2 -DCAUGHT %operatorxx %t.own.o
// RUN: %compare %t --shape n=200 --bounds 0..none --because missing_units -- 200

#ifdef OWN
#include <cstdlib>
#include <new>
void *operator new(std::size_t bytes) { return static_cast<char *>(std::malloc(bytes + 32)) + 32; }
void operator delete(void *block) noexcept {
  if (block)
    std::free(static_cast<char *>(block) - 32);
}
void operator delete(void *block, std::size_t) noexcept { operator delete(block); }
#else
#include "../Inputs/twice.h"
#include <locale>
#include <memory>
#include <stdexcept>
#include <vector>

MEMSHAPE_OPERATOR
float copied(const float *in, int n) {
  std::vector<float> values(in, in + n);
#ifdef CAUGHT
  for (int i = 0; i < 3; ++i)
    try {
      if (n & 8)
        throw std::out_of_range("the fourth bit");
    } catch (...) {
      n += 2;
    }
#endif
#ifdef NAMED
  n += std::locale(std::locale::classic(), std::locale::classic(), std::locale::numeric).name().size();
#endif
  auto doubled = std::make_unique<float[]>(n);
  doubled[n / 2] = 2 * values[n / 2];
  return doubled[n / 2];
}

TWICE(sink = copied(data, number(1)))
#endif
