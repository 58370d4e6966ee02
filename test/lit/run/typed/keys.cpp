// Containers that tell their elements apart by keys: as members, in a chain of objects, in a list.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are built by keys that differ; from then on the keys are data.
//
// RUN: %held -std=c++17 -O2 -fplugin-arg-memshape-operator=values -fplugin-arg-memshape-operator=longest -fplugin-arg-memshape-operator=first
// HELD values g.rows=50,g.ids.size=20 -- 50 20 0
// HELD values g.rows=50,g.ids.size=20,g.coarse.rows=50,g.coarse.ids.size=20,g.coarse.depth=2 --set g.coarse.present=1 -- 50 20 2
// HELD longest rows.size=7,rows[0].size=3 -- 7 3
// HELD first rows.size=7,rows[0].size=3 --bounds 0..765 -- 7 3

#include "../Inputs/twice.h"
#include <map>
#include <unordered_map>
#include <vector>

struct grid {
  int rows;
  std::unordered_map<long long, int> ids;
  grid *coarse;
};

long values(const grid &g) {
  long sum = 0;
  for (const grid *each = &g; each; each = each->coarse) {
    std::vector<int> all;
    all.reserve(each->ids.size());
    for (const auto &[key, value] : each->ids)
      all.push_back(value);
    std::vector<double> means(each->rows);
    for (int value : all)
      means[0] += value;
    sum += (long)means[0];
  }
  return sum;
}

long longest(const std::vector<std::unordered_map<int, int>> &rows) {
  std::vector<int> sizes(rows.size());
  for (size_t i = 0; i < rows.size(); ++i)
    sizes[i] = (int)rows[i].size();
  int most = 0;
  for (int size : sizes)
    most = size > most ? size : most;
  return most;
}

char first(const std::vector<std::map<unsigned char, int>> &rows) {
  std::vector<char> text(rows[0].begin()->first);
  text.push_back(1);
  return text.back();
}

static grid *levels(int rows, int ids, int depth) {
  static grid all[4];
  for (int i = 0; i <= depth; ++i) {
    all[i].rows = rows;
    all[i].coarse = i < depth ? &all[i + 1] : nullptr;
    for (int k = 0; k < ids; ++k)
      all[i].ids[k * 7919] = k;
  }
  return all;
}

template <class Map> static const std::vector<Map> &maps(int rows, int keys) {
  static std::vector<Map> all(rows);
  for (Map &each : all)
    for (int k = 0; k < keys; ++k)
      each[k * 79 + 80] = k;
  return all;
}

TWICE_OF(values, sink = values(*levels((int)number(1), (int)number(2), (int)number(3))))
TWICE_OF(longest, sink = longest(maps<std::unordered_map<int, int>>((int)number(1), (int)number(2))))
TWICE_OF(first, sink = first(maps<std::map<unsigned char, int>>((int)number(1), (int)number(2))))
TWICE_EACH
