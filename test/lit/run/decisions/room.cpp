// Containers with room for all that a loop may append.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What data decides is appended, but never beyond the room: the container does not grow, whatever data says. Where the
// room is one too small, it may.
//
// RUN: %held -std=c++17 -O2
// RUN: %clangxx -std=c++17 -O0 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --operator several --shape n=1000 | %says "peak heap {{.*}} 12,000 bytes exact"
// RUN: %predict --operator nested --shape rows=20,columns=50 | %says "peak heap {{.*}} 4,000 bytes exact"
// RUN: %predict --operator by_hand --shape n=1000 | %says "peak heap {{.*}} 4,000 bytes exact"

#include "../Inputs/twice.h"
#include <vector>

// HELD once n=1000 n=1 n=0
MEMSHAPE_OPERATOR
int once(const float *in, int n) {
  std::vector<int> found;
  found.reserve(n);
  for (int i = 0; i < n; ++i)
    if (in[i] > 0)
      found.push_back(i);
  return int(found.size());
}

// One iteration more than there is room for.
// HELD short_by_one n=1000 --bounds 3996..19996
MEMSHAPE_OPERATOR
int short_by_one(const float *in, int n) {
  std::vector<int> found;
  found.reserve(n - 1);
  for (int i = 0; i < n; ++i)
    if (in[i] > 0)
      found.push_back(i);
  return int(found.size());
}

// Two containers, one of them appended to in two places.
// HELD several n=1000
MEMSHAPE_OPERATOR
int several(const float *in, int n) {
  std::vector<int> some, most;
  some.reserve(n);
  most.reserve(2 * n);
  for (int i = 0; i < n; ++i) {
    if (in[i] > 0) {
      most.push_back(i);
      some.push_back(i);
    }
    if (in[i] > 0.5f)
      most.push_back(-i);
  }
  return int(some.size() + most.size());
}

// Two loops, and room for all iterations of both.
// HELD nested rows=20,columns=50
MEMSHAPE_OPERATOR
int nested(const float *in, int rows, int columns) {
  std::vector<int> found;
  found.reserve(rows * columns);
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      if (in[row * columns + column] > 0)
        found.push_back(column);
  return int(found.size());
}

// Emptied in each iteration of the outer loop, with room for one.
// HELD emptied rows=20,columns=50
MEMSHAPE_OPERATOR
int emptied(const float *in, int rows, int columns) {
  std::vector<int> found;
  int all = 0;
  found.reserve(columns);
  for (int row = 0; row < rows; ++row) {
    found.clear();
    for (int column = 0; column < columns; ++column)
      if (in[row * columns + column] > 0)
        found.push_back(column);
    all += int(found.size());
  }
  return all;
}

// Written by hand, with signed numbers.
// HELD by_hand n=1000
MEMSHAPE_OPERATOR
int by_hand(const float *in, int n) {
  int room = n, count = 0;
  int *found = static_cast<int *>(malloc(room * sizeof(int)));
  for (int i = 0; i < n; ++i)
    if (in[i] > 0) {
      if (count >= room) {
        room *= 2;
        found = static_cast<int *>(realloc(found, room * sizeof(int)));
      }
      found[count++] = i;
    }
  const int last = count ? found[count - 1] : 0;
  free(found);
  return last;
}

// By as much as data says: more than one step an iteration.
// HELD by_data n=1000 --bounds 0..none --because not_all_followed
MEMSHAPE_OPERATOR
int by_data(const float *in, int n) {
  int room = n, count = 0;
  char *found = static_cast<char *>(malloc(room));
  for (int i = 0; i < n; ++i) {
    if (count >= room) {
      room *= 2;
      found = static_cast<char *>(realloc(found, room));
    }
    found[count] = char(i);
    count += int(in[i]);
  }
  const int last = found[0];
  free(found);
  return last;
}

// One grows by data; what the other one does is known.
// HELD beside n=1000 --bounds 4000..26144
MEMSHAPE_OPERATOR
int beside(const float *in, int n) {
  std::vector<int> some, most;
  some.reserve(n);
  for (int i = 0; i < n; ++i) {
    if (in[i] > 0)
      some.push_back(i);
    if (in[i] > 0.5f)
      most.push_back(i);
  }
  return int(some.size() + most.size());
}

TWICE_EACH
