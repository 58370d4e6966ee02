// A body for each of several processors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bodies are different functions of one name, so that no figure is given for the name, nor for who calls it.
//
// RUN: %clangxx -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=workspace -fplugin-arg-memshape-operator=first -c %s -o %t.o
// RUN: not %predict --operator workspace --shape n=100 2>&1 | %says "several processors"
// RUN: not %predict --operator first --shape n=100 2>&1 | %says "no answer for 'first'{{.*}}'workspace(int)"

#include <cstdlib>

__attribute__((target("default"))) float *workspace(int n) { return static_cast<float *>(malloc(n)); }
__attribute__((target("avx2"))) float *workspace(int n) { return static_cast<float *>(malloc(8 * n)); }

extern "C" float first(const float *in, int n) {
  float *copy = workspace(n);
  copy[0] = in[0];
  float result = copy[n / 100];
  free(copy);
  return result;
}
