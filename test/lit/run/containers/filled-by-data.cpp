// Containers whose elements data choose.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many there are is data's choice; there are never more than the operator has offered. So an upper bound is
// counted.
//
// RUN: %held -std=c++20 -O2

#include "../Inputs/twice.h"
#include <algorithm>
#include <list>
#include <map>
#include <unordered_set>
#include <vector>

// Many vectors that share the elements. Each of them can come to hold all elements, but not all of them can: what is
// appended to one is appended to no other. So the bound is linear in n, however many buckets there are.
// HELD sorted n=100 --bounds 0..1984 -- 100 0
// HELD sorted n=100 --bounds 0..1984 -- 100 1
// HELD sorted n=129 --bounds 0..2448 -- 129 0
// HELD sorted n=1 --bounds 0..400 -- 1 0
MEMSHAPE_OPERATOR
long sorted(const unsigned *keys, int n) {
  std::vector<std::vector<unsigned>> buckets(16);
  for (int i = 0; i < n; ++i)
    buckets[keys[i] & 15].push_back(keys[i]);
  long sum = 0;
  for (const std::vector<unsigned> &bucket : buckets)
    sum += long(bucket.size() * bucket.size());
  return sum;
}

TWICE_OF(sorted, {
  for (int at = 0; at < 1000; ++at)
    reinterpret_cast<unsigned *>(data)[at] = unsigned(at * number(2));
  sink = sorted(reinterpret_cast<unsigned *>(data), int(number(1)));
})

// A map whose keys are data. One node for each key that is new: between one and all.
// HELD distinct n=100 --bounds 40..4000
// HELD distinct n=7 --bounds 40..280
MEMSHAPE_OPERATOR
int distinct(const int *in, int n) {
  std::map<int, int> count;
  for (int i = 0; i < n; ++i)
    ++count[in[i]];
  return static_cast<int>(count.size());
}

// A table of the C++ library that data fill. A node for each key, and buckets as the library says that it chooses them.
// HELD distinct_by_hash n=100 --bounds 0..5360 -- 100 1
// HELD distinct_by_hash n=100 --bounds 0..5360 -- 100 0
// HELD distinct_by_hash n=1000 --bounds 0..51008 -- 1000 7
MEMSHAPE_OPERATOR
long distinct_by_hash(const int *keys, int n) {
  std::unordered_set<int> found;
  for (int i = 0; i < n; ++i)
    found.insert(keys[i]);
  return long(found.size());
}

TWICE_OF(distinct_by_hash, {
  for (int at = 0; at < 2000; ++at)
    reinterpret_cast<int *>(data)[at] = int(at * number(2));
  sink = distinct_by_hash(reinterpret_cast<int *>(data), int(number(1)));
})

// What other runs need is no bound. Which rows come to be long is decided in a loop, in more ways than can be tried:
// the third run needs more than all that are. What is counted holds for it as well: 24 bytes for each of 32
// and 64 rows, while they are copied from one block to a larger one, and twice 4 bytes an element, each with its double.
// HELD records n=50 --bounds 0..3104 -- 50 1
// HELD records n=50 --bounds 0..3104 -- 50 50
// HELD records n=50 --bounds 0..3104 -- 50 31
MEMSHAPE_OPERATOR
long records(const int *in, int n) {
  std::vector<std::vector<float>> rows;
  for (int i = 0; i < n; ++i) {
    if (in[i] <= 0 || rows.empty())
      rows.emplace_back();
    rows.back().push_back(float(in[i]));
  }
  return long(rows.size());
}

TWICE_OF(records, {
  for (int at = 0; at < 1000; ++at)
    reinterpret_cast<int *>(data)[at] = at < number(2) ? -1 : at;
  sink = records(reinterpret_cast<int *>(data), int(number(1)));
})

// Sorting vectors by their data. Data decides which vector lies where; all of them live until the end.
// HELD least n=100 --bounds 3600..3600
// HELD least n=7
MEMSHAPE_OPERATOR
float least(const float *in, int n) {
  std::vector<std::vector<float>> parts(n);
  for (int i = 0; i < n; ++i)
    parts[i].assign(in + i, in + i + 3);
  std::sort(parts.begin(), parts.end());
  return parts[0][0];
}

// A list that grows at either end: one node an element, whichever way it goes.
// HELD sided n=100 --bounds 0..2400 -- 100 1
// HELD sided n=100 --bounds 0..2400 -- 100 2
MEMSHAPE_OPERATOR
long sided(const int *in, int n) {
  std::list<int> all;
  for (int i = 0; i < n; ++i) {
    if (!all.empty() && all.back() == in[i])
      continue;
    if (in[i] % 2)
      all.push_front(in[i]);
    else
      all.push_back(in[i]);
  }
  return long(all.size());
}

TWICE_OF(sided, {
  for (int at = 0; at < 1000; ++at)
    reinterpret_cast<int *>(data)[at] = int(at * number(2));
  sink = sided(reinterpret_cast<int *>(data), int(number(1)));
})
