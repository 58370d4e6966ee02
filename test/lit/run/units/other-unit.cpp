// Functions and constants of other units.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operator calls C++ and C functions whose bodies lie in other files, and reads a constant from there.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -c %inputs/other-unit.cpp -o %t.other.o
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -c %inputs/other-unit.c -o %t.c.o
// RUN: %clangxx %t.o %t.other.o %t.c.o -o %t
// RUN: %compare %t --shape n=100 -- 100
//
// From an archive:
// RUN: rm -f %t.a && ar rc %t.a %t.c.o %t.other.o %t.o
// RUN: %compare %t --object %t.a --shape n=7 -- 7
//
// From several files, a shared library among them, whatever their order:
// RUN: %clangxx -shared -fPIC -std=c++20 -O2 -fplugin=%plugin %inputs/other-unit.cpp -o %t.so
// RUN: %compare %t --object "%t.so %t.c.o %t.o" --shape n=100 -- 100
//
// A function of a file that was not given: what it allocates would be missing, and the file is asked for.
// RUN: not %predict %t.other.o --shape n=100 2>&1 | %says "it calls 'plain_buffer', 'plain_release', defined in none of the given files"
// RUN: not %predict --shape n=100 2>&1 | %says "'neighbours(int)' is defined in none of the given files: name the one that holds it, too"
//
// Without their bodies:
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -fplugin-arg-memshape-bodies=no -c %inputs/other-unit.cpp -o %t.bare.o
// RUN: not %predict %t.bare.o --shape n=100 2>&1 | %says "'neighbours(int)' is defined in none of the given files"

#include "../Inputs/other-unit.h"
#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
float blur(const float *in, int n) {
  std::vector<float> padded(n + margin);
  std::vector<float> around = neighbours(2 * n);
  padded[0] = in[0];
  return padded[0] + around[1];
}

TWICE(sink = blur(data, number(1)))
