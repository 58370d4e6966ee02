// Strings that the operator makes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short ones live in the object itself; long ones double.
//
// RUN: %held -std=c++20 -O2

#include "../Inputs/twice.h"
#include <map>
#include <string>
#include <vector>

// A string that grows. Short strings live in the object itself; long ones double.
// HELD label n=100 n=7 n=3
// HELD -O0 label n=100 n=7 n=3
MEMSHAPE_OPERATOR
int label(const float *in, int n) {
  std::string text = "trace";
  for (int i = 0; i < n; ++i)
    text += 'x';
  return text[n] + (in[0] > 0);
}

// A string made by std::to_string. The digits of a shape symbol: their count depends on the shape alone.
// HELD of_number n=100 n=7
MEMSHAPE_OPERATOR
int of_number(const float *in, int n) {
  std::string text = "a name that does not fit in the object itself: " + std::to_string(n);
  return static_cast<int>(text.size() + static_cast<int>(in[0]));
}

// Characters that come from data. A short string keeps its characters where a long one keeps its capacity: what is
// stored there may be either.
// HELD of_data n=100 --bounds 0..418
// HELD of_data n=7
MEMSHAPE_OPERATOR
int of_data(const float *in, int n) {
  std::string text = "trace";
  for (int i = 0; i < n; ++i)
    text += in[i] > 0 ? '1' : '0';
  return text[n];
}

// Columns under names made from numbers. The shape decides what the names are, and so where they go in the map.
// HELD columns n=100,names=17 n=3,names=1
MEMSHAPE_OPERATOR
float columns(const float *in, int n, int names) {
  std::map<std::string, std::vector<float>> table;
  for (int i = 0; i < names; ++i)
    table["column_number_" + std::to_string(i)].assign(in, in + n);
  float sum = 0;
  for (const auto &[name, values] : table)
    sum += values[n / 2];
  return sum;
}

// Names in a map, joined to one text. A name lies in the node of a map, beside a vector of data. Its small buffer ends
// before the vector, and what a function of strings returns by reference is a string, not characters.
// HELD joined n=50,m=12 n=3,m=1
MEMSHAPE_OPERATOR
float joined(const float *in, int n, int m) {
  std::map<std::string, std::vector<float>> columns;
  for (int j = 0; j < m; ++j) {
    std::string name = "column_number_" + std::to_string(j);
    for (int i = 0; i < n; ++i)
      columns[name].push_back(in[i * m + j]);
  }
  std::string all;
  float sum = 0;
  for (auto &[name, column] : columns) {
    all += name + ",";
    sum += column[n / 2];
  }
  return sum + all.size();
}

// Members of std::string that the library has. Before C++20 the bodies of appending, assigning and reserving are in the
// library alone. A string of n characters takes less than twice 2 n bytes while it is copied to a larger block; 15
// characters and fewer take none.
// HELD -std=c++17 kept n=1000 --bounds 0..3998 -- 1000 1
// HELD -std=c++17 kept n=1000 --bounds 0..3998 -- 1000 32
// HELD -std=c++17 kept n=962 --bounds 0..3846 -- 962 1
// HELD -std=c++17 kept n=15 --bounds 0..58 -- 15 1
// HELD kept n=1000 --bounds 0..3998 -- 1000 1
MEMSHAPE_OPERATOR
long kept(const char *in, int n) {
  std::string all;
  for (int i = 0; i < n; ++i)
    if (in[i] != ' ')
      all += in[i];
  return long(all.size());
}

TWICE_OF(kept, {
  for (int at = 0; at < 1000; ++at)
    reinterpret_cast<char *>(data)[at] = char(number(2));
  sink = kept(reinterpret_cast<char *>(data), int(number(1)));
})
