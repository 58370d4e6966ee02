// Initialisers of two units, one of which reads what the other has set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which the units are linked says which of them runs first, and so whether it has been set.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -DOTHER_UNIT -c %s -o %t.other.o
// RUN: %held -std=c++20 -O2 %t.other.o
// HELD -DLEVEL=after n=100 --bounds 0..none --because unbounded_size
// HELD -DLEVEL=own n=100

#include <vector>

int others();

#ifdef OTHER_UNIT
static std::vector<int> made(39);
int others() { return (int)made.size(); }
#else
#include "../Inputs/twice.h"

static int after = others() + 1;
static std::vector<int> list(7);
static int own = (int)list.size() + 1;
static void *volatile used;

extern "C" MEMSHAPE_OPERATOR void sized(int n) {
  void *block = malloc(LEVEL * 8 + n);
  used = block;
  free(block);
}

TWICE((sink = after + own, sized((int)number(1))))
#endif
